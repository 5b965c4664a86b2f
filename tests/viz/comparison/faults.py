"""A small net with a layer for each step of a real one, and faults that conversions are known for."""

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval


class Prepare(nn.Module):
    """Brings pictures into the range that the net was trained on."""

    def __init__(self) -> None:
        super().__init__()
        self.mean, self.order = 0.5, [0, 1, 2]

    def forward(self, x: Tensor) -> Tensor:
        return (x[:, self.order] - self.mean) * 4


class Block(nn.Module):
    """Convolution, norm and activation, which is used twice, around a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.relu = nn.ReLU()
        self.conv2, self.bn2 = nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8)

    def forward(self, x: Tensor) -> Tensor:
        return self.relu(x + self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x))))))


class Net(nn.Module):
    """Prepares, convolves, resizes, and ends in two linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.prepare = Prepare()
        self.conv, self.bn, self.act = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU()
        self.resize = nn.Upsample(scale_factor=2, mode="bilinear")
        self.block = Block()
        self.pool, self.flatten = nn.AdaptiveAvgPool2d(2), nn.Flatten()
        self.fc1, self.gelu, self.fc2 = nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 5)

    def forward(self, x: Tensor) -> Tensor:
        x = self.block(self.resize(self.act(self.bn(self.conv(self.prepare(x))))))
        return self.fc2(self.gelu(self.fc1(self.flatten(self.pool(x)))))


def trained() -> Net:
    """A net in evaluation mode whose norms have seen data."""
    torch.manual_seed(3)
    net = Net().eval()
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            nn.init.uniform_(layer.running_mean, -0.3, 0.3)
            nn.init.uniform_(layer.running_var, 0.02, 0.2)
            nn.init.uniform_(layer.weight, 0.5, 1.5)
    return net


def pictures() -> Tensor:
    """Two pictures, (2, 3, 12, 12)."""
    return torch.rand(2, 3, 12, 12, generator=torch.Generator().manual_seed(5))


def folded(net: Net) -> Net:
    """A copy with each batch norm folded into the convolution before it, as converters do."""
    new = copy.deepcopy(net)
    for owner, conv, norm in ((new, "conv", "bn"), (new.block, "conv1", "bn1"), (new.block, "conv2", "bn2")):
        setattr(owner, conv, fuse_conv_bn_eval(getattr(owner, conv), getattr(owner, norm)))
        setattr(owner, norm, nn.Identity())
    return new


class Coarse(nn.Conv2d):
    """Rounds its output to steps that are far too large."""

    def forward(self, x: Tensor) -> Tensor:
        return (super().forward(x) / 0.5).round().clamp(-128, 127) * 0.5


class Int8(nn.Module):
    """Convolution by torch's own kernel for whole numbers, between floats."""

    def __init__(self, conv: nn.Conv2d, given: Tensor, returned: Tensor, by: float) -> None:
        super().__init__()
        weight = conv.weight.detach()
        whole = torch.quantize_per_tensor(weight, weight.abs().max().item() / 127, 0, torch.qint8)
        settings = (conv.stride, conv.padding, conv.dilation, conv.groups)
        self.packed = torch.ops.quantized.conv2d_prepack(whole, conv.bias.detach(), *map(_listed, settings))
        self.given, self.returned = given.abs().max().item() / 127, by * returned.abs().max().item() / 127

    def forward(self, x: Tensor) -> Tensor:
        whole = torch.quantize_per_tensor(x, self.given, 128, torch.quint8)
        found: Tensor = torch.ops.quantized.conv2d(whole, self.packed, self.returned, 128).dequantize()
        return found


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def quantised(net: Any, by: float) -> None:
    """A convolution in 8 bits; the step of its output is that of its largest value, times a number."""
    seen: list[tuple[Tensor, Tensor]] = []
    hook = net.block.conv1.register_forward_hook(lambda _layer, given, value: seen.append((*given, value)))
    with torch.no_grad():
        net(pictures())
    hook.remove()
    net.block.conv1 = Int8(net.block.conv1, *seen[0], by)


class Overflowing(nn.Linear):
    """Passes its output through half precision, which ends at 65,504."""

    def forward(self, x: Tensor) -> Tensor:
        return (super().forward(x) * 1e6).half().float() / 1e6


def of_class(layer: nn.Module, kind: type[nn.Module]) -> None:
    """Let a layer compute as another class does."""
    layer.__class__ = kind


def reversed_order(net: Any) -> None:
    """RGB taken for BGR."""
    net.prepare.order = [2, 1, 0]


def transposed(net: Any) -> None:
    """A square matrix stored the other way round."""
    net.fc1.weight.data = net.fc1.weight.data.T.contiguous()


def reflected(net: Any) -> None:
    """Reflects at the border, where zeros belong; the layer is made anew, as it prepares its padding then."""
    old = net.block.conv2
    new = nn.Conv2d(8, 8, 3, padding=1, padding_mode="reflect").eval()
    new.load_state_dict(old.state_dict())
    net.block.conv2 = new


FAULTS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "a wrong padding": ("block.conv2", reflected),
    "channels swapped": ("prepare", reversed_order),
    "an epsilon": ("block.bn1", lambda net: setattr(net.block.bn1, "eps", 1e-3)),
    "a norm that trains": ("bn", lambda net: net.bn.train()),
    "another resize mode": ("resize", lambda net: setattr(net.resize, "mode", "bicubic")),
    "a transposed weight": ("fc1", transposed),
    "a bad scale": ("block.conv1", lambda net: of_class(net.block.conv1, Coarse)),
    "int8 with a bad scale": ("block.conv1", lambda net: quantised(net, 1 / 8)),
    "half overflow": ("fc1", lambda net: of_class(net.fc1, Overflowing)),
    "a missing activation": ("gelu", lambda net: setattr(net, "gelu", nn.Identity())),
    "other preprocessing": ("prepare", lambda net: setattr(net.prepare, "mean", 0.45)),
}
"""Each fault with the layer where it is planted, and what plants it."""


def with_fault(name: str) -> tuple[Net, Net, str]:
    """The net, a copy with the fault, and the name of the layer that has it."""
    layer, plant = FAULTS[name]
    net = trained()
    wrong = copy.deepcopy(net)
    plant(wrong)
    return net, wrong, layer
