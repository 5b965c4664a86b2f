"""How fast a layer is drawn: the mosaic compared with matplotlib and Pillow's encoder, in one run.

Run it as ``python bench/mosaic.py [--rounds N]``; it prints rows for ``bench/RESULTS.md``. The ways of
drawing take turns within each round, so that a busy machine slows all of them alike; medians over the rounds
are compared.
"""

import argparse
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median
from time import perf_counter

import matplotlib as mpl
import numpy as np
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.maps.figures import feature_map_figure, save_figure
from viz.maps.mosaic import render_mosaic
from viz.maps.tiling import default_columns

Maps = NDArray[np.float32]
SHAPES = {(64, 112, 112): 15.0, (64, 56, 56): None, (512, 7, 7): 1.5}
SLOWEST_OF_THE_FIRST = 3


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
    """The median milliseconds of each way of drawing; the slow ways take part in the first rounds only."""
    times: dict[str, list[float]] = {name: [] for name in FAST | SLOW}
    for way in FAST.values():
        way(maps)
    for number in range(rounds):
        for name, way in (FAST | SLOW if number < SLOWEST_OF_THE_FIRST else FAST).items():
            times[name].append(milliseconds(way, maps))
    return {name: median(found) for name, found in times.items()}


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
            wanted = {"mosaic": f"< {goal} ms" if goal else "", "matplotlib subplots": "30x"}.get(name, "")
            ratio = time / times["mosaic"]
            print(f"| {'x'.join(map(str, shape))} | {name} | {time:.2f} | {ratio:.1f}x | {wanted} |")


if __name__ == "__main__":
    main()
