"""New first weights for a model, by its layers' own methods."""

import torch
from torch import Tensor, nn

from ...errors import WeightsUnavailableError

__all__ = ["start_over"]


def start_over(model: nn.Module, model_id: str) -> None:
    """Initialise all weights again.

    They become NaN first, so that one that stays as it was is found: that of a layer without such a method,
    or one that a norm or a parametrisation keeps, while the method writes into what is computed from it.

    Raises:
        WeightsUnavailableError: a weight has not been initialised.
    """
    with torch.inference_mode(mode=any(weight.is_inference() for weight in model.parameters())):
        for weight in filter(_has_nan, model.parameters()):
            weight.detach().fill_(float("nan"))
        for layer in model.modules():
            begin = getattr(layer, "reset_parameters", None) or getattr(layer, "_reset_parameters", None)
            if begin is not None:
                begin()
    for name, layer in model.named_modules():
        if any(not _has_nan(weight) or weight.isnan().any() for weight in layer.parameters(recurse=False)):
            raise WeightsUnavailableError(
                "{model} has no untrained weights: its {what} cannot start over",
                model=model_id,
                what=name or type(layer).__name__,
            )


def _has_nan(weight: Tensor) -> bool:
    return weight.is_floating_point() or weight.is_complex()
