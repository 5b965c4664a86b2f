"""Which layers' channels are the model's classes."""

from dataclasses import dataclass

from ...engine.task import Bench
from ...profile.naming import named_calls
from ...profile.rows import NamedCall
from ..whole_model import PictureInModel


@dataclass(frozen=True)
class Names(PictureInModel):
    """The calls whose channels are the classes, from one pass on the picture."""

    def work(self, bench: Bench) -> tuple[NamedCall, ...]:
        """See ``Task``."""
        loaded = bench.loaded(self.model, self.weights)
        arguments = loaded.subject.arguments(self.photo.image)
        return named_calls(loaded.layers, loaded.rows, arguments, len(loaded.subject.classes))
