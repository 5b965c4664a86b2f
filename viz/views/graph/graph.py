"""The graph of a model as a task."""

from collections.abc import Hashable
from dataclasses import dataclass

from ...answers.views.graph import GraphFacts
from ...engine.task import OnePicture


@dataclass(frozen=True)
class GraphTask(OnePicture[GraphFacts]):
    """Task of finding one pass's calls, operations and data flow."""

    done_by = "views.work.graph:graph_of"

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``: the layer does not matter."""
        return ("graph", *self.wanted.forward.run)
