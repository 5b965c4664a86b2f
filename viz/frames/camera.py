"""Camera: one pass on the fixed batch, as a frame of arrays.

The pass leaves nothing behind.
"""

import contextlib
import random
from collections.abc import Iterator, Mapping, Sequence
from contextvars import Context
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ..errors import CallError, RequestError
from ..hooks.activations import wrap
from ..hooks.records import leaves
from ..hooks.selectors import Selector, layers_of
from ..hooks.values.copies import kept
from .measuring import STATISTICS, Output, Update, measured

Frame: TypeAlias = dict[str, NDArray[Any]]
"""A film of one step: see ``frames.film`` for its arrays."""


class Camera:
    """Takes frames of a model's layers on one batch.

    Args:
        model: the model in training; it stays on its device.
        batch: its input; a tuple of positional inputs, or a dict of keyword inputs.
        selectors: the layers, by default all with weights of their own.
        inputs: of how many inputs of the batch values are kept.
        channels: how many channels of each layer are kept, or which.

    Raises:
        UnknownLayerError: a selector matches no layer.
        UnsupportedModelError: the model cannot be hooked.
    """

    def __init__(
        self,
        model: nn.Module,
        batch: Any,
        selectors: Sequence[Selector],
        inputs: int,
        channels: int | Sequence[int],
    ) -> None:
        self.layers = wrap(model, repeatable=True)
        self._batch = kept(batch)
        self._inputs, self._channels = inputs, channels
        self._must = bool(selectors)
        self.names = self.layers.select(*selectors) if selectors else self._with_weights()
        self._missing: dict[str, Output] = {}

    def weights(self) -> dict[str, list[nn.Parameter]]:
        """Return the parameters of each filmed layer; an operation has none."""
        layers = layers_of(self.layers.model) | {"": self.layers.model}
        return {name: list(layers[name].parameters()) for name in self.names if name in layers}

    def frame(self, step: int, update: Update | None = None) -> Frame:
        """Take a frame of the model as it is, in eval mode.

        Mode, buffers, gradients, hooks and random states are as before; blocks that are open see nothing.

        Raises:
            CallError: a layer that was asked for did not run.
        """
        found, output = Context().run(self._run)
        if not self._missing:
            self._begin(found)
        return self._arrays(step, found, output, update or Update({}))

    def _with_weights(self) -> tuple[str, ...]:
        return tuple(
            name
            for name in self.layers.select()
            if next(self.layers.module(name).parameters(recurse=False), None) is not None
        )

    def _run(self) -> tuple[dict[str, Output], Any]:
        found: dict[str, Output] = {}
        with _undisturbed(self.layers.device), self.layers.watch(partial(self._see, found), *self.names):
            batch = kept(self._batch)  # the model may write into its input
            if isinstance(batch, dict):
                return found, self.layers.run(**batch)
            return found, self.layers.run(*(batch if isinstance(batch, tuple) else (batch,)))

    def _see(self, found: dict[str, Output], name: str, output: Any) -> None:
        """Measure a layer's first call, before a later layer changes its output."""
        tensor = next(iter(leaves(output).values()), None)
        if name not in found and tensor is not None:
            found[name] = measured(tensor, self.layers.kind(name), self._inputs, self._channels)

    def _begin(self, found: dict[str, Output]) -> None:
        silent = [name for name in self.names if name not in found]
        if silent and self._must:
            raise CallError(
                "layer {name} returned no tensor for this batch, so it cannot be filmed.",
                name=repr(silent[0]),
            )
        if not found:
            raise RequestError("no layer with weights ran for this batch: name the layers to film.")
        self.names = tuple(name for name in self.names if name in found)
        self._missing = {name: _missing(found[name]) for name in self.names}

    def _arrays(self, step: int, found: Mapping[str, Output], output: Any, update: Update) -> Frame:
        outputs = [found.get(name) or self._missing[name] for name in self.names]
        rows = [
            (*each.statistics, *update.statistics(name))
            for name, each in zip(self.names, outputs, strict=True)
        ]
        frame: Frame = {"steps": np.array([step]), "layers": np.array(self.names)}
        for number, statistic in enumerate(STATISTICS):
            frame[f"statistics/{statistic}"] = np.array([[row[number] for row in rows]])
        for name, each in zip(self.names, outputs, strict=True):
            frame[f"maps/{name}"], frame[f"channels/{name}"] = each.values[None], each.channels
        tensor = next(iter(leaves(output).values()), None)
        if tensor is not None:
            scores = tensor if tensor.ndim <= 2 else tensor[: self._inputs]  # noqa: PLR2004  (input, class)
            frame["predictions"] = scores.detach().to("cpu", torch.float32, copy=True).numpy()[None]
        return frame


def _missing(first: Output) -> Output:
    """Return an output without numbers, for passes that go past the layer."""
    nothing = float("nan")
    values = np.broadcast_to(np.float32(nothing), first.values.shape)
    return Output(values, (nothing, nothing, nothing), first.channels)


@contextlib.contextmanager
def _undisturbed(device: torch.device) -> Iterator[None]:
    """Restore all random states after a pass, and switch off autocast."""
    ours, numbers = random.getstate(), np.random.get_state()  # noqa: NPY002  (what the model may use)
    cards = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
    try:
        with torch.random.fork_rng(list(cards)), torch.autocast(device.type, enabled=False):
            yield
    finally:
        random.setstate(ours)
        np.random.set_state(numbers)  # noqa: NPY002
