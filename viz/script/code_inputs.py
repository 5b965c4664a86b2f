"""Lines of Python that make a model's input of a picture.

They take the steps that ``models`` takes.
"""

from collections.abc import Callable
from typing import Any

from ..pictures.photo import Crop


def input_lines(preprocessing: Any, model_id: str) -> list[str]:
    """Return the lines that turn ``image`` into the model's ``arguments``."""
    known = _known(preprocessing)
    if known is not None:
        return known(preprocessing)
    return [
        "# This model prepares pictures in a way of its own, which only Layerglass can ask for.",
        f"inputs = models.describe({model_id!r}).preprocessing(image)  # {preprocessing.describe()}",
        "arguments = inputs if isinstance(inputs, tuple) else (inputs,)",
    ]


def picture_lines(path: str, crop: Crop | None) -> list[str]:
    """Return the lines that read ``image`` and crop it."""
    read = f"image = ImageOps.exif_transpose(Image.open({path!r})).convert('RGB')"
    return [read, *([f"image = image.crop({crop.box})  # left, top, right, bottom"] if crop else [])]


def reads_picture(preprocessing: Any) -> bool:
    """Return whether the model's input comes from a picture.

    Otherwise it is a program's own tensors.
    """
    return type(preprocessing).__name__ != "GivenArguments"


def is_written_out(preprocessing: Any) -> bool:
    """Return whether the lines need nothing of Layerglass."""
    return _known(preprocessing) is not None


def _known(preprocessing: Any) -> Callable[[Any], list[str]] | None:
    name = type(preprocessing).__name__
    cut = name == "WholePreprocessing" and set(preprocessing.crop) != {preprocessing.resize}
    if cut and not preprocessing.squeezed:  # no model of timm has both borders and an edge that is cut off
        return None
    return _KNOWN.get(name)


def _picture_lines(preprocessing: Any) -> list[str]:
    height, width = preprocessing.crop
    return [
        *_cropped(preprocessing),
        _PIXELS,
        *_scaled(preprocessing, "images = {}"),
        f"arguments = (images.unsqueeze(0),)  # (1, 3, {height}, {width})",
    ]


def _whole_lines(preprocessing: Any) -> list[str]:
    """Return the lines for a picture that is squeezed or bordered."""
    height, width = preprocessing.crop
    return [
        *(_squeezed(preprocessing) if preprocessing.squeezed else _bordered(preprocessing)),
        _PIXELS,
        *_scaled(preprocessing, "images = {}"),
        f"arguments = (images.unsqueeze(0),)  # (1, 3, {height}, {width})",
    ]


def _squeezed(preprocessing: Any) -> list[str]:
    side, (height, width) = preprocessing.resize, preprocessing.crop
    left, top = round((side - width) / 2), round((side - height) / 2)
    whole = (height, width) == (side, side)
    return [
        f"image = image.resize(({side}, {side}), {_filter(preprocessing)})",
        *([] if whole else [f"image = image.crop({(left, top, left + width, top + height)})"]),
    ]


def _bordered(preprocessing: Any) -> list[str]:
    """Return the lines that resize the long side and add borders."""
    (height, width), colour = preprocessing.crop, tuple(round(255 * value) for value in preprocessing.mean)
    return [
        f"ratio = {preprocessing.resize} / max(image.size)",
        "size = max(1, round(image.width * ratio)), max(1, round(image.height * ratio))",
        f"small = image.resize(size, {_filter(preprocessing)})",
        f"image = Image.new('RGB', ({width}, {height}), {colour})",
        f"image.paste(small, (({width} - small.width) // 2, ({height} - small.height) // 2))",
    ]


def _list_lines(preprocessing: Any) -> list[str]:
    height, width = preprocessing.crop
    return [
        *_cropped(preprocessing.frame),
        _PIXELS,
        *_scaled(preprocessing.frame, "images = [{}]"),
        f"arguments = (images,)  # a list of pictures (3, {height}, {width}), of any sizes",
    ]


