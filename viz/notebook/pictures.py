"""Pictures as notebooks have them: files, arrays, tensors and model arguments."""

import os
from collections.abc import Mapping
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps
from torch import nn

from ..errors import ImageError, RequestError
from ..pictures.flat import flat_picture
from ..pictures.images import read_image

_COLOURS, _AXES = 3, 3


def picture_or_arguments(image: Any, model: nn.Module | None = None) -> Image.Image | tuple[Any, ...]:
    """Return a picture to prepare, or the model's arguments.

    Args:
        model: the one that gets them; only needed for keyword arguments.
        image: a Pillow picture, a file's path, its bytes, an array (height, width) or (height, width, 3) of
            uint8, a tensor as the model is called with, a tuple of all its positional arguments, or a dict
            of its keyword arguments.

    Raises:
        ImageError: it is none of these, or no picture that can be read.
        RequestError: the model does not take these keyword arguments.
    """
    if isinstance(image, Image.Image):
        return flat_picture(ImageOps.exif_transpose(image), bits=16 if image.mode.startswith("I") else 8)
    if isinstance(image, bytes):
        return read_image(image)
    if isinstance(image, str | os.PathLike):
        return read_image(_contents(Path(image)))
    if isinstance(image, np.ndarray):
        return _of_array(image)
    if isinstance(image, Mapping) and model is not None:
        return in_order(model, image)
    if isinstance(image, tuple | torch.Tensor):
        return image if isinstance(image, tuple) else (image,)
    raise ImageError(
        "an image is a picture, a path, bytes, an array of uint8, a tensor that the model takes, or "
        "a tuple or dict of its arguments; this one is of type {kind}",
        kind=type(image).__name__,
    )


def in_order(model: nn.Module, keywords: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return keyword arguments as positional ones, with the defaults between them.

    Raises:
        RequestError: the model does not take these, or takes one by keyword only.
    """
    known = signature(model.forward)
    try:
        bound = known.bind(**keywords)
    except TypeError as problem:
        raise RequestError("the model does not take these arguments: {problem}", problem=problem) from problem
    bound.apply_defaults()
    by_place = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    places = [name for name, each in known.parameters.items() if each.kind in by_place]
    if apart := [name for name in keywords if name not in places]:
        raise RequestError(
            "the model takes {name} by keyword only: give look() a module whose forward passes it on",
            name=apart[0],
        )
    last = max((places.index(name) for name in keywords), default=-1)
    return bound.args[: last + 1]


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ImageError("{file}: {problem}", file=path, problem=error.strerror) from error


def _of_array(array: NDArray[Any]) -> Image.Image:
    plain = array.ndim == _AXES - 1 or (array.ndim == _AXES and array.shape[2] == _COLOURS)
    if array.dtype != np.uint8 or not plain or not array.size:
        raise ImageError(
            "an array is a picture if it is (height, width) or (height, width, 3) of uint8; this one is "
            "{shape} of {type}",
            shape=array.shape,
            type=array.dtype,
        )
    return Image.fromarray(array).convert("RGB")
