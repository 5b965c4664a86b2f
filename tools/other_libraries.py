"""Small untrained models of other libraries, for ``sweep``.

See ``docs/compatibility.md``.

Run it as ``python -m tools.other_libraries`` where ``requirements-others.txt`` is installed; it writes
``docs/compatibility/others.jsonl``. Nothing is downloaded: every model is made from a configuration.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from PIL import Image
from torch import nn
from torchvision.transforms.v2 import functional as pictures

from tools.plain_hooks import tensors
from viz.commands.sweep import PICTURE, sweep
from viz.commands.sweep_report import Bounds, append_row, summary
from viz.findings.output_meaning import BOXES, LOGITS, MASKS, SEVERAL
from viz.hooks.activations import LayerActivations
from viz.passes.forward import predict
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.pictures.subject import Subject
from viz.profile.rows import first_layer
from viz.profile.tree import survey

REPORT = Path(__file__).parents[1] / "docs" / "compatibility" / "others.jsonl"
AGAINST = "tools.plain_hooks:compared"
LOOKS = REPORT.with_name("others-looks.json")
SIDE = 64
MATRIX = 2  # dimensions from which on a tensor has channels
SAME = "unchanged"  # as with a plain hook


def _made(library: str, name: str, **settings: Any) -> nn.Module:
    """A library's class, imported only where it is needed.

    Each process looks at one model.
    """
    module: nn.Module = getattr(import_module(library), name)(**settings)
    return module


def _configured(name: str, config: str, **settings: Any) -> nn.Module:
    module: nn.Module = getattr(TRANSFORMERS(), name)(getattr(TRANSFORMERS(), config)(**settings))
    return module


def _described(name: str) -> nn.Module:
    """A network of ultralytics by its description, which the package contains."""
    module: nn.Module = import_module("ultralytics").YOLO(f"{name}.yaml").model
    return module.float()


class PixelGraph(nn.Module):
    """A graph network on a picture's pixels, each with its four neighbours."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.first = _made("torch_geometric.nn", kind, in_channels=3, out_channels=8)
        self.second = _made("torch_geometric.nn", kind, in_channels=8, out_channels=4)
        edges, _ = import_module("torch_geometric.utils").grid(16, 16)
        self.register_buffer("edges", edges)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return scores (1, 4) of images (1, 3, height, width)."""
        pixels = nn.functional.adaptive_avg_pool2d(images, 16)[0].flatten(1).T
        hidden = self.first(pixels, self.edges).relu()
        scores: torch.Tensor = self.second(hidden, self.edges).mean(0, keepdim=True)
        return scores


TRANSFORMERS = partial(import_module, "transformers")
_ENCODER = {"encoder_name": "resnet18", "encoder_weights": None, "classes": 4}
_TOKENS = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
_VIT = {**_TOKENS, "image_size": SIDE, "patch_size": 8}
_FLAT = {"spatial_dims": 2, "in_channels": 3, "out_channels": 4}
_SMALL_RESNET = {"embedding_size": 16, "hidden_sizes": [16, 32, 48, 64], "depths": [1, 1, 1, 1]}
_BLOCKS = {
    "down_block_types": ("DownEncoderBlock2D",) * 2,
    "up_block_types": ("UpDecoderBlock2D",) * 2,
    "block_out_channels": (16, 32),
    "norm_num_groups": 8,
}


def _detr() -> nn.Module:
    backbone = TRANSFORMERS().ResNetConfig(**_SMALL_RESNET, out_features=["stage4"])
    sizes = {"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "num_queries": 10}
    feet = {"encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "encoder_attention_heads": 4}
    config = TRANSFORMERS().DetrConfig(
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone=None,
        backbone_config=backbone,
        **sizes,
        **feet,
        decoder_attention_heads=4,
    )
    module: nn.Module = TRANSFORMERS().DetrForObjectDetection(config)
    return module


MODELS: Mapping[str, Callable[[], nn.Module]] = {
    "transformers ViT": partial(_configured, "ViTForImageClassification", "ViTConfig", **_VIT),
    "transformers DeiT": partial(_configured, "DeiTForImageClassificationWithTeacher", "DeiTConfig", **_VIT),
    "transformers BEiT": partial(_configured, "BeitForImageClassification", "BeitConfig", **_VIT),
    "transformers DINOv2": partial(_configured, "Dinov2ForImageClassification", "Dinov2Config", **_VIT),
    "transformers CLIP vision": partial(_configured, "CLIPVisionModel", "CLIPVisionConfig", **_VIT),
    "transformers ViT-MAE": partial(_configured, "ViTMAEModel", "ViTMAEConfig", **_VIT),
    "transformers YOLOS": partial(
        _configured,
        "YolosForObjectDetection",
        "YolosConfig",
        **{**_VIT, "image_size": [SIDE, SIDE]},
        num_detection_tokens=10,
    ),
    "transformers Swin": partial(
        _configured,
        "SwinForImageClassification",
        "SwinConfig",
        image_size=SIDE,
        patch_size=2,
        embed_dim=16,
        depths=[2, 2],
        num_heads=[2, 4],
        window_size=4,
    ),
    "transformers ConvNeXt V2": partial(
        _configured,
        "ConvNextV2ForImageClassification",
        "ConvNextV2Config",
        hidden_sizes=[16, 32, 48, 64],
        depths=[1, 1, 1, 1],
    ),
    "transformers ResNet": partial(
        _configured, "ResNetForImageClassification", "ResNetConfig", **_SMALL_RESNET
    ),
    "transformers MobileViT": partial(
        _configured, "MobileViTForImageClassification", "MobileViTConfig", image_size=SIDE
    ),
    "transformers SegFormer": partial(
        _configured,
        "SegformerForSemanticSegmentation",
        "SegformerConfig",
        hidden_sizes=[16, 32, 48, 64],
        depths=[1, 1, 1, 1],
        num_attention_heads=[1, 2, 4, 8],
        decoder_hidden_size=32,
    ),
    "transformers DETR": _detr,
    "ultralytics yolo11n": partial(_described, "yolo11n"),
    "ultralytics yolov8n": partial(_described, "yolov8n"),
    "ultralytics yolo11n-seg": partial(_described, "yolo11n-seg"),
    "ultralytics yolo11n-cls": partial(_described, "yolo11n-cls"),
    "segmentation_models Unet": partial(_made, "segmentation_models_pytorch", "Unet", **_ENCODER),
    "segmentation_models FPN": partial(_made, "segmentation_models_pytorch", "FPN", **_ENCODER),
    "segmentation_models PSPNet": partial(_made, "segmentation_models_pytorch", "PSPNet", **_ENCODER),
    "segmentation_models DeepLabV3Plus": partial(
        _made, "segmentation_models_pytorch", "DeepLabV3Plus", **_ENCODER
    ),
    "segmentation_models Unet, sigmoid": partial(
        _made, "segmentation_models_pytorch", "Unet", **{**_ENCODER, "classes": 1}, activation="sigmoid"
    ),
    "diffusers AutoencoderKL": partial(_made, "diffusers", "AutoencoderKL", **_BLOCKS),
    "diffusers VQModel": partial(_made, "diffusers", "VQModel", **_BLOCKS),
    "diffusers UNet2DModel": partial(
        _made,
        "diffusers",
        "UNet2DModel",
        sample_size=SIDE,
        block_out_channels=(16, 32),
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
        norm_num_groups=8,
    ),
    "MONAI UNet": partial(
        _made, "monai.networks.nets", "UNet", **_FLAT, channels=(8, 16, 32), strides=(2, 2), num_res_units=1
    ),
    "MONAI DenseNet121": partial(_made, "monai.networks.nets", "DenseNet121", **_FLAT),
    "MONAI SwinUNETR": partial(_made, "monai.networks.nets", "SwinUNETR", **_FLAT, feature_size=12),
    "MONAI ViT": partial(
        _made,
        "monai.networks.nets",
        "ViT",
        in_channels=3,
        img_size=(SIDE, SIDE),
        patch_size=(8, 8),
        hidden_size=32,
        mlp_dim=64,
        num_layers=2,
        num_heads=4,
        spatial_dims=2,
        classification=True,
    ),
    "open_clip VisionTransformer": partial(
        _made,
        "open_clip.transformer",
        "VisionTransformer",
        image_size=SIDE,
        patch_size=8,
        width=32,
        layers=2,
        heads=4,
        mlp_ratio=2.0,
    ),
    "open_clip ModifiedResNet": partial(
        _made,
        "open_clip.modified_resnet",
        "ModifiedResNet",
        layers=(1, 1, 1, 1),
        output_dim=16,
        heads=4,
        image_size=SIDE,
        width=16,
    ),
    "torch_geometric GCN": partial(PixelGraph, "GCNConv"),
    "torch_geometric GAT": partial(PixelGraph, "GATConv"),
}


# What each library documents of a model's output, and of how many classes; the others name no classes.
HEADS: Mapping[str, tuple[str, int]] = {
    **{f"transformers {name}": (LOGITS, 2) for name in ("ViT", "DeiT", "BEiT", "Swin", "ConvNeXt V2")},
    **{f"transformers {name}": (LOGITS, 2) for name in ("ResNet", "MobileViT")},
    **{f"MONAI {name}": (LOGITS, classes) for name, classes in (("DenseNet121", 4), ("ViT", 2))},
    **{f"torch_geometric {name}": (LOGITS, 4) for name in ("GCN", "GAT")},
    "ultralytics yolo11n-cls": (SEVERAL, 1000),  # probabilities and logits
    "transformers YOLOS": (BOXES, 91),
    "transformers DETR": (BOXES, 91),
    **{f"ultralytics {name}": (BOXES, 80) for name in ("yolo11n", "yolov8n", "yolo11n-seg")},
    "transformers SegFormer": (MASKS, 2),
    **{f"segmentation_models {name}": (MASKS, 4) for name in ("Unet", "FPN", "PSPNet", "DeepLabV3Plus")},
    "segmentation_models Unet, sigmoid": (MASKS, 1),
    **{f"MONAI {name}": (MASKS, 4) for name in ("UNet", "SwinUNETR")},
}


def subject(name: str, weights: str) -> Subject:  # noqa: ARG001  # none of them has any other
    """See ``viz.pictures.subject.Loader``; the same weights each time."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        module = MODELS[name]().eval()
    return Subject(module, partial(_prepared, name), _seen)


