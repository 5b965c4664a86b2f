"""Copied code is run in a fresh process, and its array compared bit for bit."""

import dataclasses
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import models
from tests.viz.fresh import assert_script_agrees, captured, imported, noise_photo, wanted_of
from viz.errors import RequestError
from viz.maps.layout import arrange
from viz.pictures.photo import Photo, cropped
from viz.request.arrangement import Arrangement
from viz.request.edit_request import edits_from
from viz.script.code import script
from viz.script.code_drawing import map_lines


@pytest.fixture
def photo() -> Photo:
    """A picture of noise."""
    return noise_photo()


def test_the_script_of_a_trained_net_makes_the_same_numbers(photo: Photo, tmp_path: Path) -> None:
    """LeNet's own weights, through Layerglass's catalogue, sorted and with a scale for each channel."""
    wanted = wanted_of(photo, "lenet", "conv2", scale="channel", order="variance")
    assert_script_agrees(dataclasses.replace(wanted, weights="pretrained"), photo, tmp_path)


def test_the_script_of_a_part_of_a_picture_cuts_it_out(photo: Photo, tmp_path: Path) -> None:
    """It reads the whole picture, and saves the very numbers of the part."""
    part = cropped(photo, "13,5,50,60")
    shown = assert_script_agrees(wanted_of(part, "lenet", "conv2"), part, tmp_path)
    whole = captured(wanted_of(photo, "lenet", "conv2"), photo)[0]
    assert not np.allclose(whole.call(0)["output"].array, shown)
    assert "image = image.crop((13, 5, 63, 65))" in (tmp_path / "view.py").read_text("utf-8")


def test_the_script_of_a_net_in_training_mode_makes_the_same_numbers(photo: Photo, tmp_path: Path) -> None:
    """PhotoNet's batch normalisations; the script says that it trains, and with which seed."""
    wanted = wanted_of(photo, "photonet", "stage2.1.bn1", weights="pretrained", training=7)
    shown = assert_script_agrees(wanted, photo, tmp_path)
    evaluated = captured(dataclasses.replace(wanted, training=None), photo)[0]
    assert not np.allclose(evaluated.call(0)["output"].array, shown)
    text = (tmp_path / "view.py").read_text("utf-8")
    assert "The model is in training mode; its random numbers begin with the seed 7." in text
    assert (text.count("model.train()"), text.count("manual_seed"), text.count("buffers")) == (1, 1, 0)


def test_each_run_of_a_script_in_training_mode_begins_alike(photo: Photo, tmp_path: Path) -> None:
    """The difference that edits make, one of which takes values from another picture: three runs."""
    edits = edits_from("stage1.1.bn1:swap:0-3:camera;stage1.1.bn2:noise:1:0.5:4")
    wanted = wanted_of(photo, "photonet", "stage2.1.add", edits=edits, show="difference", training=3)
    assert_script_agrees(wanted, photo, tmp_path)
    text = (tmp_path / "view.py").read_text("utf-8")
    assert (text.count("\nbegin()"), text.count("manual_seed(3)")) == (3, 1)


VIEWS = {
    "a convolution": ("resnet18", "layer1.0.conv1", {}),
    "written over in place": ("resnet18", "layer1.1.bn2", {"colormap": "hot"}),
    "second call of a reused layer": ("resnet18", "layer2.0.relu", {"call": 1, "order": "zeros"}),
    "a gradient": ("resnet18", "layer1.1.bn2", {"gradient": 7}),
    "the gradient of a second call": (
        "resnet18",
        "layer3.1.relu",
        {"gradient": 0, "call": 1, "order": "mean"},
    ),
    "a gradient of tokens": ("vit_b_32", "encoder.layers.encoder_layer_9.ln_2", {"gradient": 3}),
    "a gradient in front of tokens": ("patchformer", "stem.bn1", {"gradient": 3}),
    "a vector": ("resnet18", "fc", {}),
    "an input": ("resnet18", "layer1.0.relu", {"leaf": "inputs[0]", "scale": "clipped"}),
    "tokens": ("vit_b_32", "encoder.layers.encoder_layer_1.ln_1", {}),
    "one of a tuple": ("vit_b_32", "encoder.layers.encoder_layer_0.self_attention", {"leaf": "output[0]"}),
    "channels last": ("swin_t", "features.1.0.norm1", {}),
    "a concatenation": ("densenet121", "features.denseblock1", {"scale": "channel"}),
    "a gate": ("mobilenet_v3_small", "features.1.block.1.avgpool", {}),
    "one of many regions": ("fasterrcnn_mobilenet_v3_large_320_fpn", "roi_heads.box_roi_pool", {"row": 3}),
    "a signal": ("signalnet", "features.3", {}),
    "attention": ("patchformer", "blocks.1.attention.softmax", {"kind": "attention-query", "index": 5}),
    "heads of torch's own attention": (
        "vit_b_32",
        "encoder.layers.encoder_layer_1.self_attention › softmax",
        {"kind": "attention-query", "index": 5},
    ),
    "heads of fused attention": ("timm/vit_tiny_patch16_224", "blocks.1.attn › softmax", {}),
    "an addition in place": ("resnet18", "layer1.1 › add", {}),
    "an operation of the model itself": ("squeezenet1_1", "› flatten", {}),
    "the second product of a call": ("swin_t", "features.1.1.attn › matmul 2", {}),
    "tokens in an order of their own": ("timm/hiera_tiny_224", "blocks.1.norm1", {}),
    "a video with channels last": ("swin3d_t", "features.0.0.norm1", {"index": 1}),
    "training mode, with dropout": ("squeezenet1_1", "classifier.0", {"training": 7}),
    "training mode, with paths that are dropped": ("swin_t", "features.1.1", {"training": 0}),
    "a gradient in training mode": ("resnet18", "layer1.1.bn2", {"gradient": 7, "training": 1}),
    "an operation in training mode": ("resnet18", "layer1.1 › add", {"training": 2}),
    "no classifier": ("lraspp_mobilenet_v3_large", "backbone", {"leaf": "output['low']"}),
}


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.parametrize("name", VIEWS)
def test_the_script_makes_the_same_numbers(name: str, photo: Photo, tmp_path: Path) -> None:
    """Views of different kinds, bit for bit on the processor."""
    model, layer, more = VIEWS[name]
    assert_script_agrees(wanted_of(photo, model, layer, **more), photo, tmp_path)


