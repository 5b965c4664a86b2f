"""The family of torchvision's models, for whatever task: ``models.zoo.torchvision_tasks`` tells them apart.

torchvision takes two seconds to import, so it is imported when the family is first asked for more than its
models' names and files, which ``models.zoo.torchvision_files`` keeps.
"""

import importlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

from torch import nn

from ..cards import ModelCard, Needs, Progress
from ..downloads import checkpoint_path, fetch
from ..errors import WeightsDamagedError
from ..refused_memory import is_refused_memory
from ..weights_file import read_state_dict
from .torchvision_files import known_files
from .torchvision_papers import source, title
from .torchvision_tasks import Task, task_of

__all__ = ["TorchvisionFamily", "asked_files"]

_LICENCE = (
    "torchvision states none of its own for its weights (its code is BSD-3-Clause); "
    "the terms of what they were trained on, {data}, may apply"
)
# Their constructors warn that a default will change unless it is passed; these are today's defaults.
_SAY_INIT = ("googlenet", "inception_v3", "quantized_googlenet", "quantized_inception_v3")
_MEGABYTE = 1 << 20  # what torchvision's "_file_size" counts in


class TorchvisionFamily:
    """Every model of torchvision, with its newest weights."""

    name = "torchvision"

    def names(self) -> tuple[str, ...]:
        """Return torchvision's own names, in alphabetical order."""
        return _names()

    def representatives(self) -> tuple[str, ...]:
        """Return every name: there are few enough to look at them all."""
        return self.names()

    def describe(self, model_id: str) -> ModelCard:
        """Return the card, from torchvision's facts about its weights."""
        return _card(model_id)

    def untrained(self, model_id: str) -> nn.Module:
        """Return what ``torchvision.models.get_model`` returns without weights, also for a model's trunk.

        A vision transformer is made for pictures of the card's size, as torchvision makes the trained one.
        Quantised models are turned into whole numbers, as trained ones are; torchvision calibrates them on
        noise.
        """
        card = _card(model_id)
        options = {**card.options, **card.untrained_options}
        with _quantising(_task(model_id)):
            return _models().get_model(model_id, weights=None, **options)  # type: ignore[no-any-return]

    def trained(self, model_id: str) -> nn.Module:
        """Return what ``torchvision.models.get_model(model_id, weights="DEFAULT")`` returns.

        Raises:
            WeightsDamagedError: the file of weights is cut short, or holds something other than weights.
        """
        weights = _weights(model_id)
        path = checkpoint_path(weights.url)
        read_state_dict(path)  # torchvision would run code hidden in the file, so check it first
        task, options = _task(model_id), _card(model_id).options
        try:
            with _quantising(task):
                return _models().get_model(model_id, weights=weights, **options)  # type: ignore[no-any-return]
        except RuntimeError as error:
            if is_refused_memory(error):  # the file has been read once
                raise
            raise WeightsDamagedError(
                "{file} does not belong to {model}; delete it, and it will be fetched again",
                file=path,
                model=model_id,
            ) from error

    def fetch(self, model_id: str, progress: Progress | None) -> None:
        """Download the weights into torch.hub's folder, unless they are there."""
        fetch(_weights(model_id).url, progress)

    def is_ready(self, model_id: str) -> bool:
        """Return whether torch.hub's folder has the weights."""
        return checkpoint_path(_file(model_id)[0]).exists()

    def needs(self, model_id: str) -> Needs:
        """Return the needs of the weights, the download's size included."""
        url, size = _file(model_id)
        return Needs("ready") if checkpoint_path(url).exists() else Needs("download", size)


def asked_files() -> dict[str, tuple[str, int]]:
    """Return torchvision's own address and size of each model's weights.

    The size is in bytes, and the weights are the newest.
    """
    return {model_id: _asked_file(model_id) for model_id in _models().list_models()}


def _models() -> ModuleType:
    return importlib.import_module("torchvision.models")


@cache
def _names() -> tuple[str, ...]:
    return tuple(known_files() or _models().list_models())


def _task(model_id: str) -> Task:
    return task_of(model_id, _models())


@contextmanager
def _quantising(task: Task) -> Iterator[None]:
    """Contain torchvision's warnings and global switch while it quantises a model."""
    if task.module != "quantization":
        yield
        return
    from torch.backends import quantized  # noqa: PLC0415  # not every build of torch has an engine for it

    engine = quantized.engine
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # torch's quantisation is to be replaced; torchvision still uses it
            yield
    finally:
        quantized.engine = engine


def _weights(model_id: str) -> Any:
    """Return the newest weights of a model, a torchvision ``WeightsEnum`` member."""
    return _models().get_model_weights(model_id).DEFAULT


def _file(model_id: str) -> tuple[str, int]:
    known = known_files()
    return known[model_id] if known else _asked_file(model_id)


@cache
def _asked_file(model_id: str) -> tuple[str, int]:
    """Return the address and the size in bytes of the weights."""
    weights = _weights(model_id)
    return weights.url, round(weights.meta["_file_size"] * _MEGABYTE)


@cache
def _card(model_id: str) -> ModelCard:
    weights, task = _weights(model_id), _task(model_id)
    preprocessing = task.prepare(weights.transforms())
    return ModelCard(
        id=model_id,
        title=title(model_id),
        family=TorchvisionFamily.name,
        task=task.name,
        source=source(model_id),
        weights_origin=f"torchvision, {weights}, trained on {task.data}; recipe: {weights.meta['recipe']}",
        weights_licence=weights.meta.get("license", _LICENCE.format(data=task.data)),
        has_pretrained=True,
        input_size=preprocessing.crop,
        preprocessing=preprocessing,
        classes=tuple(weights.meta.get("categories", ())),
        parameters=weights.meta["num_params"],
        accuracy=task.accuracy(weights.meta["_metrics"]),
        download_bytes=_file(model_id)[1],
        notes=task.notes,
        options=task.always,
        untrained_options=_untrained_options(model_id, weights, task),
    )


def _untrained_options(model_id: str, weights: Any, task: Task) -> dict[str, Any]:
    """Return the options that shape an untrained model like the trained."""
    options = dict(task.untrained)
    if model_id in _SAY_INIT:
        options["init_weights"] = True
    if model_id.startswith("vit_"):
        options["image_size"] = weights.meta["min_size"][0]
    return options
