"""The family of torchvision's classification models.

torchvision takes two seconds to import, so it is imported when the family is first asked for something.
"""

import importlib
from functools import cache
from types import ModuleType
from typing import Any

from torch import nn

from models.cards import ModelCard, Progress
from models.downloads import checkpoint_path, fetch
from models.errors import WeightsDamagedError
from models.preprocessing import Preprocessing
from models.torchvision_papers import source, title
from models.weights_file import read_state_dict

__all__ = ["TorchvisionFamily"]

_LICENCE = (
    "torchvision states none of its own for its weights (its code is BSD-3-Clause); "
    "the terms of the training pictures, ImageNet, may apply"
)
# Their constructors warn that the default will change unless it is said; saying it gives what it is today.
_SAY_INIT = ("googlenet", "inception_v3")
_MEGABYTE = 1 << 20  # what torchvision's "_file_size" counts in


class TorchvisionFamily:
    """Every classification model of torchvision, with its newest weights."""

    name = "torchvision"

    def names(self) -> tuple[str, ...]:
        """Return torchvision's own names, in alphabetical order."""
        return _names()

    def describe(self, model_id: str) -> ModelCard:
        """Return the card, from what torchvision says about its weights."""
        return _card(model_id)

    def untrained(self, model_id: str) -> nn.Module:
        """Return what ``torchvision.models.get_model(model_id, weights=None)`` returns."""
        options = {"init_weights": True} if model_id in _SAY_INIT else {}
        return _models().get_model(model_id, weights=None, **options)  # type: ignore[no-any-return]

    def trained(self, model_id: str) -> nn.Module:
        """Return what ``torchvision.models.get_model(model_id, weights="DEFAULT")`` returns.

        Raises:
            WeightsDamagedError: the file of weights is cut short, or holds something else than weights.
        """
        weights = _weights(model_id)
        path = checkpoint_path(weights.url)
        read_state_dict(path)  # torchvision would run code hidden in the file: it must come out clean first
        try:
            return _models().get_model(model_id, weights=weights)  # type: ignore[no-any-return]
        except RuntimeError as error:
            raise WeightsDamagedError(
                f"{path} is not of {model_id}; delete it, and it will be fetched anew"
            ) from error

    def fetch(self, model_id: str, progress: Progress | None) -> None:
        """Download the weights into torch.hub's folder, unless they are there."""
        fetch(_weights(model_id).url, progress)

    def is_ready(self, model_id: str) -> bool:
        """Return whether torch.hub's folder has the weights."""
        return checkpoint_path(_weights(model_id).url).exists()


def _models() -> ModuleType:
    return importlib.import_module("torchvision.models")


@cache
def _names() -> tuple[str, ...]:
    return tuple(_models().list_models(module=_models()))


def _weights(model_id: str) -> Any:
    """Return the newest weights of a model, a torchvision ``WeightsEnum`` member."""
    return _models().get_model_weights(model_id).DEFAULT


@cache
def _card(model_id: str) -> ModelCard:
    weights = _weights(model_id)
    preprocessing = _preprocessing(weights.transforms())
    return ModelCard(
        id=model_id,
        title=title(model_id),
        family=TorchvisionFamily.name,
        task="classification",
        source=source(model_id),
        weights_origin=f"torchvision, {weights}, trained on ImageNet-1K; recipe: {weights.meta['recipe']}",
        weights_licence=weights.meta.get("license", _LICENCE),
        has_pretrained=True,
        input_size=preprocessing.crop,
        preprocessing=preprocessing,
        classes=tuple(weights.meta["categories"]),
        parameters=weights.meta["num_params"],
        accuracy=_accuracy(weights.meta["_metrics"]["ImageNet-1K"]),
        download_bytes=round(weights.meta["_file_size"] * _MEGABYTE),
    )


def _preprocessing(transforms: Any) -> Preprocessing:
    [resize], [crop] = transforms.resize_size, transforms.crop_size
    return Preprocessing(
        resize=resize,
        crop=(crop, crop),
        interpolation=transforms.interpolation.value,
        mean=tuple(transforms.mean),
        std=tuple(transforms.std),
    )


def _accuracy(metrics: dict[str, float]) -> str:
    first, five = metrics["acc@1"], metrics["acc@5"]
    return f"{first:.1f} % of ImageNet's validation pictures, {five:.1f} % within the first five guesses"
