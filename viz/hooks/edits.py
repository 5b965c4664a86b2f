"""Ready-made edits for ``LayerActivations.edit``.

Each takes a value and returns a new one. They work on outputs and on gradients that are one tensor. Channels
are counted along axis 1, as in (N, C, H, W); for tokens (N, T, D) give ``axis=-1``. The new tensor lies in
memory as the old one did: what a dropout after it drops depends on that.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import torch

from ..errors import EditError
from .values.structure import leaves

EditFunction: TypeAlias = Callable[[Any], torch.Tensor]


def zero_channel(*channels: int, axis: int = 1) -> EditFunction:
    """Return an edit that sets these channels to zero.

    Raises:
        EditError: when applied, as with every edit here: the value is not a tensor with such channels.

    >>> with layers.edit("conv1", output=lg.zero_channel(0, 3)), layers.capture("conv1") as record:
    ...     scores = layers.run(images)
    >>> int(record["conv1"].output[:, [0, 3]].count_nonzero())
    0
    """

    def edit(value: Any) -> torch.Tensor:
        tensor, where = _channels(value, channels, axis)
        return tensor.clone().index_fill_(axis, where, 0)

    return edit


def scale(factor: float, channels: tuple[int, ...] | None = None, *, axis: int = 1) -> EditFunction:
    """Return an edit that multiplies channels (None: all) by ``factor``.

    >>> with layers.edit("conv1", output=lg.scale(2, channels=(0,))), layers.capture("conv1") as record:
    ...     scores = layers.run(images)
    >>> bool((record["conv1"].output[:, 0] == 2 * layers(images)["conv1"].output[:, 0]).all())
    True
    """

    def edit(value: Any) -> torch.Tensor:
        return _only(value, _tensor(value) * factor, channels, axis)

    return edit


def clamp(
    minimum: float | None = None,
    maximum: float | None = None,
    channels: tuple[int, ...] | None = None,
    *,
    axis: int = 1,
) -> EditFunction:
    """Return an edit that clamps the values of channels (None: all).

    Raises:
        EditError: neither end is given.

    >>> with layers.edit("conv1", output=lg.clamp(minimum=0)), layers.capture("conv1") as record:
    ...     scores = layers.run(images)
    >>> record["conv1"].output.min()
    tensor(0.)
    """
    if minimum is None and maximum is None:
        raise EditError("clamp needs a minimum, a maximum, or both.")

    def edit(value: Any) -> torch.Tensor:
        return _only(value, _tensor(value).clamp(minimum, maximum), channels, axis)

    return edit


def noise(
    deviation: float, seed: int = 0, channels: tuple[int, ...] | None = None, *, axis: int = 1
) -> EditFunction:
    """Return an edit that adds Gaussian noise to channels (None: all).

    The noise depends on the seed and the shape only: it is the same at every call and on every device.

    >>> with layers.edit("conv1", output=lg.noise(0.1, seed=1)):
    ...     scores = layers.run(images)
    >>> bool((scores == layers.run(images)).all())
    False
    """

    def edit(value: Any) -> torch.Tensor:
        tensor = _tensor(value)
        generator = torch.Generator().manual_seed(seed)
        drawn = torch.randn(tensor.shape, generator=generator) * deviation
        return _only(value, tensor + drawn.to(tensor), channels, axis)

    return edit


def freeze_to_mean(*channels: int, axis: int = 1) -> EditFunction:
    """Return an edit that replaces channels (none given: all) by their means.

    The mean is taken per batch row, over all axes but the first and ``axis``.

    >>> with layers.edit("conv1", output=lg.freeze_to_mean(2)), layers.capture("conv1") as record:
    ...     scores = layers.run(images)
    >>> record["conv1"].output[0, 2].unique().numel()
    1
    """

    def edit(value: Any) -> torch.Tensor:
        tensor = _tensor(value)
        if not (tensor.is_floating_point() or tensor.is_complex()):
            raise _other_type(tensor)
        others = [each for each in range(1, tensor.ndim) if each != axis % tensor.ndim]
        mean = tensor.mean(others, keepdim=True).expand_as(tensor) if others else tensor
        return _only(value, _laid_out_as(tensor, mean), channels or None, axis)

    return edit


def replace(source: torch.Tensor, channels: tuple[int, ...] | None = None, *, axis: int = 1) -> EditFunction:
    """Return an edit that takes channels (None: all) from ``source``, another capture.

    Args:
        source: the layer's output shape, or one that broadcasts to it.
        channels: which channels.
        axis: the channel axis.

    >>> source = layers(torch.zeros(1, 3, 32, 32))["conv1"].output
    >>> with layers.edit("conv1", output=lg.replace(source, channels=(0, 1))):
    ...     scores = layers.run(images)
    >>> scores.shape
    torch.Size([1, 10])
    """

    def edit(value: Any) -> torch.Tensor:
        tensor = _tensor(value)
        try:
            new = source.to(tensor).broadcast_to(tensor.shape)
        except RuntimeError as problem:
            raise EditError(
                "the replacement's shape {given} does not fit {shape}, which the layer returns.",
                given=tuple(source.shape),
                shape=tuple(tensor.shape),
            ) from problem
        return _only(value, _laid_out_as(tensor, new), channels, axis)

    return edit


def _laid_out_as(tensor: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
    """Return a copy in ``tensor``'s order in memory.

    The next layer may write into it.
    """
    return torch.empty_like(tensor).copy_(new)


def first_tensor(value: Any, side: str = "output") -> tuple[str, torch.Tensor]:
    """Return the tensor that an edit means by default, with its path.

    It is the one that the page draws.

    Args:
        value: what a layer returned or was given, of any structure.
        side: how the path begins: ``"output"`` or ``"inputs"``.

    Raises:
        EditError: there is no tensor in it.
    """
    for path, tensor in leaves(value, side).items():
        return path, tensor
    raise EditError("there is no tensor in this {type} to be edited.", type=type(value).__name__)


def _only(value: Any, new: torch.Tensor, channels: tuple[int, ...] | None, axis: int) -> torch.Tensor:
    """Return ``value`` with these channels, or all, taken from ``new``."""
    if channels is None:
        return new
    tensor, where = _channels(value, channels, axis)
    if new.dtype != tensor.dtype:
        raise _other_type(tensor)
    return tensor.clone().index_copy_(axis, where, new.index_select(axis, where))


def _other_type(tensor: torch.Tensor) -> EditError:
    return EditError(
        "this edit makes other values than {type}, which the layer returns: write a function that returns "
        "such values.",
        type=str(tensor.dtype).removeprefix("torch."),
    )


def _channels(value: Any, channels: tuple[int, ...], axis: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the tensor and the indices of the channels in it."""
    tensor = _tensor(value)
    if not -tensor.ndim <= axis < tensor.ndim:
        raise EditError(
            "a value of shape {shape} has no axis {axis} with channels.", shape=tuple(tensor.shape), axis=axis
        )
    count = tensor.shape[axis]
    beyond = [channel for channel in channels if not -count <= channel < count]
    if beyond:
        raise EditError(
            "there is no channel {channel}: the layer has {count}, from 0 to {last}.",
            channel=beyond[0],
            count=count,
            last=count - 1,
        )
    return tensor, torch.tensor(
        [channel % count for channel in channels], device=tensor.device, dtype=torch.long
    )


def _tensor(value: Any) -> torch.Tensor:
    if isinstance(value, torch.Tensor):
        return value
    raise EditError(
        "this edit changes a tensor, and the layer returns a {kind}: write a function that "
        "changes the part that is meant and returns the whole.",
        kind=type(value).__name__,
    )
