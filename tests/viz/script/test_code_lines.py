"""Copied code as text: the order of its parts, nothing that is not used, and what its last line says."""

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from torch import nn

import models
from tests.viz.fresh import SAME, captured, noise_photo, run, wanted_of
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.request.edit_request import edits_from
from viz.script.code import script
from viz.script.work import has_fused_attention

EDITS = edits_from("conv1:swap:3,5:camera;relu1:zero:1;conv2:swap:0:zone_plate")
VIEWS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "plain": ("lenet", "conv2", {"weights": "pretrained"}),
    "one map": ("lenet", "conv2", {"leaf": "inputs[0]", "order": "mean", "scale": "channel"}),
    "edits": ("lenet", "fc1", {"edits": EDITS, "show": "difference"}),
    "training": ("photonet", "stage1.1.add", {"edits": edits_from("stage1.1.bn1:zero:1"), "training": 7}),
    "a gradient": ("lenet", "conv1", {"gradient": 3, "edits": edits_from("conv2:gradient.noise:0-4:0.1:7")}),
    "one call": ("photonet", "stage1.1.add", {"edits": edits_from("stage1.1.relu1@1:zero:1")}),
    "of torchvision": ("squeezenet1_1", "features.0", {}),
    "quantised": ("quantized_shufflenet_v2_x0_5", "conv1.0", {}),
    "a clip": ("mc3_18", "stem.0", {"index": 3}),
    "a pair": ("raft_small", "context_encoder.convnormrelu.0", {}),
}


@cache
def text_of(name: str) -> str:
    """The script of a view of noise."""
    model, layer, more = VIEWS[name]
    wanted = wanted_of(noise_photo(), model, layer, **more)
    _, view, facts = captured(wanted, noise_photo())
    return script(wanted, view, models.describe(model), facts)


@pytest.mark.parametrize("name", VIEWS)
def test_a_script_uses_all_that_it_imports_and_names(name: str, tmp_path: Path) -> None:
    """As ruff sees it: pyflakes, pycodestyle, bugbear, sorted imports."""
    rules = "F,E4,E7,E9,W,I,B"
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", rules, "-"],
        cwd=tmp_path,  # not where our own modules would count as the script's
        input=text_of(name),
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("name", VIEWS)
def test_the_hook_stands_first_and_the_check_last(name: str) -> None:
    """Imports, hooks, model, picture, run, numbers, drawing, check."""
    text = text_of(name)
    parts = (
        "import torch",
        "calls = []",
        "def keep(",
        "\nmodel = ",
        "\nimage = ",
        "\narguments = ",
        "hook(keep",
        "model(*arguments)",
        "np.save(",
        "\nmaps = ",
        "imshow(",
        "savefig(",
        "def distance(",
        "The same numbers as in the view",
    )
    places = [text.rindex(part) if part == "model(*arguments)" else text.index(part) for part in parts]
    assert places == sorted(places)


def test_lines_that_a_model_does_not_need_are_left_out() -> None:
    """Attention is told to show its layers only where there is some; a net of convolutions has none."""
    assert "fastpath" not in text_of("of torchvision")
    assert not has_fused_attention(nn.Sequential(nn.Conv2d(3, 4, 5), nn.ReLU()))
    assert has_fused_attention(nn.Sequential(nn.Identity(), nn.TransformerEncoderLayer(8, 2)))
    for name, plain in (("plain", True), ("quantised", False)):
        text = text_of(name)
        assert ("warnings" not in text) == ("engine" not in text) == plain


CAT = photograph(sample("cat"))
CHANGES = {
    "another call": ("layer1.0.relu", "calls[0]", "calls[1]"),
    "another layer": ("layer1.1.bn2", "get_submodule('layer1.1.bn2')", "get_submodule('layer1.0.bn2')"),
    "another filter": ("conv1", "BILINEAR", "BICUBIC"),
    "no mean": ("layer1.1.bn2", "- mean) / std", ") / std"),
    "a pixel to the right": (
        "layer1.1.bn2",
        "crop((left, top, left + 224",
        "crop((left + 1, top, left + 225",
    ),
    "other weights": ("conv1", "manual_seed(0)", "manual_seed(1)"),
    "training mode": ("layer1.1.bn2", ".eval()", ""),
    "upside down": ("conv1", ".convert('RGB')", ".convert('RGB').rotate(180)"),
}


@cache
def text_about_cat(layer: str) -> str:
    """The script of a layer of ResNet-18."""
    wanted = wanted_of(CAT, "resnet18", layer)
    _, view, facts = captured(wanted, CAT)
    return script(wanted, view, models.describe("resnet18"), facts)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_script_says_when_it_makes_other_numbers(name: str, tmp_path: Path) -> None:
    """A photograph, whose neighbouring pixels are alike: the harder case."""
    layer, old, new = CHANGES[name]
    text = text_about_cat(layer)
    assert text.count(old) == 1
    assert run(text.replace(old, new), CAT, tmp_path).startswith("NOT the numbers of the view: ")


OTHER_MACHINE = {
    "OMP_NUM_THREADS": "3",
    "ATEN_CPU_CAPABILITY": "default",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "MKL_CBWR": "COMPATIBLE",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "layer", "more"),
    [
        ("resnet18", "layer4.1.conv2", {}),
        ("resnet18", "layer1.0.conv1", {"gradient": 7}),
        ("quantized_resnet18", "layer4.1.conv2", {}),
        ("raft_small", "update_block.flow_head.conv2", {"call": 11}),
    ],
)
def test_another_machine_raises_no_alarm(
    model: str, layer: str, more: dict[str, Any], tmp_path: Path
) -> None:
    """Instructions of 2006 and other threads round differently: not the same bits, but the same numbers."""
    wanted = wanted_of(CAT, model, layer, **more)
    _, view, facts = captured(wanted, CAT)
    said = run(script(wanted, view, models.describe(model), facts), CAT, tmp_path, **OTHER_MACHINE)
    assert said.startswith("The same numbers as in the view: ")
    assert not said.startswith(SAME)


@pytest.mark.slow
def test_a_quantised_model_without_its_whole_numbers_is_found_out(tmp_path: Path) -> None:
    """Scripts once did this: the plain model under the name of the quantised one."""
    for layer in ("conv1", "layer1.0.conv1", "layer4.1.conv2"):
        wanted = wanted_of(CAT, "quantized_resnet18", layer)
        _, view, facts = captured(wanted, CAT)
        text = script(wanted, view, models.describe("quantized_resnet18"), facts)
        plain = text.replace(", quantize=True", "").replace(".dequantize()", "")
        assert run(plain, CAT, tmp_path).startswith("NOT the numbers of the view: ")
