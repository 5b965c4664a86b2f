"""Questions about the catalogue of models, as tasks of the engine.

``known`` requests them, ``work`` answers them. They are about no loaded model, so none has a field ``model``,
by which engines tell where a task goes; except those that run the operator's own code, which may hang or end
its process.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from ....catalogue import models
from ....engine.task import Answer, Bench, Question, Shelf


class Progress(NamedTuple):
    """Progress of a download in bytes; ``total`` is 0 while unknown."""

    done: int
    total: int


class CatalogueTask(Question[Answer]):
    """Base of these questions, which run no model and keep no answer."""

    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return (type(self).__name__,)

    @property
    def lane(self) -> str:
        """A lane of its own for each question.

        One model's question takes nothing from another's.
        """
        return str(self.key)

    def ready(self, _: Bench) -> bool:
        """See ``Task``."""
        return True


@dataclass(frozen=True)
class Needed(CatalogueTask[dict[str, models.Needs]]):
    """Needs of every model's trained weights: a dict of ``models.Needs`` by name."""

    done_by = "ui.visit.catalogue.work:needed"


@dataclass(frozen=True)
class ModelTask(CatalogueTask[Answer]):
    """A question about one model, by its name."""

    name: str

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return type(self).__name__, self.name


class OperatorModelTask(ModelTask[Answer]):
    """A question that makes the model, maybe with the operator's code.

    With that code, it goes where the model is loaded.
    """

    @property
    def model(self) -> str:
        """See ``engine.task.place_of``."""
        return self.name if self.name == models.own_model_name() else ""

    def ready(self, _: Bench) -> bool:
        """No, with the operator's code.

        It may draw from the process's one random generator, as loading does.
        """
        return not self.model


@dataclass(frozen=True)
class Card(OperatorModelTask[models.ModelCard]):
    """A model's ``models.ModelCard``."""

    done_by = "ui.visit.catalogue.work:card"

    @property
    def weights(self) -> str:
        """See ``engine.task.place_of``."""
        return "pretrained" if self.model else ""


@dataclass(frozen=True)
class Ready(ModelTask[bool]):
    """Readiness of a model's trained weights to be loaded without a download."""

    done_by = "ui.visit.catalogue.work:is_ready"


@dataclass(frozen=True)
class Fetch(ModelTask[Progress | None]):
    """Progress of a download of trained weights; None once they are here.

    The first question begins it. It goes on if nobody asks any more.
    """

    done_by = "ui.visit.catalogue.work:fetch"

    def goes_on(self, answer: Progress | None) -> bool:
        """See ``Task``."""
        return answer is not None


@dataclass(frozen=True)
class Compare(OperatorModelTask[models.own.WeightsReport]):
    """Fit of a visitor's weights to a model: a ``models.own.WeightsReport``.

    Attributes:
        weights: their id.
        table: their names and shapes.
    """

    weights: str
    table: models.own.StateTable = field(repr=False)
    done_by = "ui.visit.catalogue.work:compare"

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return type(self).__name__, self.name, self.weights

    def ready(self, _: Bench) -> bool:
        """No: it takes making the model, as loading does."""
        return False
