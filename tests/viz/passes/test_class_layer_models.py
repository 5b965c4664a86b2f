"""First Grad-CAM layer in transformers of timm and torchvision: not zero, or zero for a true reason."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torchvision.models import MaxVit, SwinTransformer, VisionTransformer
from torchvision.models.swin_transformer import PatchMergingV2, SwinTransformerBlockV2

from tests.viz.passes.test_class_layer import gradient_by_hand
from tests.viz.subjects import photo
from viz.hooks.activations import LayerActivations
from viz.passes.attribution import capture_gradients
from viz.passes.class_layer import class_layer
from viz.passes.forward import survey_with_layouts
from viz.pictures.subject import Subject

pytestmark = pytest.mark.slow
timm = pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")

SMALL: dict[str, Any] = {"embed_dim": 48, "depth": 2, "num_heads": 3}
OF_14 = SMALL | {"img_size": 56}
FOUR: dict[str, Any] = {"depths": (1, 1, 2, 1), "embed_dim": 24, "num_heads": (1, 2, 4, 8)}
OF_TIMM: dict[str, dict[str, Any]] = {
    "vit_tiny_patch16_224": SMALL,
    "vit_base_patch16_clip_224": SMALL,
    "vit_base_patch16_siglip_224": SMALL,
    "vit_base_patch16_siglip_gap_224": SMALL,
    "vit_small_patch16_dinov3": SMALL,
    "vit_small_patch14_reg4_dinov2": OF_14,
    "flexivit_small": SMALL,
    "deit_tiny_patch16_224": SMALL,
    "deit_tiny_distilled_patch16_224": SMALL,
    "deit3_small_patch16_224": SMALL,
    "cait_xxs24_224": SMALL,
    "xcit_nano_12_p16_224": SMALL | {"num_heads": 4},
    "beit_base_patch16_224": SMALL,
    "beitv2_base_patch16_224": SMALL,
    "eva02_tiny_patch14_224": OF_14,
    "eva02_base_patch14_224": OF_14,
    "convit_tiny": SMALL | {"local_up_to_layer": 1},
    "tnt_s_patch16_224": {"depth": 2, "embed_dim": 48, "num_heads_outer": 3},
    "vit_relpos_small_patch16_224": SMALL,
    "vit_srelpos_small_patch16_224": SMALL,
    "swin_tiny_patch4_window7_224": FOUR | {"img_size": 56},
    "swinv2_tiny_window8_256": FOUR | {"window_size": 4},
    "levit_128s": {"img_size": 128},
    "pit_ti_224": {},
    "pit_ti_distilled_224": {},
    "twins_svt_small": {},
    "pvt_v2_b0": {"img_size": None},
    "visformer_tiny": {},
    "mvitv2_tiny": {},
    "mvitv2_small_cls": {},
    "coatnet_pico_rw_224": {},
    "maxvit_rmlp_pico_rw_256": {},
    "nest_tiny": {},
    "volo_d1_224": {},
    "davit_tiny": {"img_size": None},
    "coat_tiny": {},
    "crossvit_tiny_240": {"img_size": 240},
    "hiera_tiny_224": {},
    "mobilevit_xxs": {"img_size": None},
    "edgenext_xx_small": {"img_size": None},
}
OF_TORCHVISION: dict[str, Callable[[], nn.Module]] = {
    "VisionTransformer": lambda: VisionTransformer(64, 16, 2, 3, 48, 96, num_classes=10),
    "SwinTransformer": lambda: SwinTransformer([4, 4], 24, [1, 1], [2, 4], [4, 4], num_classes=10),
    "SwinTransformerV2": lambda: SwinTransformer(
        [4, 4],
        24,
        [1, 1],
        [2, 4],
        [4, 4],
        num_classes=10,
        block=SwinTransformerBlockV2,
        downsample_layer=PatchMergingV2,
    ),
    "MaxVit": lambda: MaxVit((64, 64), 8, 4, [8, 16], [1, 1], 8, 0.1, num_classes=10),
}


def made(name: str) -> tuple[nn.Module, Tensor]:
    """A small untrained model with frozen weights, and noise as its picture."""
    torch.manual_seed(0)
    settings = {"img_size": 64} | OF_TIMM.get(name, {})
    side = settings["img_size"] or 64
    if settings["img_size"] is None:
        del settings["img_size"]
    model = OF_TORCHVISION[name]() if name in OF_TORCHVISION else timm.create_model(name, **settings)
    return model.eval().requires_grad_(False), torch.randn(1, 3, side, side)


@pytest.mark.models
@pytest.mark.parametrize("name", [*OF_TIMM, *OF_TORCHVISION])
def test_the_map_is_not_zero_where_the_class_is_looked_for_first(name: str) -> None:
    """Of the winner, or of the next if everything speaks against it; or the head's weights are all zero."""
    model, images = made(name)
    winners = model(images)[0].topk(3).indices.tolist()
    subject = Subject(model, lambda _: images, lambda _: photo(0).image)
    layers = LayerActivations(model, "cpu")
    rows, known = survey_with_layouts(layers, (images,))
    layer, call = class_layer(layers, (images,), rows, known, winners[0], 1 << 26)
    if gradient_by_hand(model, layer, images, winners[0]).any():
        found = (
            capture_gradients(layers, subject, (images,), [layer], target, known=known)[layer].cams[call]
            for target in winners
        )
        assert any(cam.array.any() for cam in found)
    else:
        whole = images.clone().requires_grad_()
        assert not torch.autograd.grad(model(whole)[0, winners[0]], whole)[0].any()
