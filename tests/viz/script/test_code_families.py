"""The script of one model of each family, in a process without the checkout unless the script imports it."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch

import models
from models.zoo.torchvision_zoo import TorchvisionFamily
from tests.viz.fresh import OURS, assert_script_agrees, captured, imported, noise_photo, wanted_of
from viz.script.code import script

pytestmark = [
    pytest.mark.slow,
    pytest.mark.models,
    pytest.mark.filterwarnings("ignore:.*quantize.*:UserWarning", "ignore:TypedStorage:UserWarning"),
]

VIEWS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "classification": ("squeezenet1_1", "features.3.expand3x3", {"call": 0}),
    "said to initialise": ("googlenet", "inception3a.branch2.1.conv", {}),
    "quantised": ("quantized_resnet18", "layer1.0.conv1", {}),
    "quantised, a stub's input": ("quantized_resnet18", "quant", {"leaf": "inputs[0]"}),
    "quantised, scores": ("quantized_resnet18", "fc", {}),
    "quantised for phones": ("quantized_mobilenet_v2", "features.4.conv.1.0", {"scale": "channel"}),
    "segmentation": ("lraspp_mobilenet_v3_large", "classifier.low_classifier", {}),
    "detection": ("fasterrcnn_mobilenet_v3_large_320_fpn", "rpn.head.cls_logits", {"call": 1}),
    "detection, regions": ("fasterrcnn_mobilenet_v3_large_320_fpn", "roi_heads.box_head.fc6", {}),
    "video": ("mc3_18", "layer2.0.conv1.0", {"index": 2}),
    "optical flow": ("raft_small", "update_block.flow_head.conv2", {"call": 11}),
    "optical flow, both frames": ("raft_small", "feature_encoder", {"row": 1}),
}
TIMM: dict[str, tuple[str, str, dict[str, Any]]] = {
    "timm": ("timm/test_vit", "blocks.0.attn.qkv", {}),
    "timm, squeezed": ("timm/coat_lite_medium_384", "patch_embed1.proj", {}),
    "timm, features": ("timm/test_resnet", "layer1.0.conv1", {}),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_model_of_torchvision_needs_nothing_of_layerglass(name: str, tmp_path: Path) -> None:
    """Every task; the array is the captured one bit for bit, and the script says that it is."""
    model, layer, more = VIEWS[name]
    assert_script_agrees(wanted_of(noise_photo(), model, layer, **more), noise_photo(), tmp_path)
    assert not imported((tmp_path / "view.py").read_text("utf-8")) & OURS


@pytest.mark.parametrize("name", TIMM)
def test_a_model_of_timm_needs_nothing_of_layerglass(name: str, tmp_path: Path) -> None:
    """A picture whose middle is cut out, and one that is squeezed."""
    pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
    model, layer, more = TIMM[name]
    assert_script_agrees(wanted_of(noise_photo(), model, layer, **more), noise_photo(), tmp_path)
    assert not imported((tmp_path / "view.py").read_text("utf-8")) & OURS


@pytest.mark.parametrize("weights", ["pretrained", "random"])
@pytest.mark.parametrize(
    ("model", "layer"),
    [
        ("lenet", "pool2"),
        ("photonet", "stage2.1.bn1"),
        ("patchformer", "blocks.3.attention"),
        ("signalnet", "fc"),
        ("efficientnet_lite0", "stage3.block1.depthwise.pad"),
    ],
)
def test_the_script_of_an_included_net_imports_us_and_says_why(
    model: str, layer: str, weights: str, tmp_path: Path
) -> None:
    """No other library has these nets with these names, wherever their weights come from."""
    wanted = wanted_of(noise_photo(), model, layer, weights=weights)
    assert_script_agrees(wanted, noise_photo(), tmp_path)
    text = (tmp_path / "view.py").read_text("utf-8")
    assert imported(text) & OURS == {"models"}
    assert "# This net and the names of its layers are Layerglass's:" in text


TRAINED = {
    "squeezenet1_1": ("squeezenet1_1-b8a52dc0.pth", "features.0"),
    "vit_b_32": ("vit_b_32-d86f8d99.pth", "encoder.layers.encoder_layer_0.self_attention"),
    "lraspp_mobilenet_v3_large": ("lraspp_mobilenet_v3_large-d234d4ea.pth", "classifier.cbr.0"),
    "quantized_shufflenet_v2_x0_5": ("shufflenetv2_x0.5_fbgemm-00845098.pth", "stage2.0.branch1.0"),
    "raft_small": ("raft_small_C_T_V2-01064c6d.pth", "context_encoder.conv"),
}


@pytest.mark.parametrize("name", TRAINED)
def test_trained_weights_come_from_where_torch_keeps_them(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file under the name of torchvision's has weights that another seed draws; without a network."""
    file, layer = TRAINED[name]
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "torch"))
    monkeypatch.delenv("LAYERGLASS_WEIGHTS_URL", raising=False)
    checkpoints = tmp_path / "torch" / "hub" / "checkpoints"
    checkpoints.mkdir(parents=True)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        torch.save(TorchvisionFamily().untrained(name).state_dict(), checkpoints / file)
    wanted = wanted_of(noise_photo(), name, layer, weights="pretrained")
    shown = assert_script_agrees(wanted, noise_photo(), tmp_path)
    untrained, view, _ = captured(dataclasses.replace(wanted, weights="random"), noise_photo())
    assert shown.tobytes() != untrained.call(0)[view.leaf].array.tobytes()


def test_a_vision_transformer_is_made_for_its_own_size_of_pictures() -> None:
    """ViT-H/14 sees 518 pixels, and its plain constructor expects 224: such a script has failed."""
    card = models.describe("vit_h_14")
    assert card.input_size == (518, 518)
    wanted = wanted_of(noise_photo(), "vit_b_32", "conv_proj")
    _, view, facts = captured(wanted, noise_photo())
    assert "weights=None, image_size=518)" in script(wanted, view, card, facts)


def test_trained_weights_of_timm_come_from_where_its_libraries_keep_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file with another seed's numbers in the cache of the Hugging Face libraries; without a network."""
    timm = pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
    from huggingface_hub import constants
    from safetensors.torch import save_file

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))  # for the script
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("LAYERGLASS_WEIGHTS_URL", raising=False)
    repository = timm.get_pretrained_cfg("test_vit").hf_hub_id
    folder = tmp_path / f"models--{repository.replace('/', '--')}"
    for inside in ("refs", "snapshots/abc"):
        (folder / inside).mkdir(parents=True)
    (folder / "refs" / "main").write_text("abc")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        save_file(
            timm.create_model("test_vit").state_dict(), folder / "snapshots" / "abc" / "model.safetensors"
        )
    wanted = wanted_of(noise_photo(), "timm/test_vit", "blocks.0.attn.qkv", weights="pretrained")
    assert_script_agrees(wanted, noise_photo(), tmp_path)
