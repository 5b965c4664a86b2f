"""Preparation of pictures for an operator's own model, as its factory says."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import torch
from PIL import Image
from torch import Tensor, nn

from ...cards import Preparation
from ...preprocessing import IMAGENET_MEAN, IMAGENET_STD, Preprocessing
from ...shaped_preprocessing import ShapedPreprocessing
from .function import FunctionPreparation, as_picture

__all__ = ["PREPARING", "pair", "preparation"]

PREPARING = ("preprocessing", "resize", "channels", "mean", "std", "dtype")
_IMAGENET_SIZE, _IMAGENET_RESIZE = (224, 224), 256
_USUAL = "float32"
_AXES = 4  # of pictures, and of the weights of a convolution of them
_GREY = Image.new("RGB", (256, 256), (127, 127, 127))
_DTYPES = ("float16", "bfloat16", _USUAL, "float64")


def preparation(model: nn.Module, size: tuple[int, int], said: Mapping[str, Any]) -> Preparation:
    """Return the preparation of pictures for a model.

    It is the factory's own, or steps made of its numbers.

    Raises:
        TypeError: what it says is of another kind.
        ValueError: what it says cannot be met.
    """
    own = said.get("preprocessing")
    if own is not None:
        if not callable(own):
            raise TypeError(f"preprocessing must be a function of a picture, and is a {type(own).__name__}")
        if hasattr(own, "as_seen") and hasattr(own, "describe"):
            return cast("Preparation", own)
        dtype = _dtype(model, None)
        pictures = _takes_pictures(model, FunctionPreparation(own, dtype=dtype))
        return FunctionPreparation(own, dtype=dtype, of_pictures=pictures)
    mean, std = _scale(said)
    resize = said.get("resize", _IMAGENET_RESIZE if size == _IMAGENET_SIZE else max(size))
    dtype = _dtype(model, said.get("dtype"))
    if isinstance(resize, int) and len(mean) == len(IMAGENET_MEAN) and dtype == _USUAL:
        return Preprocessing(resize, size, mean=mean, std=std)
    whole = None if isinstance(resize, int) else pair(resize)
    return ShapedPreprocessing(max(whole or (resize,)), size, mean=mean, std=std, whole=whole, dtype=dtype)


def _takes_pictures(model: nn.Module, plain: FunctionPreparation) -> bool:
    """Return whether a function's plane is a picture for a model.

    The first matrix of weights is a convolution's then, and the model does not make a picture of the plane
    itself, as of a spectrogram or a sound: that is tried on a grey picture.
    """
    weights = (each.dim() for name, each in model.named_parameters() if "weight" in name)
    # A token or a position that is learned is no weight, and may stand before it.
    if next((axes for axes in weights if axes > 1), 0) != _AXES:
        return False
    try:
        made = plain(_GREY)
    except Exception:  # noqa: BLE001  # their function may raise anything, and does so again where it is used
        return True
    if not isinstance(made, Tensor) or (plane := as_picture(made)) is made:
        return True
    # A net of nothing but convolutions takes a plane without these axes too, as a picture without a batch.
    return _takes(model, plane) or not _takes(model, made)


def _takes(model: nn.Module, given: Tensor) -> bool:
    """Return whether a model runs with an input, in evaluation mode."""
    modes = {layer: layer.training for layer in model.modules()}
    try:
        for layer in modes:
            layer.training = False
        with torch.no_grad():
            model(given.to(next(model.parameters()).device))
    except Exception:  # noqa: BLE001  # their model may raise anything
        return False
    finally:
        for layer, training in modes.items():
            layer.training = training
    return True


def pair(size: Any) -> tuple[int, int]:
    """Return (height, width) of one number for both, or of two."""
    height, width = (size, size) if isinstance(size, int) else size
    return int(height), int(width)


def _scale(said: Mapping[str, Any]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the mean and the deviation of each channel.

    A grey picture's default to the means of ImageNet's.
    """
    told = {name: _numbers(said[name]) for name in ("mean", "std") if name in said}
    one = len(told) == 2 and all(len(each) == 1 for each in told.values())  # noqa: PLR2004  # mean and deviation
    channels = said.get("channels", 1 if one else len(IMAGENET_MEAN))
    if channels not in (1, len(IMAGENET_MEAN)):
        raise ValueError(f"channels must be 1, for grey, or 3, for red, green and blue, and is {channels!r}")
    for name, usual in (("mean", IMAGENET_MEAN), ("std", IMAGENET_STD)):
        told.setdefault(name, usual if channels > 1 else (sum(usual) / len(usual),))
        if len(told[name]) != channels:
            wanted = "one number" if channels == 1 else "three numbers, one for each of red, green and blue"
            raise ValueError(f"{name} must be {wanted}")
    return told["mean"], told["std"]


def _numbers(said: Any) -> tuple[float, ...]:
    return tuple(map(float, said if isinstance(said, Sequence | torch.Tensor) else (said,)))


def _dtype(model: nn.Module, said: Any) -> str:
    """Return the type of the input's numbers.

    It is the one that is said, or that of all the weights.
    """
    found = {weight.dtype for weight in model.parameters() if weight.is_floating_point()}
    name = str(said if said is not None else found.pop() if len(found) == 1 else _USUAL)
    name = name.removeprefix("torch.")
    if name in _DTYPES:
        return name
    if said is None:
        return _USUAL
    raise ValueError(f"dtype must be one of {', '.join(_DTYPES)}, and is {name!r}")
