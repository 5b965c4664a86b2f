"""Layers of timm and torchvision, known by the names of their classes, and strangers of the same name."""

import importlib

import pytest
import torch
from torch import nn
from torch.nn import functional
from torchvision import ops

from tests.viz.number.arithmetic.every_cell import check_against_double, every_cell
from viz.number.arithmetic import explain
from viz.number.filters import filter_of

timm = pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
adaptive_avgmax_pool, blur_pool, grn, norm, norm_act = (
    importlib.import_module(f"timm.layers.{name}")
    for name in ("adaptive_avgmax_pool", "blur_pool", "grn", "norm", "norm_act")
)
levit, metaformer, mlp_mixer = (
    importlib.import_module(f"timm.models.{name}") for name in ("levit", "metaformer", "mlp_mixer")
)
pool2d_same, activations = (
    importlib.import_module(f"timm.layers.{name}") for name in ("pool2d_same", "activations")
)

PICTURE, TOKENS = (2, 4, 7, 6), (2, 5, 4)


def _prepared(layer: nn.Module, shape: tuple[int, ...]) -> torch.Tensor:
    """Draw weights and statistics at random, and return an input."""
    draws = torch.Generator().manual_seed(5)
    for name, weight in (*layer.named_parameters(), *layer.named_buffers()):
        if weight.is_floating_point() and name != "filt":
            with torch.no_grad():
                weight.copy_(torch.rand(weight.shape, generator=draws) + 0.3)
    return torch.randn(shape, generator=draws)


CONVOLUTIONS = [
    timm.layers.Conv2dSame(4, 3, 3, stride=2),
    timm.layers.Conv2dSame(4, 2, (2, 5), stride=(1, 3), dilation=(2, 1), groups=2, bias=False),
    timm.layers.StdConv2d(4, 3, 3, bias=True),
    timm.layers.StdConv2dSame(4, 3, 3, stride=2, padding="same"),
    timm.layers.StdConv2dSame(4, 3, 3, padding="same"),
    timm.layers.ScaledStdConv2d(4, 4, 3, groups=2, gamma=1.7),
    timm.layers.ScaledStdConv2dSame(4, 2, 3, stride=3, padding="same"),
    blur_pool.BlurPool2d(4),
    blur_pool.BlurPool2d(None, filt_size=5, stride=1, pad_mode="replicate"),
    blur_pool.BlurPool2d(4, pad_mode="constant"),
]
POOLINGS = [
    pool2d_same.AvgPool2dSame(3, 2),
    pool2d_same.MaxPool2dSame((2, 3), 2),
    *(
        kind(flatten=flat, input_fmt=layout)
        for kind in (
            adaptive_avgmax_pool.FastAdaptiveAvgPool,
            adaptive_avgmax_pool.FastAdaptiveMaxPool,
            adaptive_avgmax_pool.FastAdaptiveAvgMaxPool,
        )
        for flat, layout in ((False, "NCHW"), (True, "NHWC"))
    ),
]
ACTS = [nn.ReLU, nn.SiLU, nn.GELU, activations.GELUTanh, nn.Identity]
OF_PICTURES = [
    *(timm.layers.BatchNormAct2d(4, act_layer=act) for act in ACTS),
    norm_act.FrozenBatchNormAct2d(4),
    timm.layers.GroupNormAct(4, 2, act_layer=nn.SiLU),
    timm.layers.GroupNorm1Act(4),
    timm.layers.LayerNormAct2d(4, act_layer=nn.Hardswish),
    norm_act.RmsNormAct2d(4),
    *(timm.layers.GroupNorm(4, 2), timm.layers.GroupNorm1(4), timm.layers.LayerNorm2d(4)),
    *(norm.LayerNormExp2d(4), timm.layers.RmsNorm2d(4), ops.FrozenBatchNorm2d(4)),
    *(
        timm.layers.LayerScale2d(4),
        metaformer.Scale(4),
        grn.GlobalResponseNorm(4, channels_last=False),
    ),
    *(timm.layers.DropPath(0.5), timm.layers.DropBlock2d(0.5), ops.Permute([0, 2, 3, 1])),
    *(activations.Swish(), activations.Mish(), activations.Sigmoid(), activations.Tanh()),
    *(activations.HardSwish(), activations.HardSigmoid(), activations.HardMish(), activations.GELU()),
    *(activations.GELUTanh(), activations.QuickGELU(), activations.PReLU()),
]
OF_TOKENS = [
    *(timm.layers.LayerNorm(4), timm.layers.LayerNormAct(4)),
    *(timm.layers.RmsNorm(4), norm_act.RmsNormAct(4, act_layer=nn.SiLU), timm.layers.LayerScale(4)),
    *(mlp_mixer.Affine(4), metaformer.Scale(4, use_nchw=False), levit.Downsample(2, (5, 1))),
    importlib.import_module("timm.layers.linear").Linear(4, 3),
]


