"""Lines of Python that make a model and its input as Layerglass did, with nothing but public libraries."""

from collections.abc import Callable
from typing import Any, Protocol

from ..errors import RequestError
from ..home import IMPORT_CATALOGUE, SCRIPTS_RUN

# These constructors warn unless they are passed their own default.
_SAY_INIT = frozenset({"googlenet", "inception_v3"})
_WEIGHTS = ("pretrained", "random")


class Card(Protocol):
    """What is needed to know about a model: a card of the catalogue, or anything with these attributes."""

    @property
    def id(self) -> str:
        """The model's id."""

    @property
    def title(self) -> str:
        """Its name as people write it."""

    @property
    def family(self) -> str:
        """Where it comes from: ``bundled``, ``torchvision``, ``timm``."""

    @property
    def task(self) -> str:
        """What it was made for."""

    @property
    def preprocessing(self) -> Any:
        """A dataclass of numbers, whose class name says what they mean."""


def model_imports(card: Card) -> set[str]:
    """Return the lines that import what the model and its input need, besides torch, NumPy and Pillow."""
    own = () if type(card.preprocessing).__name__ in _KNOWN else ("models",)
    return {IMPORT_CATALOGUE if name == "models" else f"import {name}" for name in (*own, _source(card))}


def model_lines(card: Card, weights: str) -> list[str]:
    """Return the lines that make ``model``.

    Raises:
        RequestError: no library has these weights, such as those of an upload.
    """
    if weights not in _WEIGHTS:
        raise RequestError(
            "A script can load trained or untrained weights, not those that a visitor brought."
        )
    return _MAKERS[_source(card)](card, weights == "pretrained")


def input_lines(card: Card) -> list[str]:
    """Return the lines that turn the picture ``image`` into ``arguments``, what the model is called with."""
    known = _KNOWN.get(type(card.preprocessing).__name__)
    if known is not None:
        return known(card.preprocessing)
    return [
        f"inputs = models.describe({card.id!r}).preprocessing(image)  # {card.preprocessing.describe()}",
        "arguments = inputs if isinstance(inputs, tuple) else (inputs,)",
    ]


def _source(card: Card) -> str:
    """Return the package that makes the model from nothing but its name."""
    plain = card.family == "timm" or (card.family == "torchvision" and card.task == "classification")
    return card.family if plain else "models"


def _from_torchvision(card: Card, pretrained: bool) -> list[str]:
    if pretrained:
        return [f'model = torchvision.models.get_model({card.id!r}, weights="DEFAULT")']
    options = ", init_weights=True" if card.id in _SAY_INIT else ""
    return [_SEED, f"model = torchvision.models.get_model({card.id!r}, weights=None{options})"]


def _from_timm(card: Card, pretrained: bool) -> list[str]:
    name = card.id.removeprefix("timm/")
    return [*([] if pretrained else [_SEED]), f"model = timm.create_model({name!r}, pretrained={pretrained})"]


def _from_layerglass(card: Card, pretrained: bool) -> list[str]:
    weights = "pretrained" if pretrained else "random"
    return [
        f"# Layerglass's own catalogue: run this script {SCRIPTS_RUN}.",
        *(["# Set LAYERGLASS_MODEL as it was when this script was made."] if card.family == "own" else []),
        f"model = models.load({card.id!r}, weights={weights!r})",
    ]


_SEED = "torch.manual_seed(0)  # the same untrained weights everywhere"


def _picture_lines(preprocessing: Any) -> list[str]:
    """Return resizing, cropping and scaling, step by step as ``models.preprocessing`` does them."""
    short, (height, width) = preprocessing.resize, preprocessing.crop
    return [
        f"longest = int({short} * max(image.size) / min(image.size))",
        f"size = ({short}, longest) if image.width <= image.height else (longest, {short})",
        f"image = image.resize(size, Image.Resampling.{preprocessing.interpolation.upper()})",
        f"left, top = round((image.width - {width}) / 2), round((image.height - {height}) / 2)",
        f"image = image.crop((left, top, left + {width}, top + {height}))",
        "pixels = torch.from_numpy(np.array(image)).permute(2, 0, 1).contiguous()",
        f"mean = torch.tensor({tuple(preprocessing.mean)}).view(3, 1, 1)",
        f"std = torch.tensor({tuple(preprocessing.std)}).view(3, 1, 1)",
        "images = (pixels.to(torch.float32).div(255) - mean) / std",
        f"arguments = (images.unsqueeze(0),)  # (1, 3, {height}, {width})",
    ]


def _signal_lines(preprocessing: Any) -> list[str]:
    length = preprocessing.length
    return [
        "# The picture is read as a signal: how bright each column is on average, from -1 to 1.",
        f'row = image.convert("L").resize(({length}, 1), Image.Resampling.BOX)',
        "signal = torch.from_numpy(np.array(row)).to(torch.float32).div(127.5).sub(1)",
        f"arguments = (signal.unsqueeze(0),)  # (1, 1, {length})",
    ]


_KNOWN: dict[str, Callable[[Any], list[str]]] = {
    "Preprocessing": _picture_lines,
    "SignalPreprocessing": _signal_lines,
}
_MAKERS: dict[str, Callable[[Card, bool], list[str]]] = {
    "torchvision": _from_torchvision,
    "timm": _from_timm,
    "models": _from_layerglass,
}
