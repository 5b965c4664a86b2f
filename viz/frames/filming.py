"""Filming: frames along a training loop that stays as it is.

Steps are counted where an optimiser of torch updates the model's weights. A pass in training mode is not
always a step: gradients may be added up over several, and one pass may be for something else; the gradients
of an update are there only then. A loop without such an optimiser calls ``film.step()``.
"""

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from torch import nn

from ..errors import RequestError
from ..hooks.selectors import Selector
from .camera import Camera, Frame
from .film import Film, empty_folder, frame_file, write
from .measuring import Update

BUDGET = 256 << 20
_FRAMES = 4  # that must have room at least


class Filming(Film):
    """A film under way.

    Args:
        camera: what takes the frames.
        every: steps from frame to frame. When the frames outgrow ``budget``, each second one is dropped, and
            from then on half as many are taken.
        budget: bytes that the frames may take, in memory and in ``out``.
        out: a folder for the frames.

    Raises:
        RequestError: ``every`` is not positive, the folder has a film, or the budget has no room.
    """

    def __init__(self, camera: Camera, every: int, budget: int, out: str | Path | None) -> None:
        super().__init__([])
        if every < 1:
            raise RequestError("every must be 1 or more, and is {every}.", every=every)
        self.every = every
        self._camera, self._budget, self._out = camera, budget, None if out is None else Path(out)
        self._count, self._counted = 0, False
        self._update: Update | None = None
        first = camera.frame(0)
        if _FRAMES * _size(first) > budget:
            raise RequestError(
                "a frame takes {size} bytes, and the film may take {budget}: choose fewer layers, channels "
                "or inputs, or a larger budget.",
                size=f"{_size(first):,}",
                budget=f"{budget:,}",
            )
        if self._out is not None:
            empty_folder(self._out)
        self._add(first)

    def step(self) -> None:
        """Count a step that no optimiser of torch has taken.

        It counts nothing if one has taken a step since the last call.
        """
        if not self._counted:
            self._step(Update(self._camera.weights(), copy=False) if self._is_due(self._count + 1) else None)
        self._counted = False

    def take(self) -> None:
        """Take a frame now, besides the regular ones."""
        self._add(self._camera.frame(self._count))

    def watching(self) -> contextlib.AbstractContextManager[None]:
        """Return a block in which updates of the model's weights are counted."""
        return self._camera.layers.updates(self._begin, self._end)

    def _begin(self) -> None:
        """Keep weights and gradients before an update that is to be filmed."""
        self._update = Update(self._camera.weights()) if self._is_due(self._count + 1) else None

    def _end(self) -> None:
        self._counted = True
        update, self._update = self._update, None
        self._step(update)

    def _step(self, update: Update | None) -> None:
        self._count += 1
        if self._is_due(self._count):
            self._add(self._camera.frame(self._count, update))

    def _is_due(self, step: int) -> bool:
        return step % self.every == 0

    def _add(self, frame: Frame) -> None:
        if self._frames and self._frames[-1]["steps"][0] == frame["steps"][0]:
            self._frames.pop()
        self._frames.append(frame)
        self._write(frame)
        while len(self._frames) > 1 and sum(map(_size, self._frames)) > self._budget:
            self._thin_out()

    def _write(self, frame: Frame) -> None:
        """Write a frame to the folder; a full disk ends the files."""
        try:
            if self._out is not None:
                write(frame_file(self._out, frame), frame)
        except OSError as problem:
            warnings.warn(f"the film goes on in memory alone: {problem}", stacklevel=2)
            self._out = None

    def _thin_out(self) -> None:
        dropped = self._frames[1::2]
        self._frames = self._frames[::2]
        self.every *= 2
        for frame in dropped:
            if self._out is not None:
                frame_file(self._out, frame).unlink(missing_ok=True)


@contextlib.contextmanager
def film(
    model: nn.Module,
    batch: Any,
    *,
    every: int = 100,
    layers: Selector | Sequence[Selector] = (),
    inputs: int = 1,
    channels: int | Sequence[int] = 16,
    budget: int = BUDGET,
    out: str | Path | None = None,
) -> Iterator[Filming]:
    """Film layers on a fixed batch along the training in the block.

    A frame is taken at once, and after each ``every``-th update by an optimiser of torch. It is of eval mode,
    and leaves mode, weights, gradients, buffers, hooks and random states as they were.

    Args:
        model: the model in training, on its own device.
        batch: its input; a tuple of positional inputs, or a dict of keyword inputs. It is copied.
        every: steps from frame to frame; it doubles whenever the frames outgrow the budget.
        layers: selectors as of ``LayerActivations``; by default all layers with weights of their own.
        inputs: of how many inputs of the batch values are kept; statistics are of all.
        channels: how many channels of each layer are kept, or which.
        budget: bytes of all frames together.
        out: a folder to which each frame is written as it is taken.

    Raises:
        CallError: a layer that was named does not run.
        RequestError: ``every``, ``budget`` or ``out`` is not possible.
        UnknownLayerError: a selector matches no layer.
        UnsupportedModelError: the model cannot be hooked.

    >>> with lg.film(model, images, layers=("conv1", torch.nn.ReLU)) as frames:
    ...     pass  # train(model)
    >>> frames["conv1"].shape  # (frames, inputs, channels, height, width)
    (1, 1, 6, 28, 28)
    """
    found = Filming(Camera(model, batch, _several(layers), inputs, channels), every, budget, out)
    with found.watching():
        yield found


def _several(layers: Selector | Sequence[Selector]) -> tuple[Any, ...]:
    return tuple(layers) if isinstance(layers, list | tuple) else (layers,)


def _size(frame: Frame) -> int:
    return sum(each.nbytes for each in frame.values())
