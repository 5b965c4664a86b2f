"""Scripts of what counts for a class are run in a fresh process; what they save is compared with captum's."""

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import captum.attr
import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn
from torch.overrides import TorchFunctionMode

import models
import viz
from tests.viz.fresh import OURS, imported, noise_photo, run, wanted_of
from tests.viz.passes.test_rollout import IMAGES, Net, Torchs
from viz.commands.script import script_text
from viz.errors import RequestError
from viz.hooks.activations import LayerActivations
from viz.pictures.subject import Subject
from viz.request.arrangement import Arrangement
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.request.method import METHODS, OF_ATTENTION, OF_LAYERS, STEPS, Method
from viz.script.attribution.attention import rollout_lines
from viz.script.attribution.code import attribution_script

SAME = "The same numbers as in Layerglass: "
PHOTO = noise_photo()
NETS = {"photonet": "stage2.1.bn2", "lenet": "conv2"}
EVERYWHERE = [name for name in METHODS if name not in OF_ATTENTION]
OTHERS = [
    *[("timm/test_vit", "blocks.0.norm1", method) for method in METHODS],
    ("resnet18", "layer4.1.conv2", "grad-cam"),
    ("resnet18", "layer4.1.conv2", "saliency"),
    ("resnet18", "layer4.1.relu", "grad-cam"),  # which works in place
    ("squeezenet1_1", "features.12", "conductance"),
]


@cache
def text_of(method: str, wanted: Inspection) -> str:
    """The script of a method, as the command line writes it."""
    card = models.describe(wanted.model)
    module = models.load(wanted.model, wanted.weights)
    subject = Subject(module, card.preprocessing, card.preprocessing.as_seen, card.classes)
    return script_text(subject, LayerActivations(module, "cpu"), wanted, PHOTO, card, method=method)


def made(text: str, folder: Path) -> np.ndarray:
    """Run a script in an empty folder; it must find our numbers, and draw them. What it saves."""
    said = run(text, PHOTO, folder)
    assert said.startswith(SAME), said
    with Image.open(folder / "maps.png") as drawn:
        assert drawn.width > 100
    found: np.ndarray = np.load(folder / "values.npy")
    return found


