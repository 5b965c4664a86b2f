"""Follows every tensor operation of one run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from ..errors import RequestError
from ..hooks.values.structure import leaves
from .boxes import Boxes, no_boxes, picture_boxes
from .lineage import Lineage
from .masks import mask_after
from .mixture_rules import POOLING, mixture_rule
from .move_rules import chosen, move_rule, moved
from .operations import Operation, Rule, after, named, operation
from .window_rules import window_rule

# Outputs of these are known by their memory.
_SEEN_THROUGH_MEMORY = frozenset({"as_strided", "view_as_real", "view_as_complex", "set", "resize"})
_READ_OUT = "_local_scalar_dense"  # what ``tensor.item()`` runs
_AXES_OF_A_VIDEO, _COLOURS = 5, 3


class Tracing(TorchDispatchMode):
    """Mode that keeps the boxes of values through every operation.

    It follows this thread; values that do not depend on the picture have no boxes.
    """

    tells_frames = False
    most_told_apart: int | None = None  # see ``Lineage``

    def __init__(self, images: Any) -> None:
        super().__init__()
        self.arguments: tuple[Any, ...] = images if isinstance(images, tuple) else (images,)
        given = list(leaves(self.arguments).values())
        # An input with another number of axes than the first, such as a step of diffusion, is no picture.
        pictures = [each for each in given if each.ndim == given[0].ndim]
        if not pictures or pictures[0].ndim == 0:
            raise RequestError("a receptive field needs a picture: give the tensor that the model takes.")
        # A bare tensor has a batch axis, (N, C, L) or (N, C, H, W); a list holds pictures (C, H, W).
        flat = pictures[0].ndim < (4 if isinstance(self.arguments[0], Tensor) else 3)
        self.size = (1 if flat else pictures[0].shape[-2], pictures[0].shape[-1])
        frames = _frames(pictures[0].shape) if self.tells_frames else None
        self.planes = 4 if frames is None else 6
        self.lineage = Lineage(self.planes, self.most_told_apart)
        self.masks = Lineage(1, self.most_told_apart)
        self._read_out: dict[int, Tensor] = {}
        for picture in pictures:
            self.lineage.put(picture, picture_boxes(picture.shape, flat=flat, frames=frames))

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Run the operation, and note where its results come from."""
        del types
        running = operation(func, args, kwargs or {}, self.lineage.get, self.planes, self._masked)
        running = self._with_numbers(running)
        read = running.read()
        out = func(*args, **(kwargs or {}))
        if running.name == _READ_OUT and type(out) is int:
            self._read_out[out] = args[0]
        if read and running.name not in _SEEN_THROUGH_MEMORY and torch.Tag.inplace_view not in func.tags:
            self._follow(replace(running, out=out), read)
        return out

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Return False, so that PyTorch does not import its compiler.

        The compiler has 900 modules, and this mode only ever runs eagerly.
        """
        return False

    def rule(self, ran: Operation) -> tuple[Rule | None, str]:
        """Return the rule for an operation, and the cause that it names.

        The cause counts if the operation makes boxes cover the picture.
        """
        return box_rule(ran)

    def kept(self, boxes: Boxes, read: Sequence[Boxes], cause: str) -> Boxes:
        """Return a result's boxes to keep, given those that were read."""
        return named(boxes, read, cause, self.size)

    def _follow(self, ran: Operation, read: Sequence[Boxes]) -> None:
        rule, cause = self.rule(ran)
        keep = self.lineage.write if ran.function._schema.is_mutable else self.lineage.put  # noqa: SLF001  (says what it writes)
        for tensor, boxes in zip(ran.outs, after(rule, ran), strict=False):
            keep(tensor, self.kept(boxes, read, cause))
        self._mask(ran)

    def _with_numbers(self, running: Operation) -> Operation:
        """Put tensors back for numbers that were just read from them.

        ``x[k]`` reads its number from a tensor k and selects by that. A number that is kept for later, or
        that decides what the model runs, is not followed.
        """
        numbers = self._read_out if running.name in {"select", "slice"} else {}
        if running.name != _READ_OUT:
            self._read_out = {}
        if not numbers:
            return running
        places = {name: running.get(name) for name in ("index", "start", "end")}
        found = {name: numbers[place] for name, place in places.items() if place in numbers}
        return replace(running, arguments={**running.arguments, **found})

    def _masked(self, tensor: Tensor) -> Tensor | None:
        """Return the mask of a tensor, if it has one."""
        found = self.masks.get(tensor)
        return found.planes[0] if found else None

    def _mask(self, ran: Operation) -> None:
        """Keep the result's mask; a tensor written in place loses its own."""
        mask, outs = mask_after(ran), ran.outs
        if ran.function._schema.is_mutable:  # noqa: SLF001  (see above)
            for tensor in outs:
                if self.masks.get(tensor):
                    self.masks.write(tensor, no_boxes(tensor.shape, 1))
        if mask is not None:
            self.masks.put(outs[0], Boxes((mask,)))


def _frames(shape: Sequence[int]) -> int | None:
    """Return the axis of a video's frames; None for a picture.

    A video is (N, C, T, H, W) or (N, T, C, H, W).
    """
    if len(shape) != _AXES_OF_A_VIDEO:
        return None
    return 1 if shape[2] == _COLOURS != shape[1] else 2


def box_rule(ran: Operation) -> tuple[Rule | None, str]:
    """See ``Tracing.rule``."""
    move = move_rule(ran.function, ran.name)
    if move is not None:
        return move, ran.name if move in {chosen, moved} and ran.others() else ""
    window = window_rule(ran.name)
    if window is not None:
        return window, POOLING if "pool" in ran.name else ran.name if ran.others() else ""
    rule, cause = mixture_rule(ran.name, reduction=torch.Tag.reduction in ran.function.tags)
    return rule, cause if rule is not None else ran.name
