"""The family of nets that come with Layerglass, trained weights included."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from torch import nn

from ..cards import ModelCard, Needs, Progress
from ..nets.bundled import LeNet, PhotoNet
from ..nets.efficientnet_lite import EfficientNetLite0
from ..nets.patchformer import PatchFormer
from ..nets.signal_preprocessing import SignalPreprocessing
from ..nets.signalnet import SignalNet
from ..nets.waveforms import KINDS, LENGTH
from ..preprocessing import CIFAR10_MEAN, CIFAR10_STD, Preprocessing
from .packaged_weights import LITE0
from .trained_here import FolderWeights

__all__ = ["BundledFamily"]

_WEIGHTS = Path(__file__).parents[1] / "weights"
_THINGS = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
_HALF = (0.5, 0.5, 0.5)
_SEEN = "It knows only the ten kinds of things of CIFAR-10; of anything else it names the likest."


def _square(side: int) -> Preprocessing:
    return Preprocessing(side, (side, side), mean=CIFAR10_MEAN, std=CIFAR10_STD)


@dataclass(frozen=True)
class _Entry:
    net: Callable[[], nn.Module]
    title: str
    source: str
    preprocessing: Preprocessing | SignalPreprocessing
    input_size: tuple[int, int]
    classes: tuple[str, ...]
    notes: str


_ENTRIES = {
    "lenet": _Entry(
        LeNet,
        "LeNet",
        "LeCun, Bottou, Bengio and Haffner, Gradient-based learning applied to document recognition, 1998",
        _square(32),
        (32, 32),
        _THINGS,
        _SEEN,
    ),
    "photonet": _Entry(
        PhotoNet,
        "PhotoNet",
        "Layerglass; residual blocks after He, Zhang, Ren and Sun, Deep residual learning, 2016",
        _square(32),
        (32, 32),
        _THINGS,
        "Pictures of 32 to 256 pixels a side fit: the last pooling covers all places; but it was trained on "
        "32, and guesses badly at other sizes. Its training was prolonged twice after a look at the accuracy "
        f"on the test pictures, which is therefore a little too good. {_SEEN}",
    ),
    "patchformer": _Entry(
        PatchFormer,
        "PatchFormer",
        "Layerglass; after Dosovitskiy et al., An image is worth 16x16 words, 2021, on a convolutional stem",
        _square(32),
        (32, 32),
        _THINGS,
        f"Each head's attention is the output of a layer named attention.softmax. {_SEEN}",
    ),
    "signalnet": _Entry(
        SignalNet,
        "SignalNet",
        "Layerglass; three one-dimensional convolutions",
        SignalPreprocessing(LENGTH),
        (1, LENGTH),
        KINDS,
        "It tells waveforms apart. A picture is read as a signal: how bright it is from left to right.",
    ),
    "efficientnet_lite0": _Entry(
        EfficientNetLite0,
        "EfficientNet-Lite0",
        "Tan and Le, EfficientNet: rethinking model scaling for convolutional neural networks, 2019; "
        "Liu, Higher accuracy on vision models with EfficientNet-Lite, TensorFlow blog, 2020",
        Preprocessing(256, (224, 224), "bicubic", mean=_HALF, std=_HALF),
        (224, 224),
        (),
        "It knows the 1,000 kinds of things of ImageNet; of anything else it names the likest.",
    ),
}


class Weights(Protocol):
    """The trained weights of one net, wherever their file is."""

    @property
    def origin(self) -> str:
        """Their trainer and training data."""

    @property
    def licence(self) -> str:
        """Their terms."""

    @property
    def accuracy(self) -> str:
        """The net's accuracy with them, in words; empty where unknown."""

    @property
    def exist(self) -> bool:
        """True if there are any, here or elsewhere."""

    def classes(self) -> tuple[str, ...]:
        """Return the logits' names in order, empty if they are unknown."""

    def is_ready(self) -> bool:
        """Return whether their file is here."""

    def require(self) -> None:
        """Raise the error that names the way to get missing weights."""

    def fill(self, net: nn.Module) -> None:
        """Put them into the net."""


class BundledFamily:
    """The nets of ``models.nets``.

    Those trained for Layerglass have weights and records in ``folder``.
    """

    name = "bundled"

    def __init__(self, folder: Path = _WEIGHTS) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """Return the ids, the simplest net first."""
        return tuple(_ENTRIES)

    def representatives(self) -> tuple[str, ...]:
        """Return every id."""
        return self.names()

    def describe(self, model_id: str) -> ModelCard:
        """Return the card, with the known facts of the trained weights."""
        entry, weights = _ENTRIES[model_id], self._weights(model_id)
        return ModelCard(
            id=model_id,
            title=entry.title,
            family=self.name,
            task="classification",
            source=entry.source,
            weights_origin=weights.origin,
            weights_licence=weights.licence,
            has_pretrained=weights.exist,
            input_size=entry.input_size,
            preprocessing=entry.preprocessing,
            classes=weights.classes() or entry.classes,
            parameters=_parameters(model_id),
            accuracy=weights.accuracy,
            notes=entry.notes,
        )

    def untrained(self, model_id: str) -> nn.Module:
        """Return the net as its constructor makes it."""
        return _ENTRIES[model_id].net()

    def trained(self, model_id: str) -> nn.Module:
        """Return the net with its trained weights.

        Raises:
            WeightsUnavailableError: the file is not there.
            WeightsDamagedError: it is not what it should be.
        """
        model = self.untrained(model_id)
        self._weights(model_id).fill(model)
        return model

    def fetch(self, model_id: str, progress: Progress | None) -> None:
        """Check that the weights are here: none of them are downloaded.

        Raises:
            WeightsUnavailableError: they are elsewhere.
        """
        del progress  # there is none to report
        self._weights(model_id).require()

    def is_ready(self, model_id: str) -> bool:
        """Return whether the file of weights is there."""
        return self._weights(model_id).is_ready()

    def needs(self, model_id: str) -> Needs:
        """Return "ready", or "untrained" if the weights are not installed.

        None can be downloaded.
        """
        return Needs("ready" if self.is_ready(model_id) else "untrained")

    def _weights(self, model_id: str) -> Weights:
        return LITE0 if model_id == LITE0.model else FolderWeights(self._folder, model_id)


@cache
def _parameters(model_id: str) -> int:
    from torch import device  # noqa: PLC0415

    with device("meta"):  # counts parameters without making any
        return sum(value.numel() for value in _ENTRIES[model_id].net().parameters())
