"""Speed of drawing a layer, compared with matplotlib and Pillow's encoder.

Run it as ``python bench/mosaic.py [--rounds N]``; it prints rows for ``bench/RESULTS.md``. The ways of
drawing take turns within each round, so that a busy machine slows all of them alike; medians over the rounds
are compared.
"""

import argparse
import sys
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import matplotlib as mpl
import numpy as np
from isal import isal_zlib
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

import models
from viz.hooks.activations import LayerActivations
from viz.maps.figures import feature_map_figure, save_figure
from viz.maps.mosaic import render_mosaic
from viz.maps.tiling import default_columns
from viz.pictures.samples import sample

Maps = NDArray[np.float32]
SHAPES = {(64, 112, 112): 15.0, (64, 56, 56): None, (512, 7, 7): 1.5}
SLOWEST_OF_THE_FIRST = 3
MAPS = 4  # axes: batch, channels, height, width
LINE = 20_000_000 / 8 / 1000  # bytes a millisecond: 20 Mbit/s


def subplots(maps: Maps) -> bytes:
    """One pair of axes per map, as most scripts do it."""
    columns = default_columns(len(maps))
    figure = Figure(figsize=(columns, -(-len(maps) // columns)))
    low, high = float(maps.min()), float(maps.max())
    for position, values in enumerate(maps):
        axes = figure.add_subplot(-(-len(maps) // columns), columns, position + 1)
        axes.imshow(values, vmin=low, vmax=high)
        axes.axis("off")
    return saved(figure)


def one_image(maps: Maps) -> bytes:
    """The same picture through matplotlib's colormap and Pillow's encoder, in full colour."""
    columns = default_columns(len(maps))
    rows = maps.reshape(-1, columns, *maps.shape[1:]).swapaxes(1, 2).reshape(-1, columns * maps.shape[2])
    colours = mpl.colormaps["viridis"](Normalize()(rows), bytes=True)
    file = BytesIO()
    Image.fromarray(colours).save(file, "PNG", compress_level=1)
    return file.getvalue()


def our_mosaic(maps: Maps) -> bytes:
    return render_mosaic(maps).png


def per_channel(maps: Maps) -> bytes:
    return render_mosaic(maps, scale="channel").png


def our_figure(maps: Maps) -> bytes:
    return save_figure(feature_map_figure(maps), "png")


def saved(figure: Figure) -> bytes:
    file = BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


FAST = {"mosaic": our_mosaic, "mosaic, a scale per channel": per_channel, "one full-colour image": one_image}
SLOW = {"matplotlib subplots": subplots, "export figure": our_figure}


def milliseconds(draw: Callable[[Maps], bytes], maps: Maps) -> float:
    start = perf_counter()
    draw(maps)
    return 1000 * (perf_counter() - start)


def measured(maps: Maps, rounds: int) -> dict[str, float]:
    """Return the median milliseconds of each way of drawing.

    The slow ways take part in the first rounds only.
    """
    times: dict[str, list[float]] = {name: [] for name in FAST | SLOW}
    for way in FAST.values():
        way(maps)
    for number in range(rounds):
        for name, way in (FAST | SLOW if number < SLOWEST_OF_THE_FIRST else FAST).items():
            times[name].append(milliseconds(way, maps))
    return {name: median(found) for name, found in times.items()}


def by_zlib(level: int, strategy: int) -> Callable[[bytes], bytes]:
    """Return a compressor of zlib's."""

    def compress(rows: bytes) -> bytes:
        packer = zlib.compressobj(level, zlib.DEFLATED, 15, 9, strategy)
        return packer.compress(rows) + packer.flush()

    return compress


COMPRESSORS = {
    "zlib, level 9": by_zlib(9, zlib.Z_DEFAULT_STRATEGY),
    "zlib, run lengths": by_zlib(1, zlib.Z_RLE),
    "ISA-L, level 2: ours": lambda rows: isal_zlib.compress(rows, 2),
}


def pictures_of_all_layers() -> list[bytes]:
    """Return the uncompressed pixels of every layer's maps."""
    model = models.load("efficientnet_lite0", device="cpu")
    layers = LayerActivations(model, device="cpu")
    with layers.capture() as record:
        layers.run(models.describe("efficientnet_lite0").preprocessing(sample("astronaut")))
    found = [call.output for calls in record.values() for call in calls]
    pictures = [render_mosaic(output[0].numpy()).png for output in found if output.dim() == MAPS]
    return [pixels(picture) for picture in pictures]


def pixels(png: bytes) -> bytes:
    """The rows of a picture, each with the byte of its filter."""
    chunk = png.index(b"IDAT")
    return zlib.decompress(png[chunk + 4 : chunk + 4 + int.from_bytes(png[chunk - 4 : chunk], "big")])


def compare_compressors(rounds: int) -> None:
    """Print each compressor's time and size for a model's pictures."""
    pictures = pictures_of_all_layers()
    took: dict[str, list[float]] = {name: [] for name in COMPRESSORS}
    sizes: dict[str, int] = {}
    for _ in range(max(1, rounds // 5)):
        for name, compress in COMPRESSORS.items():
            start = process_time()
            sizes[name] = sum(len(compress(each)) for each in pictures)
            took[name].append(1000 * (process_time() - start))
    count = len(pictures)
    print(f"\n| a picture of EfficientNet-Lite0's {count} | CPU ms: loopback | kB | at 20 Mbit/s, ms |")
    print("|---|---:|---:|---:|")
    for name, size in sizes.items():
        time = median(took[name]) / count
        print(f"| {name} | {time:.2f} | {size / count / 1000:.1f} | {time + size / count / LINE:.1f} |")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=25)
    rounds = options.parse_args().rounds
    noise = np.random.default_rng(0)
    print("| maps | drawn as | median ms | mosaic is faster by | goal |")
    print("|---|---|---:|---:|---|")
    for shape, goal in SHAPES.items():
        times = measured(noise.standard_normal(shape).astype(np.float32), rounds)
        for name, time in times.items():
            wanted = {"mosaic": f"< {goal} ms" if goal else "", "matplotlib subplots": "100x"}.get(name, "")
            ratio = time / times["mosaic"]
            print(f"| {'x'.join(map(str, shape))} | {name} | {time:.2f} | {ratio:.1f}x | {wanted} |")
    compare_compressors(rounds)


if __name__ == "__main__":
    main()
