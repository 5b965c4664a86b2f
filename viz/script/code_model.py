"""Lines of Python that make a model as Layerglass did.

They use public libraries alone, where these have the model.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ..errors import RequestError
from ..home import IMPORT_CATALOGUE, SCRIPTS_RUN
from ..request.inspection import Inspection
from .code_inputs import is_written_out

_WEIGHTS = ("pretrained", "random")
_NORMS = [
    *["", ""],
    "def in_order(layer, args, output):",
    '    """Put the gradient in order: on a CPU, PyTorch 2.15 misreads one that lies as tokens do."""',
    "    if output.requires_grad:",
    "        output.register_hook(torch.Tensor.contiguous)",
    *["", ""],
    "for layer in model.modules():",
    "    if isinstance(layer, torch.nn.modules.batchnorm._NormBase):  # batch norms, InstanceNorms",
    "        layer.register_forward_pre_hook(lambda layer, args: args[0].contiguous())",
    "        layer.register_forward_hook(in_order)",
]


class Card(Protocol):
    """Facts about a model, such as a card of the catalogue.

    Anything with these attributes will do.
    """

    @property
    def id(self) -> str:
        """The model's id."""

    @property
    def title(self) -> str:
        """Its name as people write it."""

    @property
    def family(self) -> str:
        """Its source: ``bundled``, ``torchvision``, ``timm``."""

    @property
    def task(self) -> str:
        """The task that it was made for."""

    @property
    def preprocessing(self) -> Any:
        """A dataclass of numbers, whose class name tells their meaning."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Its library's arguments besides its name and its weights."""

    @property
    def untrained_options(self) -> Mapping[str, Any]:
        """Further arguments if the weights are untrained."""


def is_quantised(card: Card) -> bool:
    """Return whether the model computes with whole numbers of 8 bits."""
    return bool(card.options.get("quantize"))


def import_lines(card: Card, standard: Sequence[str] = (), drawing: Sequence[str] = ()) -> list[str]:
    """Return the imports of the model, its input and the drawing.

    ``standard`` are lines for modules of the standard library, which come first; ``drawing`` are more of
    matplotlib.
    """
    first = [*(["import warnings"] if is_quantised(card) else []), *standard]
    own = () if is_written_out(card.preprocessing) else ("models",)
    found = {_IMPORTS.get(name, f"import {name}") for name in (*own, _source(card))}
    return [
        *([*first, ""] if first else []),
        *sorted({"import numpy as np", "import torch", *found}),
        *drawing,
        "from matplotlib.figure import Figure",
        "from PIL import Image, ImageOps",
    ]


def model_lines(
    wanted: Inspection, card: Card, *, fused: bool, repeated: bool, misread: bool = False
) -> list[str]:
    """Return the lines that make ``model``, ready to run.

    Args:
        wanted: what is wanted.
        card: the model's card.
        fused: whether it has attention that passes by its layers unless it is told not to.
        repeated: whether it runs more than once.
        misread: whether PyTorch alone misreads a gradient at one of its norms.

    Raises:
        RequestError: no library has these weights, such as those of an upload.
    """
    if wanted.weights not in _WEIGHTS:
        raise RequestError(
            "A script can load trained or untrained weights, not those that a visitor brought."
        )
    return [
        *_MAKERS[_source(card)](card, wanted.weights == "pretrained"),
        *([] if wanted.gradient is None else ["model.requires_grad_(False)"]),
        *([_LAYERS_RUN] if fused else []),
        *_mode_lines(wanted.training, repeated=repeated),
        *(_NORMS if misread else []),
    ]


def is_repeated(wanted: Inspection) -> bool:
    """Return whether a view's script runs its model more than once."""
    return wanted.show == "difference" or any(edit.donor for edit in wanted.in_force)


