"""Nets that come with Layerglass, trainable on two processor cores.

Both are written for looking at rather than for speed: every activation, pooling and addition is a module of
its own with its own name, so that each has an output to show. ``python -m models.training`` makes their
weights.
"""

from collections import OrderedDict

from torch import Tensor, nn

__all__ = ["Add", "LeNet", "PhotoNet"]


class LeNet(nn.Sequential):
    """Return logits (N, classes) for pictures (N, 3, 32, 32).

    Two convolutions, each followed by a pooling, then three fully connected layers.
    Source: LeCun, Bottou, Bengio and Haffner, "Gradient-based learning applied to document recognition",
    1998, section II.B; with ReLU for the sigmoids, maximum for the average, and colour.
    """

    def __init__(self, classes: int = 10) -> None:
        super().__init__(
            OrderedDict(
                conv1=nn.Conv2d(3, 6, 5),  # (N, 6, 28, 28)
                relu1=nn.ReLU(),
                pool1=nn.MaxPool2d(2),  # (N, 6, 14, 14)
                conv2=nn.Conv2d(6, 16, 5),  # (N, 16, 10, 10)
                relu2=nn.ReLU(),
                pool2=nn.MaxPool2d(2),  # (N, 16, 5, 5)
                flatten=nn.Flatten(),
                fc1=nn.Linear(16 * 5 * 5, 120),
                relu3=nn.ReLU(),
                fc2=nn.Linear(120, 84),
                relu4=nn.ReLU(),
                fc3=nn.Linear(84, classes),
            )
        )


class Add(nn.Module):
    """The sum of two tensors of one shape, as a module.

    So the sum of a residual block can be looked at.
    """

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        """Return ``left + right``, any one shape."""
        return left + right


class Residual(nn.Module):
    """Two 3x3 convolutions beside an identity path.

    It keeps the shape (N, C, H, W).

    Source: He, Zhang, Ren and Sun, "Deep residual learning for image recognition", 2016, figure 2.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.relu1 = nn.ReLU()
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.add = Add()
        self.relu2 = nn.ReLU()

    def forward(self, maps: Tensor) -> Tensor:
        """Return maps of the same shape (N, C, H, W)."""
        change = self.bn2(self.conv2(self.relu1(self.bn1(self.conv1(maps)))))
        total: Tensor = self.relu2(self.add(change, maps))
        return total


def _convolution(channels_in: int, channels: int, *, halve: bool) -> nn.Sequential:
    """Return convolution, (pooling,) normalisation and ReLU; ``halve`` pools 2x2 before the normalisation."""
    parts: OrderedDict[str, nn.Module] = OrderedDict(
        conv=nn.Conv2d(channels_in, channels, 3, padding=1, bias=False)
    )
    if halve:
        parts["pool"] = nn.MaxPool2d(
            2
        )  # before the normalisation, which then has only a quarter of the values to work on
    parts["bn"] = nn.BatchNorm2d(channels)
    parts["relu"] = nn.ReLU()
    return nn.Sequential(parts)


class PhotoNet(nn.Module):
    """Residual net: pictures (N, 3, H, W) to logits (N, classes).

    H and W are 8 or more. A stem, then three stages that each halve the picture's sides and end in a residual
    block, then the mean over all places: global pooling, so that any picture size works.
    """

    def __init__(self, classes: int = 10, widths: tuple[int, int, int, int] = (32, 64, 96, 160)) -> None:
        super().__init__()
        stem, first, second, third = widths
        self.stem = _convolution(3, stem, halve=False)
        self.stage1 = nn.Sequential(_convolution(stem, first, halve=True), Residual(first))
        self.stage2 = nn.Sequential(_convolution(first, second, halve=True), Residual(second))
        self.stage3 = nn.Sequential(_convolution(second, third, halve=True), Residual(third))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Linear(third, classes)

    def forward(self, images: Tensor) -> Tensor:
        """Return logits (N, classes) for images (N, 3, H, W)."""
        maps = self.stage3(self.stage2(self.stage1(self.stem(images))))
        scores: Tensor = self.fc(self.flatten(self.pool(maps)))
        return scores
