"""Where on the picture a class is seen: one method's map, as far as it is known."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from numpy.typing import NDArray

from ...engine.limits import check_cost
from ...engine.task import Bench, OnePicture, Shelf
from ...errors import LayoutError
from ...findings.gradcam import check_spatial
from ...maps.layout import arrange
from ...passes.attribution import saliency
from ...passes.loaded import Loaded
from ...passes.studies import (
    ConductanceStudy,
    GradientStudy,
    Numbers,
    OcclusionStudy,
    Study,
    only_input,
    study_key,
)
from ...pictures.photo import Photo
from ...profile.cost import GRAPH
from ...request.arrangement import first_known
from ...request.inspection import Inspection
from ...request.method import Method

_AT_ONCE = ("grad-cam", "saliency")


@dataclass(frozen=True)
class Explanation:
    """What counts for a class, one number for each place.

    Attributes:
        values: (height, width): of the model's input, or of a layer's maps.
        size: (height, width) of the model's input.
        done: how many steps are behind us, of ``total``.
        rise: of a method whose values add up, what their sum should be: the rise of the score from the
            baseline to the picture; of an occlusion the score itself; else None.
        gap: the sum of the values minus ``rise``, of methods whose values add up, once it is known.
    """

    values: NDArray[np.float32] = field(repr=False)
    size: tuple[int, int]
    done: int = 1
    total: int = 1
    rise: float | None = None
    gap: float | None = None

    @property
    def bytes(self) -> int:
        """The memory that the values take."""
        return self.values.nbytes


def explaining(wanted: Inspection, photo: Photo, method: Method) -> "Explain":
    """The task that answers for a method; ``wanted`` says which class, and of some methods which layer."""
    kind = Explain if method.name in _AT_ONCE else ExplainInSlices
    return kind(wanted, photo, method)


@dataclass(frozen=True)
class Explain(OnePicture):
    """What counts for the score of the class ``wanted.gradient``, by Grad-CAM or saliency."""

    method: Method
    shelf: Shelf = ""

    @property
    def key(self) -> Hashable:
        """See ``Task``."""
        return study_key(self.method, self.wanted)

    def ready(self, bench: Bench) -> bool:
        """Grad-CAM of a layer whose gradients are known only needs drawing; so does what is kept."""
        if self.method.name == "grad-cam":
            return bench.kept(self.wanted) is not None
        return bench.answered(self.key) is not None

    def work(self, bench: Bench) -> Explanation:
        """See ``Task``."""
        if self.method.name == "grad-cam":
            return self._grad_cam(bench)
        found: Explanation = bench.remembered(self.key, lambda: self._saliency(bench))
        return found

    def _loaded(self, bench: Bench) -> Loaded:
        loaded = bench.loaded(self.wanted.model, self.wanted.weights)
        check_cost(self.method.name, GRAPH * loaded.output_bytes, bench.limits)
        return loaded

    def _grad_cam(self, bench: Bench) -> Explanation:
        values = bench.captured(self.wanted, self.photo, whole=False)
        values.call(self.wanted.call)
        cam = values.cams[self.wanted.call]
        if cam.problem or values.image_size is None:
            raise LayoutError(cam.problem)
        return Explanation(cam.array, values.image_size)

    def _saliency(self, bench: Bench) -> Explanation:
        loaded = self._loaded(bench)
        with loaded.as_wanted(self.wanted, self.photo):
            found = saliency(loaded.layers, loaded.subject, self.photo, self.wanted.gradient or 0)
        return Explanation(found, (found.shape[0], found.shape[1]))


@dataclass(frozen=True)
class ExplainInSlices(Explain):
    """The same by a method of many runs: each time that it is asked, it goes on for a slice.

    Ask again until ``done`` is ``total``. Between two slices whatever somebody looks at goes first.
    """

    behind = True

    def ready(self, bench: Bench) -> bool:
        """A study that has come to its end is only drawn."""
        study: Study | None = bench.answered(self.key)
        return study is not None and study.finished

    def work(self, bench: Bench) -> Explanation:
        """See ``Task``."""
        loaded = self._loaded(bench)
        if not self.ready(bench):
            loaded.check_looking(inputs=False, gradients=True)
            with loaded.as_wanted(self.wanted, self.photo):
                study: Study = bench.remembered(self.key, lambda: self._begun(loaded))
                kept = bench.answered(self.key) is study
                study.go_on(loaded.layers, *(() if kept else (float("inf"),)))
        else:
            study = bench.answered(self.key)
        return self._so_far(study, loaded)

    def _begun(self, loaded: Loaded) -> Study:
        """A study after its first step, which tells how large it is."""
        study = self._study(only_input(loaded.subject.arguments(self.photo.image)))
        study.go_on(loaded.layers, 0)
        return study

    def _study(self, inputs: torch.Tensor) -> Study:
        wanted, how = self.wanted, self.method
        target = wanted.gradient or 0
        if how.name == "occlusion":
            return OcclusionStudy(inputs, target, *how.windows((inputs.shape[-2], inputs.shape[-1])))
        if how.name == "conductance":
            return ConductanceStudy(inputs, target, how.steps, wanted.layer, wanted.call)
        return GradientStudy(inputs, target, how.steps)

    def _so_far(self, study: Study, loaded: Loaded) -> Explanation:
        values, adds_up = study.values, self.method.name != "occlusion"
        gap = float(values.sum()) - study.rise if adds_up and study.finished else None
        found = Explanation(self._placed(values, study, loaded), study.size)
        return replace(found, done=study.done, total=study.total, rise=study.rise, gap=gap)

    def _placed(self, values: Numbers, study: Study, loaded: Loaded) -> NDArray[np.float32]:
        """One number for each place: colours, or channels, together."""
        if self.method.name == "occlusion":
            return values.astype(np.float32)
        if self.method.name == "integrated-gradients":
            return np.asarray(values.sum(1)[0], np.float32)
        layer, known = self.wanted.layer, loaded.known(self.photo)
        kind, sits = loaded.layers.kind(layer), first_known(known, layer, self.wanted.call)
        layout = arrange(values, layer_type=kind, image_size=study.size, arrangement=sits)
        try:
            check_spatial(layout, layer, kind)
        except LayoutError as error:
            raise LayoutError(
                "the conductance of {layer} has no places on the picture; choose a layer with maps, such as "
                "a convolution.",
                layer=layer,
            ) from error
        return np.asarray(layout.maps.sum(0), np.float32)