def _prepared(name: str, image: Image.Image) -> Any:
    """The picture (1, 3, 64, 64), with a step for denoising nets."""
    pixels = pictures.resize(pictures.to_image(image.convert("RGB")), [SIDE, SIDE])
    images = pictures.to_dtype(pixels, torch.float32, scale=True).as_subclass(torch.Tensor)[None]
    return (images, torch.tensor([10])) if name.endswith("UNet2DModel") else images


def _seen(prepared: Any) -> Image.Image:
    images = prepared[0] if isinstance(prepared, tuple) else prepared
    seen: Image.Image = pictures.to_pil_image(images[0])
    return seen


def looked(name: str) -> dict[str, str]:
    """Return the first layer, edit, gradient and meaning that a visitor meets.

    The edit's effect and the gradient are ``"unchanged"`` if they are those of plain hooks.
    """
    loaded = subject(name, "random")
    layers, photo = LayerActivations(loaded.module, "cpu", repeatable=True), photograph(sample(PICTURE))
    arguments = loaded.arguments(photo.image)
    opens = first_layer(survey(layers, *arguments))
    return {
        "opens": opens,
        "edit": edited(layers, arguments, opens),
        "gradient": gradient(layers, arguments, opens),
        "meaning": meaning(name, loaded, layers),
    }


