"""The methods of a script: their words and their lines.

Some lines compute ``values``, others draw them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...findings.gradcam import COLORMAP, cam_limits, saliency_limits, signed_limits
from ...request.arrangement import Arrangement, Lattice
from ...request.inspection import Inspection, LayerView
from ...request.method import Method as Settings
from ..code_drawing import draw_lines, figure_lines, map_lines
from ..code_gradient import gradient_run
from ..code_hooks import as_array, hooked_lines
from ..code_model import begin_lines
from ..code_operations import layer_line
from .attention import rollout_lines
from .facts import AttributionFacts


@dataclass(frozen=True)
class LinesRequest:
    """Input of the script's lines: a request and its facts.

    ``view`` is the layer's; None if the method needs none.
    """

    wanted: Inspection
    target: int
    facts: AttributionFacts
    view: LayerView | None
    repeated: bool
    settings: Settings

    @property
    def begin(self) -> list[str]:
        """The line before each run of the model, if any."""
        return begin_lines(self.wanted.training, repeated=self.repeated)

    @property
    def shown(self) -> LayerView:
        """The layer's view, of a method that needs it.

        Raises:
            ValueError: it is missing.
        """
        if self.view is None:
            raise ValueError("the script of a layer's attribution needs a view of the layer")
        return self.view

    @property
    def tokens(self) -> Arrangement:
        """The tokens' arrangement, of a method of attention.

        Raises:
            ValueError: it is missing.
        """
        if self.facts.tokens is None:
            raise ValueError("the script of a method of attention needs the tokens' arrangement")
        return self.facts.tokens

    @property
    def lattice(self) -> Lattice | None:
        """The centres of the map's cells, if they are known."""
        if self.facts.tokens:
            return self.facts.tokens.lattice
        view = self.shown
        return view.arrangement.lattice if view.covers and view.arrangement else None


@dataclass(frozen=True)
class Method:
    """Words and code of one attribution method.

    ``repeated`` is true if the model runs more than once.
    """

    title: str
    said: str
    source: str
    run: Callable[[LinesRequest], list[str]]
    draw: Callable[[LinesRequest, str, str], list[str]]
    repeated: bool = False


def _run_grad_cam(asked: LinesRequest) -> list[str]:
    view, call = asked.shown, asked.wanted.call
    hook = "layer.register_forward_hook(keep)"
    drawn, as_maps = view, "as_maps({values})"
    if view.dtype.startswith("complex"):  # both parts are channels
        kind = view.kinds[0] if view.kind == "phase" else view.kind
        drawn = replace(view, dtype="float32", kind=kind, note="of one part, the real or the imaginary one")
        as_maps = "np.concatenate([as_maps(part) for part in (({values}).real, ({values}).imag)])"
    return [
        layer_line(view.layer),
        *hooked_lines([hook], [*asked.begin, *gradient_run(asked.target)]),
        *["", "", "def as_maps(values):"],
        '    """Arrange what the layer returns, or its gradient, as maps (channels, height, width)."""',
        *(f"    {line}" for line in map_lines(drawn)),
        *["    return maps", "", ""],
        f"maps = {as_maps.format(values=f'outputs[{call}]{as_array(view)}')}",
        f"gradients = {as_maps.format(values=f'calls[{call}]{as_array(view)}')}",
        "weights = gradients.mean((1, 2), dtype=np.float64)  # of the channels",
        "weighted = np.tensordot(weights, maps.astype(np.float64), axes=1)",
        "values = np.maximum(weighted, 0).astype(np.float32)  # as high and wide as the layer's maps",
    ]


def _run_saliency(asked: LinesRequest) -> list[str]:
    return [
        "picture = arguments[0].requires_grad_()",
        *asked.begin,
        f"score = model(picture.clone())[0, {asked.target}]",
        "(gradient,) = torch.autograd.grad(score, picture)",
        "counts = (gradient * picture.detach()).abs()",
        "values = counts.amax(1)[0].float().numpy()  # the largest of the colours",
    ]


