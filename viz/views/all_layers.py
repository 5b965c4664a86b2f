"""Small pictures of a model's layers, or of its chain's links."""

from collections.abc import Hashable

from ..engine.task import OnePicture
from .overview import Thumbnail


class Overview(OnePicture[tuple[Thumbnail, ...]]):
    """A small picture of every layer that ran, in execution order."""

    done_by = "views.work.all_layers:overview"

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("overview", *self.wanted.forward.run)


class Ribbon(OnePicture[tuple[Thumbnail, ...]]):
    """The strongest maps of each link of the model's chain.

    The links are in execution order.
    """

    done_by = "views.work.all_layers:ribbon"
    behind = True

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("ribbon", *self.wanted.forward.run)