def edited(layers: LayerActivations, arguments: tuple[Any, ...], opens: str) -> str:
    """Compare an edit of a layer with that of a plain hook."""
    with layers.edit(opens, output=_without_first):
        ours = _seeded_run(layers, arguments)
    with layers.module(opens).register_forward_hook(lambda _layer, _inputs, out: _without_first(out)):
        plain = _seeded_run(layers, arguments)
    return SAME if _equal(ours, plain) else "other values"


def gradient(layers: LayerActivations, arguments: tuple[Any, ...], opens: str) -> str:
    """Compare gradients of the output's sum with those of plain hooks.

    Weights are frozen.
    """
    layers.model.requires_grad_(False)
    with layers.capture(opens, gradients=True) as record:
        if not _backward(layers, arguments):
            return "none"
        ours = [found for call in record[opens] for found in tensors(call.gradient)]
    plain: list[torch.Tensor] = []

    def keep(_layer: nn.Module, _inputs: Any, output: Any) -> Any:
        for tensor in tensors(output):
            tensor.requires_grad_()
            tensor.register_hook(plain.append)

    with layers.module(opens).register_forward_hook(keep), torch.enable_grad():
        torch.manual_seed(0)
        _sum(layers.model(*arguments)).backward()
    return SAME if _equal(ours, plain[::-1]) else "other values"


