"""Weights of the nets trained for Layerglass, and their training records."""

import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn

from ..errors import WeightsDamagedError, WeightsUnavailableError

__all__ = ["FolderWeights"]


class FolderWeights:
    """One net's weights in a folder, and their record beside them."""

    licence = "Apache-2.0, as Layerglass"

    def __init__(self, folder: Path, model_id: str) -> None:
        self._model = model_id
        self._file = folder / f"{model_id}.safetensors"
        self._record = _record(folder / f"{model_id}.json")

    @property
    def origin(self) -> str:
        """Their trainer and training data."""
        return _origin(self._record)

    @property
    def accuracy(self) -> str:
        """The net's accuracy with them."""
        return _accuracy(self._record)

    @property
    def exist(self) -> bool:
        """True if there are any: the file is here, or nowhere."""
        return self.is_ready()

    def classes(self) -> tuple[str, ...]:
        """Return the training data's class names; none without a record."""
        return tuple(self._record.get("classes", ()))

    def is_ready(self) -> bool:
        """Return whether the file of weights is there."""
        return self._file.exists()

    def require(self) -> None:
        """Do nothing: filling a net says what is missing."""

    def fill(self, net: nn.Module) -> None:
        """Put the weights into the net.

        Raises:
            WeightsUnavailableError: the file is not there.
            WeightsDamagedError: it is cut short, or of another net.
        """
        try:
            net.load_state_dict(load_file(self._file))
        except FileNotFoundError as error:
            raise WeightsUnavailableError(
                "the trained weights of {model} are not in this copy of Layerglass; untrained "
                "weights can be shown",
                model=self._model,
            ) from error
        except (SafetensorError, RuntimeError) as error:
            raise WeightsDamagedError(
                "{file} is damaged or belongs to another net; get it again from where this copy came from",
                file=self._file.name,
            ) from error


def _record(path: Path) -> dict[str, Any]:
    """Return the training script's record, empty without a run."""
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
    """Return the net's test accuracy in words, its own size first."""
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