def by_captum(method: str, net: nn.Module, images: torch.Tensor, layer: nn.Module, target: int) -> Any:
    """Return captum's result; it multiplies and adds up as it likes.

    With as few pictures at a time as it allows: in a batch a sum may differ in its last bits, and a ReLU near
    zero then lets another slope through.
    """
    height, width = images.shape[-2:]
    window = min(height, width) // 7
    if method == "grad-cam":
        return captum.attr.LayerGradCam(net, layer).attribute(images, target, relu_attributions=True)[0, 0]
    if method == "saliency":
        found = captum.attr.InputXGradient(net).attribute(images.requires_grad_(), target)
        return found.abs().amax(1)[0]
    if method == "integrated-gradients":
        return captum.attr.IntegratedGradients(net).attribute(
            images, target=target, n_steps=STEPS, internal_batch_size=1
        )
    if method == "occlusion":
        size, step = (3, window, window), (3, window // 2, window // 2)
        return captum.attr.Occlusion(net).attribute(images, size, step, target=target)[0, 0]
    return captum.attr.LayerConductance(net, layer).attribute(
        images, target=target, n_steps=STEPS, internal_batch_size=2
    )


@pytest.mark.parametrize("method", EVERYWHERE)
@pytest.mark.parametrize("model", ["photonet", pytest.param("lenet", marks=pytest.mark.slow)])
def test_the_script_of_an_included_net_makes_captums_numbers(model: str, method: str, tmp_path: Path) -> None:
    """Trained weights; captum shares no line with us, and the script itself finds our numbers."""
    wanted = wanted_of(PHOTO, model, NETS[model], weights="pretrained", gradient=3)
    values = made(text_of(method, wanted), tmp_path)
    images, net = models.describe(model).preprocessing(PHOTO.image), models.load(model)
    expected = by_captum(method, net, images, net.get_submodule(NETS[model]), 3).detach().numpy()
    assert values.dtype == np.float32
    np.testing.assert_allclose(values, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())
    assert imported((tmp_path / "view.py").read_text("utf-8")) & OURS == {"models"}


@pytest.mark.parametrize("method", OF_ATTENTION)
def test_the_script_of_attention_makes_the_same_numbers_from_the_tables_it_keeps(
    method: str, tmp_path: Path
) -> None:
    """The transformer that comes along; its cells lie where its patches are."""
    wanted = wanted_of(PHOTO, "patchformer", "blocks.0.norm1", weights="pretrained", gradient=3)
    values = made(text_of(method, wanted), tmp_path)
    assert (values.shape, values.dtype) == ((8, 8), np.float32)
    assert values.min() >= 0 < values.max()


@pytest.mark.parametrize("relevance", [False, True])
@pytest.mark.parametrize("make", [Torchs, lambda: Net("probe"), lambda: Net("mean", fused=True)])
def test_the_lines_of_attention_find_what_we_do(make: Callable[[], nn.Module], relevance: bool) -> None:
    """PyTorch's own layer, whose table lies outside the graph, a pooling, and a mean of all tokens."""
    model = make().eval()
    layers = LayerActivations(model, "cpu")
    count = 25 if isinstance(model, Torchs) else 24
    tokens = Arrangement((count,), (0,), (1, 4, 6), tuple(range(count - 24, count)))
    names = {
        "model": model,
        "arguments": (IMAGES.clone(),),
        "torch": torch,
        "TorchFunctionMode": TorchFunctionMode,
    }
    exec("\n".join(rollout_lines([], 1, tokens, relevance=relevance)), names)  # our own lines
    expected = viz.attention_map(layers, IMAGES, 1, relevance=relevance)
    np.testing.assert_allclose(names["values"], expected, rtol=1e-4)


def test_the_script_of_a_net_whose_norm_pytorch_misreads_puts_its_gradients_in_order(tmp_path: Path) -> None:
    """Saliency from two equal pictures is right; a net that has no need of the lines has none."""
    wanted = wanted_of(PHOTO, "patchformer", "stem.conv1", weights="pretrained", gradient=3)
    values = made(text := text_of("saliency", wanted), tmp_path)
    pair = models.describe("patchformer").preprocessing(PHOTO.image).repeat(2, 1, 1, 1).requires_grad_()
    (gradient,) = torch.autograd.grad(models.load("patchformer").eval()(pair)[:, 3].sum(), pair)
    expected = (gradient * pair.detach())[0].abs().amax(0).numpy()
    np.testing.assert_allclose(values, expected, rtol=1e-3, atol=1e-4 * expected.max())
    assert "def in_order(" in text
    other = wanted_of(PHOTO, "photonet", NETS["photonet"], weights="pretrained", gradient=3)
    assert "def in_order(" not in text_of("saliency", other)


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.parametrize(("model", "layer", "method"), OTHERS)
def test_the_script_of_another_model_needs_nothing_of_layerglass(
    model: str, layer: str, method: str, tmp_path: Path
) -> None:
    """Of torchvision and timm, untrained; with tokens that are laid out as a grid for Grad-CAM."""
    if model.startswith("timm/"):
        pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
    made(text := text_of(method, wanted_of(PHOTO, model, layer, gradient=7)), tmp_path)
    assert not imported(text) & OURS


def seeded(net: nn.Module, seed: int) -> Callable[[torch.Tensor], torch.Tensor]:
    """The net in training mode, which draws the same numbers in every run and forgets what it saw."""
    net.train()
    before = [buffer.clone() for buffer in net.buffers()]

    def forward(images: torch.Tensor) -> torch.Tensor:
        torch.manual_seed(seed)
        for buffer, value in zip(net.buffers(), before, strict=True):
            buffer.copy_(value)
        scores: torch.Tensor = net(images)
        return scores

    return forward


@pytest.mark.parametrize(
    "method", ["grad-cam", "occlusion", pytest.param("saliency", marks=pytest.mark.slow)]
)
def test_the_script_of_a_net_in_training_mode_says_so_and_makes_our_numbers(
    method: str, tmp_path: Path
) -> None:
    """They are others than in evaluation mode; every run begins with the same random numbers."""
    wanted = wanted_of(PHOTO, "photonet", "stage2.1.bn2", weights="pretrained", gradient=3, training=5)
    values = made(text_of(method, wanted), tmp_path)
    assert "in training mode; its random numbers begin with the seed 5" in (tmp_path / "view.py").read_text(
        "utf-8"
    )
    net = models.load("photonet")
    images, forward = models.describe("photonet").preprocessing(PHOTO.image), seeded(net, 5)
    if method == "occlusion":
        size, step = (3, 4, 4), (3, 2, 2)
        with torch.no_grad():
            expected = captum.attr.Occlusion(forward).attribute(images, size, step, target=3)[0, 0].numpy()
        np.testing.assert_allclose(values, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())
    plain = text_of(method, dataclasses.replace(wanted, training=None))
    assert plain.split("values_sums")[1] != text_of(method, wanted).split("values_sums")[1]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["integrated-gradients", "conductance"])
