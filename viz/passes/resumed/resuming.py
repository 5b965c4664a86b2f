"""Values of a layer from a pass that begins in the middle.

It is first proven that they are the same.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple, Self

import torch
from cachetools import LRUCache

from ...findings.values import LayerValues
from ...hooks.activations import LayerActivations
from ...hooks.selectors import layers_of
from ...hooks.values.structure import map_tensors
from .keeping import OutputKeeper
from .shelf import StageShelf
from .stages import Stages, Way, chosen
from .stand_ins import StandIns
from .timeline import timeline

QUICK = 0.3  # seconds of a pass: whoever comes behind does not wait for two more of them
MOST_SIZES = 4  # of the model's input, for which stages are known
Values = dict[str, LayerValues]
Kept = Mapping[str, torch.Tensor]


class _PassResult(NamedTuple):
    """Results of one pass: the wanted values, and the missing stages."""

    values: Values
    stages: Kept

    def only(self, names: Iterable[str]) -> Self:
        """The same with these stages alone."""
        return self._replace(stages={name: self.stages[name] for name in names})


class ResumedPasses:
    """Passes of one model that go on from a photo's stage.

    A pass goes on only if that is exact, which is shown for each stage and layer: the first time, the layer
    is computed from there and from the beginning, and every bit compared. Just before, the model sees zeros,
    so that a layer which reads what another one noted of the last picture differs. On other devices than the
    processor a model may add up in any order, and on a graphics card a pass takes little: there, all passes
    are whole.

    Args:
        layers: the model's layers.
        shelf: where stages are kept.
    """

    def __init__(self, layers: LayerActivations, shelf: StageShelf) -> None:
        self._layers, self._shelf, self._owner = layers, shelf, object()
        self._stages: LRUCache[Hashable, Stages] = LRUCache(MOST_SIZES)

    def prepare(self, size: Hashable, arguments: tuple[Any, ...]) -> None:
        """Find the stages for inputs of this size, from one pass.

        No edits may be in force. The input is zeros, so that nothing here depends on anybody's picture.
        """
        if self._layers.device.type == "cpu" and size not in self._stages:
            zeros, begun = map_tensors(arguments, torch.zeros_like), perf_counter()
            try:
                spans = timeline(self._layers, _own(zeros))
            except Exception:  # noqa: BLE001  a model that refuses zeros has no stages
                spans = {}
            self._stages[size] = chosen(spans, zeros)
            self._stages[size].seconds = perf_counter() - begun

    def whole(self, size: Hashable, photo: Hashable, take: Callable[[], Values]) -> Values:
        """Return ``take``'s values in a pass without edits, and keep its stages."""
        stages, key = self._stages.get(size), (self._owner, size, photo)
        if stages is None:
            return take()
        kept, begun = self._shelf.of(key, stages.names), perf_counter()
        found = self._pass([name for name in stages.names if name not in kept], take)
        stages.seconds = min(stages.seconds, perf_counter() - begun)
        self._keep(key, stages, found.stages)
        if stages.spans.keys() <= found.values.keys() and stages.seconds < QUICK:
            stages.check_shapes({name: _shape(found.values[name]) for name in stages.spans})
            self._show_next(stages, self._shelf.of(key, stages.names), found.values, take)
        return found.values

    def seconds_to(self, size: Hashable, layer: str) -> float | None:
        """The likely seconds of a pass to a layer; None if unknown.

        The pass begins at the stage before the layer.
        """
        stages = self._stages.get(size)
        if stages is None or stages.span(layer) is None:
            return None
        return stages.seconds * stages.share_to(layer)

    def until(
        self, size: Hashable, photo: Hashable, layer: str, edited: tuple[str, ...], take: Callable[[], Values]
    ) -> Values:
        """The values of a layer, found in a pass that ends there.

        Args:
            size: for which ``prepare`` was called.
            photo: what the photo's stages are kept under.
            layer: its first name.
            edited: the first names of the layers that are edited now.
            take: makes one pass.
        """
        stages, key = self._stages.get(size), (self._owner, size, photo)
        kept = self._shelf.of(key, stages.names) if stages else {}
        way = stages.way(layer, edited, kept) if stages else None
        self._shelf.use(key, way.stage if way else None)
        if stages is None or way is None:
            return take() if edited else self.whole(size, photo, take)
        missing = [] if edited else [name for name in stages.names if name not in kept]
        is_proven = way in stages.proven
        if not is_proven:
            self._show_nothing(stages)
        found = self._on(way, stages, kept, missing, take)
        if found is None or not is_proven:
            resumed, found = found, self._pass(missing, take)
            _compare(stages, way, resumed, found)
        else:
            found = found.only(name for name in found.stages if way._replace(layer=name) in stages.proven)
        self._keep(key, stages, found.stages)
        return found.values

    def _show_next(self, stages: Stages, kept: Kept, whole: Values, take: Callable[[], Values]) -> None:
        """Prove one more stage for all layers behind it, in one pass.

        Nobody waits for a pass that records every layer, so nobody waits for this.
        """
        stage = next((name for name in stages.names if name in kept and name not in stages.shown), None)
        if stage is None:
            return
        stages.shown.add(stage)
        self._show_nothing(stages)
        way = Way(stage, frozenset([stage]), stage, edited=False)
        with (
            suppress(Exception),
            self._standing_in(way, stages, kept),
        ):  # each layer is shown when it is asked for
            found = take()
            same = (layer for layer in stages.behind(stage) if _bits(found[layer]) == _bits(whole[layer]))
            stages.proven.update(way._replace(layer=layer) for layer in same)

    def _show_nothing(self, stages: Stages) -> None:
        """Let the model see zeros, to clear its notes of a picture."""
        with suppress(Exception):  # zeros may not go with an edit: whatever is wrong, the wanted pass says it
            self._layers.run(*_own(stages.zeros))

    def _keep(self, key: Hashable, stages: Stages, found: Kept) -> None:
        for name, output in found.items():
            self._shelf.keep(key, name, output, stages.saves(name) * stages.seconds)

    def _on(
        self, way: Way, stages: Stages, kept: Kept, missing: Iterable[str], take: Callable[[], Values]
    ) -> _PassResult | None:
        """Return the findings of a pass on a way; None on failure."""
        try:
            with self._standing_in(way, stages, kept):
                found = self._pass(missing, take)
        except Exception:  # noqa: BLE001  whatever it needed that was not there, a whole pass has it, or says why
            return None
        leaves = [leaf for values in found.values.values() for call in values.calls for leaf in call.values()]
        return None if any(leaf.problem for leaf in leaves) else found

    def _standing_in(self, way: Way, stages: Stages, kept: Kept) -> AbstractContextManager[Any]:
        """Let passes in a block begin at the end of a stage."""
        modules, given = layers_of(self._layers.model), {}
        for name in stages.over_at(way.stage):
            output = kept[name] if name in way.kept else stages.spans[name].like
            if output is not None:
                given[modules[name]] = output
        return self._layers.trace(partial(StandIns, given=given), way.stage)

    def _pass(self, missing: Iterable[str], take: Callable[[], Values]) -> _PassResult:
        with ExitStack() as blocks:
            names = tuple(missing)
            keeping = blocks.enter_context(self._layers.trace(OutputKeeper, *names)) if names else None
            values = take()
        return _PassResult(values, keeping.found() if keeping else {})