@pytest.mark.parametrize("order", [(), (5, 0, 7, 2, 1, 3, 6, 4)])
def test_values_drawn_by_place_have_lines_that_draw_them_so(photo: Photo, order: tuple[int, ...]) -> None:
    """The lines are run on numbers that are all different, for the second of two frames and of two rows."""
    arrangement = Arrangement((2, 3, 8, 5), (2,), (2, 2, 2), order)
    values = np.arange(240, dtype=np.float32).reshape(arrangement.shape)
    view = captured(wanted_of(photo, "lenet", "conv1"), photo)[1]
    layout = arrange(values, row=1, index=1, arrangement=arrangement)
    shown = dataclasses.replace(
        view,
        kind=layout.kind,
        note=layout.description,
        row=1,
        index=1,
        arrangement=arrangement,
        geometry=msgspec.structs.replace(view.geometry, map_height=2, map_width=2),
    )
    names: dict[str, Any] = {"values": values, "np": np}
    exec("\n".join(map_lines(shown)), names)  # our own lines
    assert np.array_equal(names["maps"], layout.maps)


def test_the_script_needs_nothing_of_layerglass_for_a_model_of_torchvision(photo: Photo) -> None:
    """Torch, torchvision, Pillow, NumPy and matplotlib only; it registers one hook and takes it away."""
    wanted = wanted_of(photo, "squeezenet1_1", "features.0")
    _, view, facts = captured(wanted, photo)
    text = script(wanted, view, models.describe("squeezenet1_1"), facts)
    assert imported(text) == {"numpy", "torch", "torchvision", "PIL", "matplotlib"}
    assert text.count("register_forward_hook") == text.count("handle.remove()") == 1


def test_code_in_a_made_up_path_or_name_never_gets_into_the_script(photo: Photo) -> None:
    """A path must be steps into the output; all other text is quoted."""
    wanted = wanted_of(photo, "lenet", "conv1")
    (_, view, facts), card = captured(wanted, photo), models.describe("lenet")
    for path in (
        "__import__('os').getcwd()",
        "output[0]\nimport os",
        "output[print(1)]",
        "os.x",
        "output(1)",
    ):
        with pytest.raises(RequestError):
            script(wanted, dataclasses.replace(view, leaf=path), card, facts)
    odd = dataclasses.replace(card, title='x"""\nimport os\n"""', id="a'); import os; ('")
    nasty = dataclasses.replace(view, layer="b'); import os; ('", note="one\nimport os")
    assert "os" not in imported(script(wanted, nasty, odd, facts, image_path="c'); import os; ('"))


def test_what_no_script_can_make_is_refused_in_a_sentence(photo: Photo) -> None:
    """Operations have their output alone, parts of an output no gradient; uploads only their visitor has."""
    wanted = wanted_of(photo, "lenet", "conv1")
    (_, view, facts), card = captured(wanted, photo), models.describe("lenet")
    for more in ({"gradient": 3}, {"leaf": "inputs[0]"}, {"edits": edits_from("conv1:zero:1")}):
        with pytest.raises(RequestError, match="for it is an operation"):
            script(dataclasses.replace(wanted, layer="› add", **more), view, card, facts)
    with pytest.raises(RequestError, match="no hook reaches an operation"):
        script(dataclasses.replace(wanted, edits=edits_from("%E2%80%BA%20add:zero:1")), view, card, facts)
    with pytest.raises(RequestError, match="trained or untrained"):
        script(dataclasses.replace(wanted, weights="upload-1"), view, card, facts)
    with pytest.raises(RequestError, match="whole output or at one of its inputs"):
        script(
            dataclasses.replace(wanted, gradient=3), dataclasses.replace(view, leaf="output[0]"), card, facts
        )
