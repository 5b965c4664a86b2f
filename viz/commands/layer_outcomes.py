"""Coverage of a model: every layer drawn, explained or failed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..findings.values import LayerValues, Leaf
from ..hooks.activations import LayerActivations
from ..hooks.values.structure import leaves
from ..maps.colour.tables import AUTO
from ..maps.layout import arrange
from ..maps.mosaic import render_mosaic
from ..passes.forward import capture, survey_with_layouts
from ..pictures.photo import Photo
from ..pictures.subject import Subject
from ..profile.rows import LayerRow
from ..profile.uncalled import NONE
from ..request.arrangement import Arrangements

BUDGET = 1 << 30
"""Most bytes of outputs that one forward pass may keep."""


@dataclass(frozen=True)
class LayerOutcomes:
    """Outcomes of a model's layers: each is drawn, explained or failed.

    Attributes:
        layers: how many there are.
        drawn: how many ran and were drawn.
        explained: how many had no output, or none that can be drawn, and how this is known.
        failures: the others, each (layer, message).
        evidence: how many layers each kind of evidence explains: those of ``viz.profile.uncalled``,
            ``"empty"`` for outputs without values, and ``"undrawable"`` for values that are no numbers.
    """

    layers: int
    drawn: int
    explained: int
    failures: tuple[tuple[str, str], ...]
    evidence: Mapping[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """Number of layers that failed."""
        return len(self.failures)


@dataclass(frozen=True)
class _Outcome:
    """Outcome of one layer; without a failure or evidence it was drawn."""

    failure: str = ""
    evidence: str = ""

    @property
    def drawn(self) -> bool:
        return not (self.failure or self.evidence)


def layer_outcomes(
    layers: LayerActivations, subject: Subject, photo: Photo, *, budget: int = BUDGET
) -> LayerOutcomes:
    """Capture and draw every layer for one picture, and return the outcomes.

    A first pass counts how much the layers return. All are captured in a second one, or in several where
    their outputs together take more than ``budget`` bytes.
    """
    sizes: dict[str, int] = {}

    def see(name: str, output: object) -> None:
        sizes[name] = sizes.get(name, 0) + sum(tensor.numel() * 4 for tensor in leaves(output).values())

    with layers.watch(see):
        rows, known = survey_with_layouts(layers, subject.arguments(photo.image))
    outcomes = {row.name: _unseen(row) for row in rows if not row.calls}
    for names in groups(sizes, budget):
        outcomes.update(_outcomes(layers, subject, photo, names, known))
    failures = tuple((row.name, outcomes[row.name].failure) for row in rows if outcomes[row.name].failure)
    drawn = sum(outcome.drawn for outcome in outcomes.values())
    evidence = Counter(outcomes[row.name].evidence for row in rows if outcomes[row.name].evidence)
    return LayerOutcomes(len(rows), drawn, evidence.total(), failures, dict(evidence))


def groups(sizes: Mapping[str, int], budget: int) -> list[list[str]]:
    """The names in their order, in groups within the budget.

    A group's sizes add up to at most ``budget``, or it has a single name.
    """
    found: list[list[str]] = [[]]
    taken = 0
    for name, size in sizes.items():
        if found[-1] and taken + size > budget:
            found.append([])
            taken = 0
        found[-1].append(name)
        taken += size
    return [group for group in found if group]


def _unseen(row: LayerRow) -> _Outcome:
    """The outcome of a layer without a call."""
    if row.evidence in {None, NONE}:
        return _Outcome(failure=f"no output: {row.reason}")
    return _Outcome(evidence=str(row.evidence))


def _outcomes(
    layers: LayerActivations, subject: Subject, photo: Photo, names: list[str], known: Arrangements
) -> Iterator[tuple[str, _Outcome]]:
    """The outcome of each layer; where capturing fails, halves are tried."""
    try:
        found = capture(layers, subject.arguments(photo.image), names, known=known)
    except Exception as error:  # noqa: BLE001  # a model may raise anything; the other layers come next
        if len(names) == 1:
            yield names[0], _Outcome(failure=said(error))
            return
        for part in (names[: len(names) // 2], names[len(names) // 2 :]):
            yield from _outcomes(layers, subject, photo, part, known)
        return
    while found:
        name, values = found.popitem()  # this frees its memory
        yield name, _outcome(values)


def _outcome(values: LayerValues) -> _Outcome:
    if not values.calls:
        return _Outcome(failure="it ran in the first pass and not in the second")
    try:
        return _Outcome(evidence=_drawn(values, [leaf for call in values.calls for leaf in call.values()]))
    except Exception as error:  # noqa: BLE001  # a layer that cannot be drawn is what this looks for
        return _Outcome(failure=said(error))


def _drawn(values: LayerValues, tensors: Sequence[Leaf]) -> str:
    """Draw every tensor that has values; return evidence if none has."""
    drawn = False
    for leaf in tensors:
        if leaf.problem or not leaf.array.size:
            continue
        layout = arrange(
            leaf.array, layer_type=values.type, image_size=values.image_size, arrangement=leaf.arrangement
        )
        drawn = bool(render_mosaic(layout.maps, colormap=AUTO).png) or drawn
    if drawn:
        return ""
    return "undrawable" if any(leaf.problem for leaf in tensors) else "empty"


def said(error: Exception) -> str:
    """An error in one line of at most 500 characters."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:500]