def _own(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies, because a model may write into its input."""
    copied: tuple[Any, ...] = map_tensors(arguments, torch.clone)
    return copied


def _compare(stages: Stages, way: Way, resumed: _PassResult | None, whole: _PassResult) -> None:
    """Note whether a pass on a way matches a whole one."""
    if resumed is None or _bits(*resumed.values.values()) != _bits(*whole.values.values()):
        stages.refuse(way)
        return
    same = (name for name in resumed.stages if _is_same(name, resumed, whole))
    stages.proven.update([way, *(way._replace(layer=name) for name in same)])


def _is_same(stage: str, one: _PassResult, other: _PassResult) -> bool:
    """Return whether both passes found the same stage."""
    return stage in other.stages and torch.equal(one.stages[stage], other.stages[stage])


def _shape(values: LayerValues) -> tuple[int, ...] | None:
    """The shape of a layer's last output; None if not one tensor."""
    last = values.calls[-1] if values.calls else {}
    return last["output"].array.shape if last.keys() == {"output"} else None


def _bits(*found: LayerValues) -> list[Any]:
    """All that was found, so that equal bits are equal."""
    return [
        (values.layer, path, leaf.dtype, leaf.problem, leaf.array.shape, leaf.array.tobytes())
        for values in found
        for call in values.calls
        for path, leaf in call.items()
    ]
