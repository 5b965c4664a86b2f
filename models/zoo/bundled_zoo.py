"""The family of nets that come with Layerglass, trained weights included."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn

from ..cards import ModelCard, Progress
from ..errors import WeightsDamagedError, WeightsUnavailableError
from ..nets.bundled import LeNet, PhotoNet
from ..nets.patchformer import PatchFormer
from ..nets.signal_preprocessing import SignalPreprocessing
from ..nets.signalnet import SignalNet
from ..nets.waveforms import KINDS, LENGTH
from ..preprocessing import CIFAR10_MEAN, CIFAR10_STD, Preprocessing

__all__ = ["BundledFamily"]

_WEIGHTS = Path(__file__).parents[1] / "weights"
_LICENCE = "Apache-2.0, as Layerglass"
_THINGS = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
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
}


class BundledFamily:
    """The nets of ``models.nets.bundled``, with the weights in ``folder`` and their records beside them."""

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
        """Return the card, with what the training script has measured and written."""
        entry, record = _ENTRIES[model_id], _record(self._folder / f"{model_id}.json")
        return ModelCard(
            id=model_id,
            title=entry.title,
            family=self.name,
            task="classification",
            source=entry.source,
            weights_origin=_origin(record),
            weights_licence=_LICENCE,
            has_pretrained=self.is_ready(model_id),
            input_size=entry.input_size,
            preprocessing=entry.preprocessing,
            classes=tuple(record.get("classes", entry.classes)),
            parameters=_parameters(model_id),
            accuracy=_accuracy(record),
            notes=entry.notes,
        )

    def untrained(self, model_id: str) -> nn.Module:
        """Return the net as its constructor makes it."""
        return _ENTRIES[model_id].net()

    def trained(self, model_id: str) -> nn.Module:
        """Return the net with the weights from the folder.

        Raises:
            WeightsUnavailableError: the file is not there.
            WeightsDamagedError: it is cut short, or of another net.
        """
        model, path = self.untrained(model_id), self._folder / f"{model_id}.safetensors"
        try:
            model.load_state_dict(load_file(path))
        except FileNotFoundError as error:
            raise WeightsUnavailableError(
                "the trained weights of {model} are not in this copy of Layerglass; untrained "
                "weights can be shown",
                model=model_id,
            ) from error
        except (SafetensorError, RuntimeError) as error:
            raise WeightsDamagedError(
                "{file} is damaged or belongs to another net; get it again from where this copy came from",
                file=path.name,
            ) from error
        return model

    def fetch(self, model_id: str, progress: Progress | None) -> None:
        """Do nothing: the weights are in the folder, or nowhere."""

    def is_ready(self, model_id: str) -> bool:
        """Return whether the file of weights is there."""
        return (self._folder / f"{model_id}.safetensors").exists()


@cache
def _parameters(model_id: str) -> int:
    from torch import device  # noqa: PLC0415

    with device("meta"):  # counts parameters without making any
        return sum(value.numel() for value in _ENTRIES[model_id].net().parameters())


def _record(path: Path) -> dict[str, Any]:
    """Return what the training script wrote about a run, or nothing if it has not run."""
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return record


def _origin(record: dict[str, Any]) -> str:
    if not record:
        return "not trained yet: python -m models.training"
    return (
        f"trained for Layerglass on {record['training_examples']:,} examples of {record['data']}, "
        f"{record['epochs']} epochs, seed {record['seed']}, {record['date']}, PyTorch {record['torch']}"
    )


def _accuracy(record: dict[str, Any]) -> str:
    """Return the share of test pictures that the net gets right, the preprocessing's own size first."""
    if not record:
        return ""
    side = record["input_side"]
    others = [
        f"{share:.1%} at {key}" for key, share in record["accuracy_by_side"].items() if int(key) != side
    ]
    more = f"; {', '.join(others)} pixels" if others else ""
    return (
        f"{record['accuracy']:.1%} of {record['test_examples']:,} test examples, shown at {side} pixels{more}"
    )