@pytest.mark.parametrize(
    "layer", [*CONVOLUTIONS, *POOLINGS, *OF_PICTURES], ids=lambda each: type(each).__name__
)
def test_every_number_of_a_layer_of_pictures_is_its_own(layer: nn.Module) -> None:
    """Against the same layer in double precision."""
    check_against_double(layer, [_prepared(layer, PICTURE)])


@pytest.mark.parametrize(
    "layer", [*OF_TOKENS, grn.GlobalResponseNorm(4)], ids=lambda each: type(each).__name__
)
def test_every_number_of_a_layer_of_tokens_is_its_own(layer: nn.Module) -> None:
    """The last axis has the channels."""
    shape = (2, 3, 2, 4) if isinstance(layer, grn.GlobalResponseNorm) else TOKENS
    check_against_double(layer, [_prepared(layer, shape)])


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (norm_act.LayerNormAct2dFp32(4), PICTURE),
        (norm.LayerNormFp32(4), TOKENS),
        (norm.RmsNormFp32(4), TOKENS),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, nn.Module) else "",
)
def test_a_layer_that_computes_in_single_precision_agrees_with_itself(
    layer: nn.Module, shape: tuple[int, ...]
) -> None:
    """It does so whatever it is given, so there is no second opinion in double precision."""
    found = every_cell(layer, [_prepared(layer, shape)])["output"]
    assert all(each.agrees for each in found.values())


def test_the_weights_that_are_shown_are_those_that_are_multiplied() -> None:
    """A standardised filter has mean 0, and reproduces the number that the layer returned."""
    layer = timm.layers.ScaledStdConv2d(4, 3, 3, padding=0, gain_init=1.3)
    inputs = torch.randn(1, 4, 3, 3)
    kernels = filter_of(layer, (0, 2, 0, 0))
    assert kernels is not None
    assert abs(kernels.kernels.mean()) < 1e-12
    total = (kernels.kernels * inputs[0].numpy()).sum() + layer.bias[2].item()
    assert total == pytest.approx(layer(inputs)[0, 2, 0, 0].item(), abs=1e-5)


class BatchNormAct2d(nn.BatchNorm2d):
    """Normalises, activates, and adds one."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self.act = nn.ReLU()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return what no explanation expects."""
        return self.act(super().forward(images)) + 1


class LayerScale(nn.Module):
    """Has no weights at all."""

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return twice the tokens."""
        return tokens * 2


class DropPath(nn.Module):
    """Also changes what it returns when it is not training."""

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return a part of the tokens."""
        return tokens * 0.9


class Sigmoid(nn.Module):
    """A sigmoid that is twice as steep."""

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return numbers between 0 and 1."""
        return (2 * tokens).sigmoid()


class Conv2dSame(nn.Conv2d):
    """Pads with what stands at the border."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return a convolution of the padded pictures."""
        return functional.conv2d(functional.pad(images, (1, 1, 1, 1), "replicate"), self.weight, self.bias)


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (BatchNormAct2d(4), PICTURE),
        (LayerScale(), TOKENS),
        (DropPath(), TOKENS),
        (Sigmoid(), TOKENS),
        (Conv2dSame(4, 3, 3), PICTURE),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, nn.Module) else "",
)
def test_a_stranger_of_the_same_name_is_not_explained(layer: nn.Module, shape: tuple[int, ...]) -> None:
    """At no cell, not even where its number happens to be what the namesake would return."""
    inputs = _prepared(layer, shape)
    inputs[0].zero_()
    found = every_cell(layer, [inputs])["output"].values()
    assert {each.kind for each in found} == {""}


class GELUTanh(nn.Module):
    """A copy of timm's layer in somebody's own model."""

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the approximation by a hyperbolic tangent."""
        return functional.gelu(tokens, approximate="tanh")


def test_a_copy_of_a_known_layer_is_explained_too() -> None:
    """Because its numbers agree everywhere."""
    check_against_double(GELUTanh(), [torch.randn(TOKENS)])


def test_a_genuine_layer_whose_number_was_changed_says_that_it_disagrees() -> None:
    """As a layer of torch does: the explanation is right, and the number is another."""
    layer = timm.layers.BatchNormAct2d(4)
    inputs = _prepared(layer, PICTURE)
    output = layer.eval()(inputs.clone()).detach() + 0.1
    found = explain(layer, [inputs], output, (0, 1, 2, 3))
    assert found.explained
    assert not found.agrees


class _OddActivation(nn.Module):
    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return images.cos()


def test_an_activation_that_is_unknown_leaves_the_layer_to_those_inside() -> None:
    """They ran, so the reader can turn to them."""
    layer = timm.layers.BatchNormAct2d(4)
    layer.act = _OddActivation()
    inputs = _prepared(layer, PICTURE)
    found = explain(layer, [inputs], layer.eval()(inputs).detach(), (0, 0, 0, 0), ran=("drop", "act"))
    assert found.reason.endswith("drop, act.")
