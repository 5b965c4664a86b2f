"""The code of each event, run as it stands: its hook fires at that event, and prints what it says."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torchvision.models.resnet import Bottleneck

from tests.viz.nets import Plain, Reused
from viz.hooks.activations import LayerActivations
from viz.profile.event import Event
from viz.profile.events import timeline
from viz.views.hook_code import HookCode, hook_code

CLASS = 1
Log = list[tuple[str, str, Any]]


class Listed(nn.Module):
    """Layers that take a list and return a dict, reached by index, by key and by a name that is a keyword."""

    def __init__(self) -> None:
        super().__init__()
        self.both = nn.ModuleDict({"first": Taken(), "2": nn.Conv2d(3, 3, 1)})
        self.more = nn.ModuleList([nn.Sequential(nn.Tanh()), nn.Conv2d(3, 4, 1)])
        self.add_module("lambda", nn.AdaptiveAvgPool2d(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.both["first"]([x, x])["sum"] + self.both["2"](x)
        return self.get_submodule("lambda")(self.more[1](self.more[0](x))).flatten(1)


class Taken(nn.Module):
    """A list goes in, a dict comes out."""

    def forward(self, given: list[torch.Tensor]) -> dict[str, torch.Tensor]:
        return {"sum": given[0] * 2 + given[1]}


def small(make: Callable[[], nn.Module]) -> nn.Module:
    """A net whose weights are the same every time, and that returns scores (N, classes)."""
    torch.manual_seed(0)
    net = make()
    return (nn.Sequential(net, nn.Flatten()) if make in {Reused, residual, rectified} else net).eval()


def residual() -> nn.Module:
    """A block whose ReLU works in place, behind a convolution."""
    return nn.Sequential(nn.Conv2d(3, 8, 1), Bottleneck(8, 2))


def rectified() -> nn.Module:
    """As AlexNet begins: the ReLU writes into what the convolution returned."""
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.Sequential(nn.ReLU(inplace=True), nn.Conv2d(4, 2, 1)))


def events_of(net: nn.Module, picture: torch.Tensor) -> tuple[Event, ...]:
    """The timeline, there and back."""
    return timeline(LayerActivations(net, device="cpu"), picture, target=CLASS)


def fired(net: nn.Module, code: HookCode, event: Event, picture: torch.Tensor) -> tuple[Log, list[str]]:
    """Return the log in order, beside a hook of its kind and a forward hook by hand; and what was printed."""
    log: Log = []
    layer = net.get_submodule(event.layer)
    by_hand = (event.kind, event.layer, "by hand")
    handles = [layer.register_forward_hook(lambda *_: log.append(("forward hook", event.layer, "by hand")))]
    if event.kind == "pre-hook":
        handles.append(layer.register_forward_pre_hook(lambda *_: log.append(by_hand)))
    if event.kind == "full backward pre-hook":
        handles.append(layer.register_full_backward_pre_hook(lambda *_: log.append(by_hand)))
    if event.kind == "full backward hook":
        handles.append(layer.register_full_backward_hook(lambda *_: log.append(by_hand)))
    printed: list[str] = []

    def told(value: Any) -> None:
        printed.append(str(value))
        log.append((event.kind, event.layer, "by the code"))

    names = {"model": net, "picture": picture.clone(), "print": told}
    exec(compile("\n".join(code.lines), "hook", "exec"), names)
    for handle in handles:
        handle.remove()
    return log, printed


@pytest.mark.parametrize("make", [Plain, Reused, Listed])
def test_the_hook_of_each_event_fires_there_and_prints_its_shape(
    make: Callable[[], nn.Module], images: torch.Tensor
) -> None:
    """Right behind a hook by hand, once for each call; the comment beside the line says what it prints."""
    net, picture = small(make), images[:1]
    events = events_of(net, picture)
    calls = {(event.kind, event.layer): event.call for event in sorted(events, key=lambda each: each.call)}
    assert events
    for event in events:
        code = hook_code(event, CLASS)
        log, printed = fired(net, code, event, picture)
        assert len(printed) == 1 + calls[event.kind, event.layer]
        assert "#" in code.lines[code.lit]
        assert code.lines[code.lit].endswith(f"# {printed[event.call]}")
        before = log[log.index((event.kind, event.layer, "by the code")) - 1]
        if event.kind != "tensor hook":
            assert before == (event.kind, event.layer, "by hand")
    assert not any(layer._forward_hooks or layer._backward_hooks for layer in net.modules())


def test_a_tensor_hook_fires_between_the_two_full_backward_hooks(images: torch.Tensor) -> None:
    """As the timeline says, and with the gradient that goes through the layer."""
    net = small(Plain)
    event = next(e for e in events_of(net, images[:1]) if (e.layer, e.kind) == ("conv2", "tensor hook"))
    order: list[str] = []
    net.conv2.register_full_backward_pre_hook(lambda *_: order.append("pre"))
    net.conv2.register_full_backward_hook(lambda *_: order.append("full"))
    names = {"model": net, "picture": images[:1].clone(), "print": lambda _: order.append("tensor")}
    exec("\n".join(hook_code(event, CLASS).lines), names)
    assert order == ["pre", "tensor", "full"]


@pytest.mark.parametrize("make", [residual, rectified])
def test_torch_refuses_just_those_hooks_of_which_the_timeline_says_so(
    make: Callable[[], nn.Module], images: torch.Tensor
) -> None:
    """A full backward hook beside a layer that works in place is an error of torch; every other one fires."""
    net, picture = small(make), images[:1]
    refused = set()
    for event in events_of(net, picture):
        code = hook_code(event, CLASS)
        if event.refused:
            refused.add(event.layer)
            with pytest.raises(RuntimeError, match="modified inplace"):
                exec("\n".join(code.lines), {"model": net, "picture": picture.clone()})
            net = small(make)  # its hook was not removed
        else:
            assert fired(small(make), HookCode(code.lines, code.lit, code.caller), event, picture)[1]
    assert refused


def test_the_caller_is_the_line_that_runs_the_model(images: torch.Tensor) -> None:
    """And the layer is named as one writes it; a name that is no expression goes by ``get_submodule``."""
    events = events_of(small(Listed), images[:1])
    for event in events:
        code = hook_code(event, CLASS)
        assert code.lines[code.caller].startswith("model(picture")
        assert code.lines[code.lit].startswith("    print(")
    lines = {event.layer: hook_code(event).lines[-3] for event in events if event.kind == "pre-hook"}
    assert lines["both.first"] == "handle = model.both.first.register_forward_pre_hook(hook)"
    assert lines["both.2"] == "handle = model.get_submodule('both.2').register_forward_pre_hook(hook)"
    assert lines["more.0.0"] == "handle = model.more[0][0].register_forward_pre_hook(hook)"
    assert lines["lambda"] == "handle = model.get_submodule('lambda').register_forward_pre_hook(hook)"


def test_of_no_tensor_the_whole_is_printed() -> None:
    """A layer without inputs, and one that returns none."""
    code = hook_code(Event("forward hook", "a", 0, reached="model.a"))
    assert code.lines[code.lit] == "    print(output)"