def is_right(look: Mapping[str, str]) -> bool:
    """Check a look: plain hooks agree, and its meaning is true."""
    return look["edit"] == look["gradient"] == SAME and not look["meaning"].startswith("wrong")


def meaning(name: str, loaded: Subject, layers: LayerActivations) -> str:
    """Return the output's meaning on the page.

    Or say that the library documents another.
    """
    documented, classes = HEADS.get(name, ("", 0))
    photo = photograph(sample(PICTURE))
    rows = survey(layers, *loaded.arguments(photo.image), operations=True)
    named = replace(loaded, classes=tuple(map(str, range(classes))))
    said = predict(layers, named, photo, rows).meaning
    return said or "no classes" if said == documented else f"wrong: {said}, not {documented}"


def _backward(layers: LayerActivations, arguments: tuple[Any, ...]) -> bool:
    """Go back from the outputs' sum, if there is a graph."""
    torch.manual_seed(0)
    total = _sum(layers.run(*arguments))
    if not total.requires_grad:
        return False
    total.backward()
    return True


def _sum(output: Any) -> torch.Tensor:
    return torch.stack(
        [each.sum() for each in tensors(output) if each.requires_grad] or [torch.zeros(())]
    ).sum()


def _equal(ours: list[torch.Tensor], plain: list[torch.Tensor]) -> bool:
    return len(ours) == len(plain) and all(torch.equal(*pair) for pair in zip(ours, plain, strict=True))


def _seeded_run(layers: LayerActivations, arguments: tuple[Any, ...]) -> list[torch.Tensor]:
    torch.manual_seed(0)
    return list(tensors(layers.run(*arguments)))


def _without_first(output: Any) -> Any:
    """Return a tensor (N, C, …) with zeros in its first channel.

    Anything else is returned as it is.
    """
    if not isinstance(output, torch.Tensor) or output.ndim < MATRIX:
        return output
    edited = output.clone()
    edited[:, 0] = 0
    return edited


def main(names: list[str]) -> int:
    """Look at these models, or all; return the exit status.

    It is 1 if anything was wrong with one.
    """
    rows = []
    REPORT.unlink(missing_ok=True)
    for row in sweep(names or list(MODELS), "tools.other_libraries:subject", Bounds(), against=AGAINST):
        print(row, flush=True)
        append_row(REPORT, row)
        rows.append(row)
    print(summary(rows))
    looks = {row.model: looked(row.model) for row in rows}
    LOOKS.write_text(json.dumps(looks, indent=0) + "\n", "utf-8")
    wrong = [name for name, look in looks.items() if not is_right(look)]
    return int(bool(wrong) or not all(row.sound for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
