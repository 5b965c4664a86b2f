"""Make docs/images/exemplars.png: what excites twelve channels of the ImageNet-trained net, drawn by lot.

Run it as ``python docs/exemplar_sheet.py``; it takes about a minute. The pictures are all colour and grey
photographs that scikit-image carries, cut into squares of 128 pixels that do not overlap, so that a channel
has a few hundred different ones to choose from.
"""

import sys
import tempfile
from pathlib import Path

import skimage
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.__main__ import main as run

SIDE = 128
PHOTOGRAPHS = (
    *(
        "astronaut.png",
        "brick.png",
        "camera.png",
        "cell.png",
        "chelsea.png",
        "clock_motion.png",
        "coffee.png",
    ),
    *("coins.png", "grass.png", "gravel.png", "hubble_deep_field.jpg", "ihc.png", "moon.png"),
    *("motorcycle_left.png", "page.png", "retina.jpg", "rocket.jpg", "text.png"),
)
WIDTH, COLOURS = 1480, 256  # pixels, and how many colours the document's picture has


def squares(folder: Path) -> None:
    """Cut the photographs into a folder."""
    folder.mkdir()
    for name in PHOTOGRAPHS:
        with Image.open(Path(skimage.__file__).parent / "data" / name) as file:
            photo = file.convert("RGB")
        for top in range(0, photo.height - SIDE + 1, SIDE):
            for left in range(0, photo.width - SIDE + 1, SIDE):
                square = photo.crop((left, top, left + SIDE, top + SIDE))
                square.save(folder / f"{Path(name).stem}-{top}-{left}.png")


def main() -> int:
    """Look at all squares, and write the sheet."""
    with tempfile.TemporaryDirectory() as place:
        folder, sheet = Path(place, "squares"), Path(place, "sheet.png")
        squares(folder)
        words = ["exemplars", str(folder), "--model", "efficientnet_lite0", "--layers", "Conv2d"]
        status = run([*words, "--out", str(Path(place, "out")), "--sheet", str(sheet)])
        with Image.open(sheet) as drawn:
            height = round(drawn.height * WIDTH / drawn.width)
            small = drawn.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
        target = Path(__file__).parent / "images" / "exemplars.png"
        target.parent.mkdir(exist_ok=True)
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