def _mode_lines(training: int | None, *, repeated: bool) -> list[str]:
    """Return the lines that put ``model`` into training mode, if wanted.

    If it runs more than once, they define ``begin``, because a layer may remember its last run.
    """
    if training is None:
        return []
    mode = "model.train()  # dropout drops, and norms take the mean of what they are given"
    return [mode, *(_BEGIN.format(seed=training).splitlines() if repeated else [])]


def mode_said(training: int | None, device: str) -> list[str]:
    """Return a script's first lines about training mode; none about evaluation mode."""
    if training is None:
        return []
    said = f"The model is in training mode; its random numbers begin with the seed {training}."
    other = "It was on another device, which draws other numbers: what a layer drops may differ here."
    return [said, *([] if device.startswith("cpu") else [other])]


def begin_lines(training: int | None, *, repeated: bool) -> list[str]:
    """Return the line before each run of ``model``, in training mode.

    There is none in evaluation mode.
    """
    if training is None:
        return []
    return ["begin()"] if repeated else [f"torch.manual_seed({training})  # of what is drawn in the run"]


_BEGIN = """\
buffers = [buffer.clone() for buffer in model.buffers()]


def begin():
    \"\"\"Begin a run: with the same random numbers, and buffers, such as running means, as they were.\"\"\"
    torch.manual_seed({seed})
    for buffer, before in zip(model.buffers(), buffers, strict=True):
        buffer.copy_(before)

"""


def _source(card: Card) -> str:
    """Return the package that makes the model from nothing but its name."""
    return card.family if card.family in _MAKERS else "models"


def _from_torchvision(card: Card, pretrained: bool) -> list[str]:
    options = dict(card.options) if pretrained else {**card.options, **card.untrained_options}
    weights = '"DEFAULT"' if pretrained else "None"
    told = "".join(f", {name}={value!r}" for name, value in options.items())
    made = f"model = torchvision.models.get_model({card.id!r}, weights={weights}{told}).eval()"
    return [*([] if pretrained else [_SEED]), *(_quantised(made) if is_quantised(card) else [made])]


def _quantised(made: str) -> list[str]:
    return [
        'warnings.simplefilter("ignore")  # about quantisation, which PyTorch is to replace',
        "engine = torch.backends.quantized.engine",
        made,
        "torch.backends.quantized.engine = engine  # torchvision has switched it",
    ]


def _from_timm(card: Card, pretrained: bool) -> list[str]:
    name = card.id.removeprefix("timm/")
    seed = [] if pretrained else [_SEED]
    return [*seed, f"model = timm.create_model({name!r}, pretrained={pretrained}).eval()"]


def _from_layerglass(card: Card, pretrained: bool) -> list[str]:
    weights = "pretrained" if pretrained else "random"
    why = (
        ["# This net and the names of its layers are Layerglass's:", f"# run this script {SCRIPTS_RUN}."]
        if card.family == "bundled"
        else [
            "# Layerglass makes a model of your own by the name that LAYERGLASS_MODEL gives:",
            f"# set it as it was when this script was made, and run this {SCRIPTS_RUN}.",
        ]
    )
    return [*why, f"model = models.load({card.id!r}, weights={weights!r})"]


def _from_the_notebook(card: Card, pretrained: bool) -> list[str]:
    if not pretrained:
        raise RequestError("A script has the weights that the model came with: choose them.")
    return [
        f"# Run this where `model` is the {card.title} that was shown, as it was then; it stays as it is.",
        "model = copy.deepcopy(model).cpu().eval()",
    ]


_IMPORTS = {"models": IMPORT_CATALOGUE, "handed": "import copy"}
_LAYERS_RUN = "torch.backends.mha.set_fastpath_enabled(False)  # attention in one piece passes by its layers"
_SEED = "torch.manual_seed(0)  # the same untrained weights everywhere"
_MAKERS: dict[str, Callable[[Card, bool], list[str]]] = {
    "torchvision": _from_torchvision,
    "timm": _from_timm,
    "models": _from_layerglass,
    "handed": _from_the_notebook,
}