def _run_integrated(asked: LinesRequest) -> list[str]:
    return [
        "(picture,) = arguments",
        f"places, weights = np.polynomial.legendre.leggauss({asked.settings.steps})  # from -1 to 1",
        "slope = 0",
        "for place, weight in zip((1 + places) / 2, weights / 2, strict=True):",
        "    point = (float(place) * picture).requires_grad_()  # between zeros and the picture",
        *(f"    {line}" for line in asked.begin),
        f"    score = model(point.clone())[0, {asked.target}]",
        "    (gradient,) = torch.autograd.grad(score, point)",
        "    slope = slope + weight * gradient.double().numpy()",
        "values = (slope * picture.double().numpy()).astype(np.float32)",
    ]


def _run_occlusion(asked: LinesRequest) -> list[str]:
    height, width = asked.facts.inputs[-2:]
    window, stride = asked.settings.windows((height, width))
    place = f"top : top + {window}, left : left + {window}"
    return [
        "(picture,) = arguments",
        *["", "", "def score_of(images):"],
        f'    """Return the score of class {asked.target}."""',
        *(f"    {line}" for line in asked.begin),
        f"    return float(model(images.clone())[0, {asked.target}])",
        *["", "", "whole = score_of(picture)"],
        f"falls, times = np.zeros(({height}, {width})), np.zeros(({height}, {width}))",
        f"for top in range(0, {height - window + stride}, {stride}):",
        f"    for left in range(0, {width - window + stride}, {stride}):",
        "        covered = picture.clone()",
        f"        covered[0, :, {place}] = 0",
        f"        falls[{place}] += whole - score_of(covered)",
        f"        times[{place}] += 1",
        "values = (falls / times).astype(np.float32)  # the mean of all windows that cover a pixel",
    ]


def _run_conductance(asked: LinesRequest) -> list[str]:
    call = asked.wanted.call
    hooked = ["handle = layer.register_forward_hook(keep)", f"score = model(point)[0, {asked.target}]"]
    return [
        layer_line(asked.shown.layer),
        *["", "", "def at(point):"],
        '    """Return what the layer returns for an input, and the gradient of the score there."""',
        *(f"    {line}" for line in ["calls.clear()", "outputs.clear()", *asked.begin, *hooked]),
        *["    handle.remove()", "    score.backward()"],
        f"    return outputs[{call}].double().numpy(), calls[{call}].double().numpy()",
        *["", "", f"places = (1 + np.polynomial.legendre.leggauss({asked.settings.steps + 1})[0]) / 2"],
        "seen = (at(float(place) * arguments[0]) for place in places)  # between zeros and the picture",
        "steps = (slope * (after - before) for (before, slope), (after, _) in pairwise(seen))",
        "values = sum(steps).astype(np.float32)",
    ]


def _run_attention(asked: LinesRequest) -> list[str]:
    relevance = asked.settings.name == "attention-relevance"
    return rollout_lines(asked.begin, asked.target, asked.tokens, relevance=relevance)


def _draw_places(asked: LinesRequest, title: str, target: str) -> list[str]:
    large = _large(asked.facts, asked.lattice)
    return [*large, *figure_lines(title, COLORMAP, cam_limits(asked.facts.values), target)]


def _large(facts: AttributionFacts, lattice: Lattice | None) -> list[str]:
    """Return the lines of the map as large as the picture.

    Each cell lies where it is centred; if that is not known, the map is stretched.
    """
    height, width = facts.inputs[-2:]
    if lattice is None:
        size = f"({width}, {height})"
        return [f"mosaic = np.asarray(Image.fromarray(values).resize({size}, Image.Resampling.BILINEAR))"]
    (top, left), (down, across) = lattice.start, lattice.stride
    rows, columns = facts.values.shape
    return [
        "# Each cell lies where the windows of all layers up to here have their middle, in pixels.",
        f"rows = {top} + {down} * np.arange({rows})",
        f"columns = {left} + {across} * np.arange({columns})",
        f"mosaic = np.array([np.interp(np.arange({width}), columns, line) for line in values])",
        f"mosaic = np.array([np.interp(np.arange({height}), rows, line) for line in mosaic.T]).T",
    ]