def test_dropout_drops_the_same_in_every_run_of_a_script(method: str, tmp_path: Path) -> None:
    """A model with a dropout; without the seed before each run the script would find other numbers."""
    wanted = wanted_of(PHOTO, "timm/test_vit", "blocks.0.norm1", gradient=7, training=5)
    pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
    made(text_of(method, wanted), tmp_path)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("training", "colormap"), [(None, "auto"), (7, "auto"), (None, "auto_root")])
def test_a_script_of_a_class_uses_all_that_it_imports_and_names(
    method: str, training: int | None, colormap: str, tmp_path: Path
) -> None:
    """As ruff sees it; the hook, if there is one, stands first, and the check last."""
    model, layer = ("patchformer", "blocks.0.norm1") if method in OF_ATTENTION else ("lenet", "conv2")
    wanted = wanted_of(PHOTO, model, layer, gradient=3, training=training, colormap=colormap)
    text = text_of(method, wanted)
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F,E4,E7,E9,W,I,B", "-"],
        cwd=tmp_path,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
    hook = ["def keep("] if method in OF_LAYERS else []
    parts = [*hook, "\nmodel = ", "\nimage = ", "\narguments = ", "np.save(", "\nmosaic = ", "savefig(", SAME]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert not {"captum", "viz"} & imported(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "old", "new"),
    [
        ("grad-cam", "weights = gradients.mean((1, 2)", "weights = abs(gradients).mean((1, 2)"),
        ("saliency", "[0, 3]", "[0, 4]"),
        ("integrated-gradients", "(1 + places) / 2", "(2 + places) / 2"),
        ("occlusion", "] = 0", "] = 1"),
        ("conductance", "outputs[0]", "calls[0]"),
    ],
)
def test_a_script_that_computes_something_else_says_so(
    method: str, old: str, new: str, tmp_path: Path
) -> None:
    """One change each; the script then denies that the numbers are ours."""
    text = text_of(method, wanted_of(PHOTO, "lenet", "conv2", weights="pretrained", gradient=3))
    assert text.count(old) == 1
    assert run(text.replace(old, new), PHOTO, tmp_path).startswith("NOT the numbers of Layerglass: ")


def test_what_no_script_of_a_class_can_make_is_refused() -> None:
    """Without a class, with edits, or at an operation."""
    wanted = wanted_of(PHOTO, "lenet", "conv2", gradient=3)
    facts: Any = None
    card = models.describe("lenet")
    for more, said in (
        ({"gradient": None}, "choose a class"),
        ({"edits": edits_from("conv1:zero:1")}, "without edits"),
        ({"layer": "› add"}, "for it is an operation"),
    ):
        with pytest.raises(RequestError, match=said):
            attribution_script(Method("conductance"), dataclasses.replace(wanted, **more), card, facts)
