"""A visitor's own weights in a model of the catalogue.

>>> from models.own.own_weights import compare, load_with, read_state
>>> state = read_state(Path("mine.safetensors").read_bytes())
>>> compare("resnet18", state).missing
('fc.weight', 'fc.bias')
>>> net = load_with("resnet18", state, partial=True)  # the rest stays untrained
"""

from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor, nn

from ..catalogue import describe, load
from ..errors import ModelError, OwnWeightsError, WeightsUnavailableError
from ..skeleton import without_numbers
from .own_model_name import own_model_name
from .place import fitting_places, names_at
from .uploaded_state import read_state
from .weights_report import MisshapenWeight, WeightsReport

__all__ = ["compare", "load_named", "load_with", "read_state", "shapes_of", "untrained_model"]

_MORE_STRANGE = 100  # strange names allowed beyond the model's own count: an optimizer's, an average's


def compare(model_id: str, state: Mapping[str, Tensor]) -> WeightsReport:
    """Return the fit of a file's weights to a model.

    No numbers are copied. The model's weights may be anywhere in the file: see ``place``.

    Raises:
        UnknownModelError: no model has that id.
    """
    skeleton = _skeleton(model_id)
    wanted = skeleton.state_dict()
    place, *again = fitting_places(_forms(state), _forms(wanted))
    names = names_at(place, state, wanted)
    held = {name: state[full] for name, full in names.items()}
    misshapen = tuple(
        MisshapenWeight(name, _form(value), _form(wanted[name]))
        for name, value in held.items()
        if name in wanted and _form(value) != _form(wanted[name])
    )
    strange = {each.name for each in misshapen}
    rest = {name: value for name, value in held.items() if name not in strange}
    missing, unexpected = _differences(skeleton, rest)
    left_over = set(unexpected)
    return WeightsReport(
        model_id,
        fitting=tuple(name for name in rest if name not in left_over),
        missing=tuple(name for name in missing if name not in strange),
        unexpected=unexpected,
        misshapen=misshapen,
        place=place,
        wrapped={name: full for name, full in names.items() if full != place + name},
        again=tuple(again),
        elsewhere=len(state) - len(held),
        classes=_other_classes(held, wanted, len(describe(model_id).classes)),
    )


def load_with(model_id: str, state: Mapping[str, Tensor], *, partial: bool = False) -> nn.Module:
    """Return a new model with a file's weights.

    It is in evaluation mode, on the processor.

    Args:
        model_id: a name of the catalogue.
        state: numbers by name, as ``read_state`` returns them; others may be among them.
        partial: take what fits; the rest is untrained, made after ``torch.manual_seed(0)``.

    Raises:
        OwnWeightsError: not everything fits (with ``partial``: nothing does).
        UnknownModelError: no model has that id.
    """
    report = compare(model_id, state)
    if not report.fitting or not (report.fits or partial):
        raise OwnWeightsError(str(report))
    model = untrained_model(model_id)
    fitting = dict(zip(report.fitting, map(state.__getitem__, report.names), strict=True))
    load_named(model, fitting)
    return model


def load_named(model: nn.Module, state: Mapping[str, Tensor], *, assign: bool = False) -> Any:
    """Load weights by name; return missing and unexpected names.

    The names come as PyTorch returns them. A file's layers are of no stated version, as in old files; a model
    that insists on one is told its own.
    """
    try:
        return model.load_state_dict(state, strict=False, assign=assign)
    except ValueError:
        stated = OrderedDict(state)
        stated._metadata = model.state_dict()._metadata  # type: ignore[attr-defined]  # noqa: SLF001
        return model.load_state_dict(stated, strict=False, assign=assign)


def shapes_of(model_id: str) -> dict[str, tuple[int, ...]]:
    """Return the shape of each of a model's weights, by its name.

    Raises:
        UnknownModelError: no model has that id.
    """
    held = _skeleton(model_id).state_dict()
    return {name: tuple(value.shape) for name, value in held.items() if isinstance(value, Tensor)}


def untrained_model(model_id: str, device: str = "cpu") -> nn.Module:
    """Return a model with untrained weights.

    An operator's own model may have none, and is returned as it is.
    """
    try:
        return load(model_id, "random", device)
    except WeightsUnavailableError:
        return load(model_id, "pretrained", device)


def _skeleton(model_id: str) -> nn.Module:
    """Return the model with shapes only, made without numbers if possible."""
    computing = (RuntimeError, TypeError, ValueError, ModelError)  # constructors that compute with numbers
    if model_id != own_model_name():  # an operator's factory may keep what it makes, and give it out again
        with suppress(*computing), without_numbers():
            return untrained_model(model_id, "meta")
    return untrained_model(model_id, "meta")


def _differences(skeleton: nn.Module, rest: Mapping[str, Tensor]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that are missing and those that are unexpected.

    The model is asked to load them, because some models know what their layers were called in older versions.
    If there are far more strange names than names of its own, it is not asked: the file is not an older
    version of it, and PyTorch goes through all names for every layer.
    """
    wanted = skeleton.state_dict()
    missing, unexpected = wanted.keys() - rest.keys(), rest.keys() - wanted.keys()
    few = len(unexpected) <= len(wanted) + _MORE_STRANGE
    asked = {name: _outline(value) for name, value in rest.items() if few or name in wanted}
    try:
        found = load_named(skeleton, asked, assign=True)
    except (RuntimeError, LookupError):  # an old name with another shape, a quantised layer without its bias
        return _in_order(wanted, missing), _in_order(rest, unexpected)
    return tuple(found.missing_keys), _in_order(rest, {*found.unexpected_keys, *(rest.keys() - asked.keys())})


def _other_classes(held: Mapping[str, Tensor], wanted: Mapping[str, Tensor], classes: int) -> int | None:
    """Return the file's number of classes, if only that differs."""
    found = {
        held[name].shape[0]
        for name, value in wanted.items()
        if isinstance(value, Tensor)
        and value.shape[:1] == (classes,)
        and name in held
        and held[name].shape != value.shape
        and held[name].shape[1:] == value.shape[1:]
        and held[name].dim()
    }
    return found.pop() if len(found) == 1 else None


def _in_order(names: Mapping[str, object], chosen: set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in chosen)


def _forms(state: Mapping[str, object]) -> dict[str, str]:
    return {name: _form(value) for name, value in state.items()}


def _outline(value: Tensor) -> Tensor:
    return torch.empty(value.shape, dtype=value.dtype, device="meta")


def _form(value: object) -> str:
    """Return a tensor's shape in words, marked if it is complex."""
    if not isinstance(value, Tensor):
        return "no tensor"
    shape = " × ".join(map(str, value.shape)) or "one number"
    return f"complex {shape}" if value.is_complex() else shape