def _draw_saliency(asked: LinesRequest, title: str, target: str) -> list[str]:
    return ["mosaic = values", *figure_lines(title, COLORMAP, saliency_limits(asked.facts.values), target)]


def _draw_integrated(asked: LinesRequest, title: str, target: str) -> list[str]:
    width = asked.facts.inputs[-1]
    summed = asked.facts.values.sum(1).reshape(1, -1, width)
    return [
        f"mosaic = values.sum(1).reshape(-1, {width})  # the colours of a pixel together",
        *figure_lines(title, *signed_limits(summed), target),
    ]


def _draw_occlusion(asked: LinesRequest, title: str, target: str) -> list[str]:
    return ["mosaic = values", *figure_lines(title, *signed_limits(asked.facts.values[None]), target)]


def _draw_conductance(asked: LinesRequest, title: str, target: str) -> list[str]:
    view = replace(asked.shown, layer=title)
    return [*map_lines(view), *draw_lines(view, target)]


METHODS = {
    "grad-cam": Method(
        "Grad-CAM of class {target} at {layer}",
        "Where on the picture the layer supports the class. Each channel is weighted by the mean of its\n"
        "gradient, and only what is above 0 remains of the weighted sum.",
        "Selvaraju et al., Grad-CAM, 2017, section 3",
        _run_grad_cam,
        _draw_places,
    ),
    "saliency": Method(
        "Saliency of class {target}",
        "How much each pixel of what the model is given counts for the class: the size of gradient × input.",
        "Shrikumar et al., Not Just a Black Box, 2016, section 2",
        _run_saliency,
        _draw_saliency,
    ),
    "integrated-gradients": Method(
        "Integrated gradients of class {target}",
        "What each number of the input counts for the class, in units of its score: the mean of the\n"
        "gradient on the way from zeros to the picture, by Gauss-Legendre quadrature, times the way.",
        "Sundararajan et al., Axiomatic Attribution for Deep Networks, 2017, section 3",
        _run_integrated,
        _draw_integrated,
        repeated=True,
    ),
    "occlusion": Method(
        "Occlusion of class {target}",
        "How far the score of the class falls when a window covers a pixel with zeros.",
        "Zeiler and Fergus, Visualizing and Understanding Convolutional Networks, 2014, section 4.2",
        _run_occlusion,
        _draw_occlusion,
        repeated=True,
    ),
    "conductance": Method(
        "Conductance of class {target} at {layer}",
        "What each number that the layer returns counts for the class, in units of its score: on the way\n"
        "from zeros to the picture, the sum of its gradient times its change.",
        "Dhamdhere et al., How Important Is a Neuron?, 2018, section 3",
        _run_conductance,
        _draw_conductance,
        repeated=True,
    ),
    "attention-rollout": Method(
        "Attention rollout of class {target}",
        "Which places of the picture went, by attention through all layers, into the tokens that the score\n"
        "of the class reads. Heads count alike, and so does the path beside each attention.",
        "Abnar and Zuidema, Quantifying Attention Flow in Transformers, 2020, section 3",
        _run_attention,
        _draw_places,
    ),
    "attention-relevance": Method(
        "Attention relevance of class {target}",
        "Which places of the picture went, by attention through all layers, into the score of the class. A\n"
        "number of attention counts times its gradient, where that is above 0.",
        "Chefer et al., Generic Attention-model Explainability, 2021, section 3",
        _run_attention,
        _draw_places,
    ),
}
"""The methods by their names, those of ``facts.METHODS``."""
