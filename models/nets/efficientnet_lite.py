"""EfficientNet-Lite0, with a named module for each step of its blocks.

Squeeze-and-excitation and swish of EfficientNet are gone, which is what "Lite" means: convolutions,
normalisations, ReLU6 and additions are left. Each is a module of its own, and so is the border of zeros.
"""

from collections import OrderedDict
from typing import NamedTuple

from torch import Tensor, nn

from .bundled import Add

__all__ = ["STAGES", "EfficientNetLite0", "InvertedResidual", "Stage"]

_EPSILON = 1e-3  # of the normalisations, as TensorFlow has it


class Stage(NamedTuple):
    """Blocks of one width: their number, channels, kernel, stride, expansion.

    The first block may halve the sides, and the others add their inputs.
    """

    blocks: int
    channels: int
    kernel: int
    stride: int
    expansion: int


STAGES = (
    Stage(1, 16, 3, 1, 1),
    Stage(2, 24, 3, 2, 6),
    Stage(2, 40, 5, 2, 6),
    Stage(3, 80, 3, 2, 6),
    Stage(3, 112, 5, 1, 6),
    Stage(4, 192, 5, 2, 6),
    Stage(1, 320, 3, 1, 6),
)
"""From the paper's table 1, by the names ``stage1`` to ``stage7``."""


def _convolved(
    channels_in: int, channels: int, kernel: int = 1, stride: int = 1, *, groups: int = 1, relu: bool = True
) -> nn.Sequential:
    """Return (a border of zeros,) convolution, normalisation (and ReLU6)."""
    parts: OrderedDict[str, nn.Module] = OrderedDict()
    if stride > 1:  # TensorFlow's border is one pixel wider at the right and the bottom
        before = (kernel - stride) // 2
        after = kernel - stride - before
        parts["pad"] = nn.ZeroPad2d((before, after, before, after))
    parts["conv"] = nn.Conv2d(
        channels_in,
        channels,
        kernel,
        stride,
        padding=kernel // 2 if stride == 1 else 0,
        groups=groups,
        bias=False,
    )
    parts["bn"] = nn.BatchNorm2d(channels, eps=_EPSILON)
    if relu:
        parts["relu"] = nn.ReLU6()
    return nn.Sequential(parts)


class InvertedResidual(nn.Module):
    """Inverted residual block: widen, filter each channel, narrow.

    It turns (N, C, H, W) into (N, C', H / stride, W / stride).

    ``expand`` mixes the channels into more of them, ``depthwise`` has one filter for each channel, and
    ``project`` mixes them into few, without a ReLU. If the shape stays, ``add`` adds what came in.
    Source: Sandler et al., "MobileNetV2: inverted residuals and linear bottlenecks", 2018, section 3.
    """

    def __init__(self, channels_in: int, stage: Stage, stride: int) -> None:
        super().__init__()
        wide = channels_in * stage.expansion
        self.expand = _convolved(channels_in, wide) if stage.expansion > 1 else None
        self.depthwise = _convolved(wide, wide, stage.kernel, stride, groups=wide)
        self.project = _convolved(wide, stage.channels, relu=False)
        self.add = Add() if stride == 1 and channels_in == stage.channels else None

    def forward(self, maps: Tensor) -> Tensor:
        """Return the block's maps.

        Their shape is (N, C', H / stride, W / stride).
        """
        wide = maps if self.expand is None else self.expand(maps)
        narrow: Tensor = self.project(self.depthwise(wide))
        return narrow if self.add is None else self.add(narrow, maps)


def _stage(channels_in: int, stage: Stage) -> nn.Sequential:
    first = InvertedResidual(channels_in, stage, stage.stride)
    others = (InvertedResidual(stage.channels, stage, 1) for _ in range(stage.blocks - 1))
    return nn.Sequential(
        OrderedDict((f"block{place}", block) for place, block in enumerate((first, *others), 1))
    )


class EfficientNetLite0(nn.Sequential):
    """EfficientNet-Lite0: pictures (N, 3, H, W) to logits (N, classes).

    H and W are multiples of 32, such as 224. A stem, seven stages of blocks, and a head that takes the mean
    over all places. Dropout and stochastic depth, which only matter in training, are left out.
    Source: Tan and Le, "EfficientNet: rethinking model scaling for convolutional neural networks", 2019,
    table 1; without squeeze-and-excitation, and with ReLU6 for swish.
    """

    def __init__(self, classes: int = 1000) -> None:
        parts: OrderedDict[str, nn.Module] = OrderedDict(stem=_convolved(3, 32, 3, 2))
        channels = 32
        for place, stage in enumerate(STAGES, 1):
            parts[f"stage{place}"] = _stage(channels, stage)
            channels = stage.channels
        head = _convolved(channels, 1280)
        head.add_module("pool", nn.AdaptiveAvgPool2d(1))
        head.add_module("flatten", nn.Flatten())
        head.add_module("fc", nn.Linear(1280, classes))
        parts["head"] = head
        super().__init__(parts)