def _clip_lines(preprocessing: Any) -> list[str]:
    height, width = preprocessing.crop
    return [
        *_panned(preprocessing.frame, preprocessing.frames),
        "pixels = torch.stack(frames, dim=1)",
        *_scaled(preprocessing.frame, "clip = {}", axes=4),
        f"arguments = (clip.unsqueeze(0),)  # (1, 3, {preprocessing.frames}, {height}, {width})",
    ]


def _pair_lines(preprocessing: Any) -> list[str]:
    height, width = preprocessing.crop
    return [
        *_panned(preprocessing.frame, 2),
        "pixels = torch.stack(frames)",
        *_scaled(preprocessing.frame, "first, second = {}"),
        f"arguments = (first.unsqueeze(0), second.unsqueeze(0))  # (1, 3, {height}, {width}) each",
    ]


def _signal_lines(preprocessing: Any) -> list[str]:
    length = preprocessing.length
    return [
        "# The picture is read as a signal: how bright each column is on average, from -1 to 1.",
        f'row = image.convert("L").resize(({length}, 1), Image.Resampling.BOX)',
        "signal = torch.from_numpy(np.array(row)).to(torch.float32).div(127.5).sub(1)",
        f"arguments = (signal.unsqueeze(0),)  # (1, 1, {length})",
    ]


_PIXELS = "pixels = torch.from_numpy(np.array(image)).permute(2, 0, 1).contiguous()"


def _cropped(frame: Any, crop: tuple[int, int] | None = None) -> list[str]:
    """Return the lines that resize the short side and crop the middle."""
    short, (height, width) = frame.resize, crop or frame.crop
    return [
        f"longest = int({short} * max(image.size) / min(image.size))",
        f"size = ({short}, longest) if image.width <= image.height else (longest, {short})",
        f"image = image.resize(size, {_filter(frame)})",
        f"left, top = round((image.width - {width}) / 2), round((image.height - {height}) / 2)",
        f"image = image.crop((left, top, left + {width}, top + {height}))",
    ]


def _panned(frame: Any, frames: int) -> list[str]:
    """Return the lines that cut ``frames`` out of one picture.

    Layerglass has no film.
    """
    height, width = frame.crop
    top, rest = (frame.resize - height) // 2, frame.resize - width
    lefts = [round(place * rest / (frames - 1)) for place in range(frames)]
    return [
        *_cropped(frame, (frame.resize, frame.resize)),
        "frames = []",
        f"for left in {lefts}:  # panning across the picture",
        f"    frame = image.crop((left, {top}, left + {width}, {top + height}))",
        "    frames.append(torch.from_numpy(np.array(frame)).permute(2, 0, 1).contiguous())",
    ]


def _scaled(frame: Any, target: str, axes: int = 3) -> list[str]:
    """Return the lines that scale ``pixels`` to the training's range."""
    mean, std = tuple(frame.mean), tuple(frame.std)
    if not any(mean) and set(std) == {1.0}:
        return [target.format("pixels.to(torch.float32).div(255)")]
    shape = ", 1" * (axes - 1)
    return [
        f"mean = torch.tensor({mean}).view(3{shape})",
        f"std = torch.tensor({std}).view(3{shape})",
        target.format("(pixels.to(torch.float32).div(255) - mean) / std"),
    ]


def _filter(frame: Any) -> str:
    return f"Image.Resampling.{frame.interpolation.upper()}"


def _given_lines(_: Any) -> list[str]:
    return [
        "# `given` is the tuple of what the model was called with.",
        "arguments = tuple(each.cpu() if torch.is_tensor(each) else each for each in given)",
    ]


_KNOWN: dict[str, Callable[[Any], list[str]]] = {
    "Preprocessing": _picture_lines,
    "WholePreprocessing": _whole_lines,
    "ListPreprocessing": _list_lines,
    "ClipPreprocessing": _clip_lines,
    "PairPreprocessing": _pair_lines,
    "SignalPreprocessing": _signal_lines,
    "GivenArguments": _given_lines,
}
