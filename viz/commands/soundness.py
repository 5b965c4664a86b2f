"""Checks of a model's views: exact values, right places, unchanged outputs.

Each check has a yardstick of its own: hooks that are not ours, places followed through the pass, and the
model's output without any capture.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import torch

from ..hooks.activations import LayerActivations
from ..hooks.values.structure import leaves
from ..profile.cost import BYTES, GRAPH
from ..profile.interference import interference
from ..receptive.places.placing import PlacingResult
from ..receptive.places.placings import placings
from .layer_outcomes import BUDGET, groups, said

MODES: Mapping[str, tuple[bool, bool]] = {
    "outputs": (False, False),
    "inputs": (True, False),
    "gradients": (False, True),
    "inputs and gradients": (True, True),
}
"""For each mode of capturing, whether inputs and whether gradients are captured."""
UNCHANGED, TOO_LARGE, NO_GRAPH = "unchanged", "too large", "no gradients"
GRAPH_LIMIT = 6 << 30
"""Most bytes that a pass with an autograd graph may take."""
_WORST_FIRST = ("wrong", "guessed", "known", "no place")

Faults: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Comparison:
    """Comparison of one layer's captured tensors with those of other hooks.

    Attributes:
        tensors: how many were compared.
        difference: where they differ first; empty if they are equal bit for bit.
    """

    tensors: int
    difference: str = ""


Compare: TypeAlias = Callable[[LayerActivations, tuple[Any, ...], Sequence[str]], Mapping[str, Comparison]]
"""(model, its inputs, names of layers) → how what is captured of each compares with other hooks."""


@dataclass(frozen=True)
class Soundness:
    """Results of the checks of one model.

    A check that was not made has None, or is empty.

    Attributes:
        exact: how many layers have captured tensors that all equal those of other hooks.
        inexact: how many have one that does not.
        tensors: how many tensors of exact layers were compared.
        places: how many layers are drawn in places that are ``"known"``, ``"guessed"`` or ``"wrong"``, and
            how many have ``"no place"``: see ``viz.receptive.places.placing``. A layer of several calls
            counts as its worst.
        modes: for each mode of capturing, ``"unchanged"``, how it changes what the model returns, or why
            this was not tried.
        faults: (layer, message) for all that is inexact, wrong or changed; the layer is empty for the model.
    """

    exact: int | None = None
    inexact: int | None = None
    tensors: int | None = None
    places: Mapping[str, int] = field(default_factory=dict)
    modes: Mapping[str, str] = field(default_factory=dict)
    faults: Faults = ()


def soundness(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    compare: Compare | None = None,
    *,
    budget: int = BUDGET // 2,
    graph_limit: int = GRAPH_LIMIT,
) -> Soundness:
    """Check a model on its inputs.

    Args:
        layers: the model.
        arguments: what it is called with.
        compare: compares what is captured with other hooks; without it, nothing counts as exact or inexact.
        budget: how many bytes of outputs one comparison may take at a time.
        graph_limit: modes with gradients that would take more bytes than this are not tried.
    """
    sizes = _sizes(layers, arguments)
    compared, problems = _compared(layers, arguments, groups(sizes, budget), compare)
    inexact = tuple((name, f"inexact: {one.difference}") for name, one in compared.items() if one.difference)
    equal = [one.tensors for one in compared.values() if one.tensors and not one.difference]
    places, misplaced = _places(layers, arguments)
    modes, changed = _modes(layers, arguments, GRAPH * sum(sizes.values()) > graph_limit)
    return Soundness(
        len(equal) if compare else None,
        len(inexact) if compare else None,
        sum(equal) if compare else None,
        places,
        modes,
        (*problems, *inexact, *misplaced, *changed),
    )


def _sizes(layers: LayerActivations, arguments: tuple[Any, ...]) -> dict[str, int]:
    """The bytes that each layer returns, of those that run."""
    sizes = Counter[str]()

    def see(name: str, output: object) -> None:
        sizes[name] += sum(tensor.numel() * BYTES for tensor in leaves(output).values())

    with layers.watch(see):
        layers.run(*arguments)
    return dict(sizes)


def _compared(
    layers: LayerActivations,
    arguments: tuple[Any, ...],
    parts: Sequence[Sequence[str]],
    compare: Compare | None,
) -> tuple[dict[str, Comparison], Faults]:
    found: dict[str, Comparison] = {}
    if compare is None:
        return found, ()
    try:
        for names in parts:
            found |= compare(layers, arguments, names)
    except Exception as error:  # noqa: BLE001  # a model may raise anything; the other checks come next
        return found, (("", f"could not be compared: {said(error)}"),)
    return found, ()


def _places(layers: LayerActivations, arguments: tuple[Any, ...]) -> tuple[dict[str, int], Faults]:
    try:
        found = placings(layers, arguments)
    except Exception as error:  # noqa: BLE001  # see above
        return {}, (("", f"could not be followed: {said(error)}"),)
    worst: dict[str, PlacingResult] = {}
    for (name, _), one in found.items():
        worst[name] = min(worst.get(name, one), one, key=lambda each: _WORST_FIRST.index(each.status))
    counts = Counter(one.status for one in worst.values())
    wrong = ((name, one) for name, one in worst.items() if one.status == "wrong")
    return (
        {status: counts[status] for status in ("known", "guessed", "wrong", "no place")},
        tuple((name, f"wrong place: {one.pixels:.1f} pixels away, as {one.kind}") for name, one in wrong),
    )


def _modes(
    layers: LayerActivations, arguments: tuple[Any, ...], too_large: bool
) -> tuple[dict[str, str], Faults]:
    modes: dict[str, str] = {}
    for mode, (inputs, gradients) in MODES.items():
        skipped = too_large and gradients
        modes[mode] = TOO_LARGE if skipped else _change(layers, arguments, inputs, gradients)
    return modes, tuple(_changed(modes))


def _change(layers: LayerActivations, arguments: tuple[Any, ...], inputs: bool, gradients: bool) -> str:
    """Return a capture mode's effect on the output, or an obstacle."""
    try:
        return str(interference(layers, *arguments, inputs=inputs, gradients=gradients) or UNCHANGED)
    except Exception as error:  # noqa: BLE001  # see above
        if gradients and ("can't allocate memory" in str(error) or isinstance(error, MemoryError)):
            return TOO_LARGE
        if gradients and _fails_with_a_graph(layers, arguments):
            return NO_GRAPH
        return said(error)


def _fails_with_a_graph(layers: LayerActivations, arguments: tuple[Any, ...]) -> bool:
    """Check whether the model fails with gradients also without a capture."""
    try:
        with torch.enable_grad():
            layers.model(*arguments)
    except Exception:  # noqa: BLE001  # see above
        return True
    return False


def _changed(modes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for mode, found in modes.items():
        if found not in {UNCHANGED, TOO_LARGE, NO_GRAPH}:
            yield "", f"capturing {mode} changes the output: {found}"
