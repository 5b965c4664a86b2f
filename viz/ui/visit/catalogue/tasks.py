"""Questions about the catalogue of models, as tasks: ``known`` asks them, ``work`` answers them.

They are about no loaded model, so none has a field ``model``, by which engines tell where a task goes.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from ....catalogue import models
from ....engine.task import Bench, Question, Shelf

_WORK = f"{__package__}.work"


class Progress(NamedTuple):
    """How far a download is, in bytes; ``total`` is 0 while that is unknown."""

    done: int
    total: int


class OfCatalogue(Question):
    """What these questions have in common: no model runs, and no answer is kept where it is made."""

    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return (type(self).__name__,)

    @property
    def lane(self) -> str:
        """One for each question: who asks about one model takes nothing from who asks about another."""
        return str(self.key)

    def ready(self, _: Bench) -> bool:
        """See ``Task``."""
        return True


@dataclass(frozen=True)
class Needed(OfCatalogue):
    """What the trained weights of every model need: a dict of ``models.Needs`` by name."""

    done_by: ClassVar[str] = f"{_WORK}:needed"


@dataclass(frozen=True)
class OfModel(OfCatalogue):
    """A question about one model, by its name."""

    name: str

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return type(self).__name__, self.name


@dataclass(frozen=True)
class Card(OfModel):
    """A model's ``models.ModelCard``."""

    done_by: ClassVar[str] = f"{_WORK}:card"


@dataclass(frozen=True)
class Ready(OfModel):
    """Whether a model's trained weights can be loaded without a download."""

    done_by: ClassVar[str] = f"{_WORK}:is_ready"


@dataclass(frozen=True)
class Fetch(OfModel):
    """How far the download of a model's trained weights is, None once they are here.

    The first question begins it. It goes on if nobody asks any more.
    """

    done_by: ClassVar[str] = f"{_WORK}:fetch"


@dataclass(frozen=True)
class Compare(OfModel):
    """How a visitor's weights fit a model: a ``models.own.WeightsReport``.

    Attributes:
        weights: their id.
        table: what they are called, and their shapes.
    """

    weights: str
    table: models.own.StateTable = field(repr=False)
    done_by: ClassVar[str] = f"{_WORK}:compare"

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return type(self).__name__, self.name, self.weights

    def ready(self, _: Bench) -> bool:
        """No: it takes making the model, as loading does."""
        return False
