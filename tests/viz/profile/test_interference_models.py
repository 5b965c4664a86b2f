"""Forty-one real models of every kind return the same with and without each mode of capturing."""

from typing import Any

import pytest

from viz.commands.line.subject import load_subject
from viz.hooks.activations import LayerActivations
from viz.passes.forward import BLANK
from viz.profile.interference import interference

MODES: list[dict[str, bool]] = [
    {},
    {"inputs": True},
    {"gradients": True},
    {"inputs": True, "gradients": True},
]
OURS = "lenet photonet patchformer signalnet efficientnet_lite0"
TORCHVISION = (
    "alexnet resnet18 squeezenet1_1 googlenet inception_v3 densenet121 mobilenet_v2 mobilenet_v3_small "
    "mnasnet0_5 shufflenet_v2_x0_5 efficientnet_b0 regnet_y_400mf swin_t vit_b_32 raft_small "
    "ssdlite320_mobilenet_v3_large fasterrcnn_mobilenet_v3_large_320_fpn lraspp_mobilenet_v3_large "
    "quantized_shufflenet_v2_x0_5"
)
TIMM = (
    "test_vit test_convnext test_efficientnet test_resnet hiera_tiny_224 poolformer_s12 repvit_m0_9 "
    "visformer_tiny ese_vovnet19b_dw hrnet_w18_small mambaout_femto cait_xxs24_224 gcvit_xxtiny levit_128s "
    "mixer_s32_224 xcit_nano_12_p16_224 coat_lite_tiny"
)
NAMES = (*OURS.split(), *TORCHVISION.split(), *(f"timm/{name}" for name in TIMM.split()))


@pytest.mark.slow
@pytest.mark.models
@pytest.mark.parametrize("name", NAMES)
def test_looking_leaves_a_real_model_s_output_as_it_is(name: str) -> None:
    """Bit for bit without gradients; with them up to what other kernels round."""
    if name.startswith("timm/"):
        pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
    subject = load_subject(name, "random")
    layers, arguments = LayerActivations(subject.module, device="cpu"), subject.arguments(BLANK)
    found: dict[str, Any] = {
        "+".join(mode) or "outputs": interference(layers, *arguments, **mode) for mode in MODES
    }
    assert found == dict.fromkeys(found)
