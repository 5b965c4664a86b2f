"""Models of the catalogue that fit the weights of a file.

>>> from models.own.opening.fitting import fits_of
>>> fits_of(outlines(table))[0].report.model
'resnet18'
"""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor, nn

from ...catalogue import describe, names
from ...errors import ModelError
from ..own_weights import compare, load_named, untrained_model
from ..weights_report import MisshapenWeight, WeightsReport
from .sketches import candidates

__all__ = ["ModelFit", "fits_of", "fitted_model"]

_LEAST_SHARE = 0.02  # of names that fit by chance, such as "fc.bias"
_OPENS = 0.5
_TIMES = " × "


@dataclass(frozen=True)
class ModelFit:
    """Fit of a file's weights to one model.

    Attributes:
        report: what fits, and what does not.
        classes: how many classes the last layer in the file tells apart; None if it is not known.
    """

    report: WeightsReport
    classes: int | None

    @property
    def share(self) -> float:
        """The share of tensors that fit the model.

        It is counted among all that the model or that place of the file has.
        """
        report = self.report
        others = len(report.missing) + len(report.unexpected) + len(report.misshapen)
        return len(report.fitting) / (len(report.fitting) + others)

    @property
    def opens(self) -> bool:
        """True if the model can be opened with these weights: most fit."""
        return self.share >= _OPENS

    @property
    def heads(self) -> tuple[str, ...]:
        """The names that differ only in rows, one for each class.

        There are none if others differ as well.
        """
        names = tuple(each.name for each in self.report.misshapen if self._has_rows(each))
        layers = {_owner(name) for name in names}
        others = {*self.report.fitting, *self.report.missing, *(each.name for each in self.report.misshapen)}
        alone = all(_owner(name) not in layers for name in others.difference(names))
        return names if alone and len(names) == len(self.report.misshapen) else ()

    @property
    def untrained(self) -> tuple[str, ...]:
        """The names of the weights that stay untrained in ``fitted_model``."""
        heads = self.heads
        return (
            *self.report.missing,
            *(each.name for each in self.report.misshapen if each.name not in heads),
        )

    def _has_rows(self, each: MisshapenWeight) -> bool:
        found, wanted = each.found.partition(_TIMES), each.wanted.partition(_TIMES)
        return found[2] == wanted[2] and found[0] == str(self.classes)


def fits_of(state: Mapping[str, Tensor]) -> tuple[ModelFit, ...]:
    """Return the fits of weights to the catalogue's models, best first.

    Of equals the catalogue's first comes first.

    Args:
        state: tensors by name, of which only shapes matter: see ``models.own.outlines``.
    """
    shapes = {name: tuple(value.shape) for name, value in state.items()}
    found = [fit for model in candidates(shapes, names()) if (fit := _fit(model, state))]
    return tuple(sorted(found, key=lambda fit: -fit.share))


def fitted_model(fit: ModelFit, state: Mapping[str, Tensor]) -> nn.Module:
    """Return a new model with the weights that fit.

    It has as many classes as they have. The rest is untrained, made after ``torch.manual_seed(0)``.
    """
    model, report = untrained_model(fit.report.model), fit.report
    held = dict(zip(report.fitting, map(state.__getitem__, report.names), strict=True))
    for name in fit.heads:
        held[name] = state[report.in_file(name)]
        _resize(model, name, held[name])
    load_named(model, held)
    return model


def _fit(model_id: str, state: Mapping[str, Tensor]) -> ModelFit | None:
    try:
        report = compare(model_id, state)
    except ModelError:  # an operator's model that cannot be made, or a library of another release
        return None
    fit = ModelFit(report, report.classes or _classes(report, state))
    return fit if report.fitting and fit.share >= _LEAST_SHARE else None


def _classes(report: WeightsReport, state: Mapping[str, Tensor]) -> int | None:
    """Return the model's number of classes, if the file has as many."""
    count = len(describe(report.model).classes)
    return count if any(state[name].shape[:1] == (count,) for name in report.names) else None


def _owner(name: str) -> str:
    return name.rpartition(".")[0]


def _resize(model: nn.Module, name: str, value: Tensor) -> None:
    """Give a layer as many rows as a tensor has.

    The rows are empty: ``load_state_dict`` fills them.
    """
    owner, _, leaf = name.rpartition(".")
    layer = model.get_submodule(owner)
    numbers: Tensor = getattr(layer, leaf)
    setattr(layer, leaf, nn.Parameter(numbers.new_empty(value.shape), requires_grad=False))
    for size in ("out_features", "out_channels"):
        if hasattr(layer, size):
            setattr(layer, size, len(value))
