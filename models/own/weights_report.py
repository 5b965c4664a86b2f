"""Fit of a visitor's weights to a model, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..sentences import Sentence

__all__ = ["MisshapenWeight", "WeightsReport"]


@dataclass(frozen=True)
class MisshapenWeight:
    """Weights with a name of the model, but in another shape.

    Attributes:
        name: what both call it.
        found: its shape in the file, in words: ``10 × 84``.
        wanted: its shape in the model.
    """

    name: str
    found: str
    wanted: str


@dataclass(frozen=True)
class WeightsReport:
    """Fit of a file of weights to a model, by names.

    Names are as they stand in the model, or in the file after a place.

    Attributes:
        model: the model's id.
        fitting: names whose numbers can be taken over.
        missing: names that the model has and the file does not.
        unexpected: names that the file has in that place and the model does not.
        misshapen: names that both have, with different shapes.
        place: the prefix of each of these names in the file: ``teacher/module.``, or nothing.
        wrapped: what the file calls the weights of parts that were wrapped alone, by their names:
            ``layer1._orig_mod.0.weight``.
        again: other places of the file with as much that fits.
        elsewhere: how many tensors the file has outside that place.
        classes: how many classes the file's last layer tells apart, if not as many as the model's.
    """

    model: str
    fitting: tuple[str, ...]
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    misshapen: tuple[MisshapenWeight, ...] = ()
    place: str = ""
    wrapped: Mapping[str, str] = field(default_factory=dict, hash=False)
    again: tuple[str, ...] = ()
    elsewhere: int = 0
    classes: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the file of the weights that fit."""
        return tuple(map(self.in_file, self.fitting))

    def in_file(self, name: str) -> str:
        """Return what the file calls a weight of the model."""
        return self.wrapped.get(name, self.place + name)

    @property
    def fits(self) -> bool:
        """True if nothing is missing, left over, or of another shape."""
        return not (self.missing or self.unexpected or self.misshapen)

    def __str__(self) -> Sentence:
        """Return the counts in one sentence."""
        if self.fits:
            return Sentence("All {fitting} weights fit {model}.", fitting=len(self.fitting), model=self.model)
        return Sentence(
            "These weights do not fit {model}: {missing} missing, {unexpected} unexpected, {misshapen} of "
            "another shape; {fitting} fit.",
            model=self.model,
            missing=len(self.missing),
            unexpected=len(self.unexpected),
            misshapen=len(self.misshapen),
            fitting=len(self.fitting),
        )
