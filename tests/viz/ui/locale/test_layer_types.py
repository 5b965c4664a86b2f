"""Words for each type of layer: every common one has its own, and they are the right ones."""

import re

import pytest
import torch
from torch import nn

import models
from viz import LayerActivations
from viz.profile.rows import LayerRow
from viz.profile.tree import survey
from viz.ui.locale.english.layers import COMPOSED, LAYER_WORDS, OWN_LAYER, OWN_OPERATION, TRANSFORMER_INSIDE
from viz.ui.locale.layer_types import bare_type, explanation, types_in_words
from viz.ui.locale.translated import translated

TORCH = [
    *("Conv1d", "Conv2d", "ConvTranspose2d", "BatchNorm2d", "InstanceNorm2d", "GroupNorm", "LayerNorm"),
    *("RMSNorm", "LocalResponseNorm", "ReLU", "ReLU6", "LeakyReLU", "PReLU", "ELU", "GELU", "SiLU", "Mish"),
    *("Hardswish", "Sigmoid", "Hardsigmoid", "Tanh", "Softmax", "MaxPool2d", "AvgPool2d", "Linear"),
    *("AdaptiveAvgPool2d", "AdaptiveMaxPool2d", "Dropout", "Dropout2d", "Flatten", "Unflatten", "Identity"),
    *("Embedding", "MultiheadAttention", "TransformerEncoderLayer", "Upsample", "PixelShuffle", "ZeroPad2d"),
    *("Sequential", "ModuleList", "Bilinear", "ChannelShuffle", "LogSoftmax", "Hardtanh", "ReflectionPad2d"),
]
OTHERS = [
    *("BasicBlock", "Bottleneck", "InvertedResidual", "MBConv", "FusedMBConv", "CNBlock", "_DenseLayer"),
    *("_Transition", "InceptionA", "Fire", "Conv2dNormActivation", "SqueezeExcitation", "EncoderBlock"),
    *("ShiftedWindowAttentionV2", "PatchMerging", "LayerNorm2d", "StochasticDepth", "Permute", "MLPBlock"),
    *("add", "cat", "relu", "flatten", "max_pool2d", "adaptive_avg_pool2d", "scaled_dot_product_attention"),
    *("matmul", "mul", "softmax", "getitem", "permute", "interpolate", "mean", "layer_norm", "dropout"),
]


@pytest.mark.parametrize("name", [*TORCH, *OTHERS])
def test_every_type_of_layer_in_use_is_explained(name: str) -> None:
    """The layers of torch are checked to exist, so that no name here is misspelt."""
    assert name in OTHERS or hasattr(nn, name)
    assert explanation(name) is not None


def test_classes_and_functions_of_one_kind_share_their_words() -> None:
    """Their names are equal without case, underscores and dimensions."""
    assert bare_type("Conv2dNormActivation") == "convnormactivation"
    assert explanation("Conv2d") == explanation("conv3d") == explanation("Conv1d")
    assert explanation("MaxPool2d") == explanation("max_pool2d") != explanation("AvgPool2d")
    assert explanation("BatchNorm2d") == explanation("batch_norm") == explanation("FrozenBatchNorm2d")
    assert explanation("Conv2dButStranger") is None


def test_the_words_are_short_and_no_pattern_hides_another() -> None:
    """Two sentences at most, no pattern twice, and none that an earlier one always hides."""
    patterns = [pattern for pattern, _ in LAYER_WORDS]
    names = [name for pattern in patterns for name in pattern.split("|") if name.isalpha()]
    assert len(names) == len(set(names))
    for pattern, english in LAYER_WORDS:
        assert len(re.findall(r"[.:;] [A-Z]", english)) <= 1, pattern
        assert len(english) <= 240, pattern


def rows_of(model: nn.Module, *shape: int) -> tuple[LayerRow, ...]:
    """Every layer and operation of a model."""
    return survey(LayerActivations(model), torch.zeros(shape), operations=True)


class Stranger(nn.Module):
    """A custom layer that calls an unknown function."""

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the values in reverse order of size."""
        return torch.sort(rows).values


class Strangers(nn.Module):
    """A custom layer with another one inside."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = Stranger()

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return what the layer inside returns."""
        found: torch.Tensor = self.inside(rows)
        return found


def test_what_nobody_knows_is_said_to_be_the_models_own() -> None:
    """A layer, a part with layers inside and a function each get as much as can be known of them."""
    found = types_in_words(rows_of(nn.Sequential(Strangers()), 1, 3), "en")
    assert found["Stranger"] == OWN_LAYER
    assert found["Strangers"] == COMPOSED
    assert found["sort"] == OWN_OPERATION


def test_a_block_is_a_transformers_where_it_attends() -> None:
    """``Block`` alone says nothing; the attention inside it does."""
    rows = rows_of(models.load("patchformer", weights="random"), 1, 3, 32, 32)
    assert types_in_words(rows, "zh")["Block"] == translated(TRANSFORMER_INSIDE, "zh")


@pytest.mark.parametrize("model", ["lenet", "photonet", "efficientnet_lite0"])
def test_every_layer_of_the_bundled_nets_is_explained(model: str) -> None:
    """No explanation is the fallback that the layer is the model's own."""
    rows = rows_of(models.load(model, weights="random"), 1, 3, 32, 32)
    found = types_in_words(rows, "en")
    assert set(found) == {row.type for row in rows}
    assert not {OWN_LAYER, OWN_OPERATION, COMPOSED} & set(found.values())
