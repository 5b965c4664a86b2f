"""How a visitor's weights fit a model, as plain values."""

from dataclasses import dataclass

from ..sentences import Sentence

__all__ = ["Misshapen", "WeightsReport"]


@dataclass(frozen=True)
class Misshapen:
    """Numbers that the model has under the same name, but in another shape.

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
    """How a file of weights fits a model; every name as it stands in the file or in the model.

    Attributes:
        model: the model's id.
        fitting: what can be taken over.
        missing: what the model has and the file does not.
        unexpected: what the file has and the model does not.
        misshapen: what both have, in different shapes.
    """

    model: str
    fitting: tuple[str, ...]
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    misshapen: tuple[Misshapen, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether nothing is missing, left over, or of another shape."""
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
