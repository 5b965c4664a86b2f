"""How much each pixel of a picture counts for a class."""

from collections.abc import Hashable
from dataclasses import replace

from ..engine.limits import check_cost
from ..engine.task import Bench, OnePicture
from ..passes.attribution import saliency
from ..passes.gradcam import saliency_picture
from ..profile.cost import GRAPH
from ..request.inspection import Inspection


class Saliency(OnePicture):
    """How much each pixel counts for the score of the class ``wanted.gradient``, or of the first, as PNG."""

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        wanted = self._of_class
        return ("saliency", *wanted.run, wanted.gradient)

    def work(self, bench: Bench) -> bytes:
        """See ``Task``."""
        wanted = self._of_class
        loaded = bench.loaded(wanted.model, wanted.weights)
        check_cost("saliency", GRAPH * loaded.output_bytes, bench.limits)
        with loaded.as_wanted(wanted, self.photo):
            found = saliency(loaded.layers, loaded.subject, self.photo, wanted.gradient or 0)
            return saliency_picture(found).png

    @property
    def _of_class(self) -> Inspection:
        return replace(self.wanted, gradient=self.wanted.gradient or 0)
