"""One picture → small pictures of every layer of a model."""

from collections.abc import Hashable

from ..engine.limits import Limits, check_cost
from ..engine.task import Bench, OnePicture
from ..passes.forward import capture
from ..passes.loaded import Loaded
from ..pictures.photo import Photo
from ..profile.cost import pass_cost
from ..request.inspection import Inspection
from .overview import Thumbnail, thumbnail


class Overview(OnePicture):
    """A small picture of every layer that ran, in execution order."""

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return ("overview", *self.wanted.forward.run)

    def work(self, bench: Bench) -> tuple[Thumbnail, ...]:
        """See ``Task``."""
        loaded = bench.loaded(self.wanted.model, self.wanted.weights)
        return all_layers(loaded, self.wanted, self.photo, bench.limits)


def all_layers(loaded: Loaded, wanted: Inspection, photo: Photo, limits: Limits) -> tuple[Thumbnail, ...]:
    """Every layer that runs, in execution order; at a time, no more layers than fit into one pass.

    Raises:
        TooLargeError: that would take more memory than one request may.
    """
    at_once = limits.whole_pass
    check_cost("all layers", pass_cost(loaded.rows, at_once), limits)
    plain = Inspection(wanted.image, wanted.model, wanted.weights, layer="")
    known = loaded.known(photo)
    thumbs: list[Thumbnail] = []
    for names in loaded.in_passes(at_once):
        with loaded.as_wanted(wanted.forward, photo):
            found = capture(loaded.layers, loaded.subject, photo, names, known=known)
        thumbs += [thumbnail(found[name], plain) for name in names]
    return tuple(thumbs)
