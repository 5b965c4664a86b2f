"""Layers' values after the pass, in nets that overwrite them and nets that do not."""

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torchvision.models import alexnet, resnet18
from torchvision.models.resnet import Bottleneck

from tests.viz.aliasing import Does, Net
from tests.viz.nets import InPlace, Plain, Reused, Structured
from viz.errors import CallError, RequestError, UnknownLayerError
from viz.hooks.activations import LayerActivations
from viz.profile.events import timeline
from viz.profile.memory import WAYS, memory_report, written_layers


def block() -> nn.Module:
    """A block of ResNet-50 as torchvision builds it: its ReLU works in place."""
    return nn.Sequential(Bottleneck(8, 2))


@pytest.fixture
def maps() -> torch.Tensor:
    """Input for the block."""
    return torch.randn(2, 8, 4, 4)


def test_resnets_batch_norm_is_overwritten_by_the_relu_behind_it(maps: torch.Tensor) -> None:
    """The memory holds the ReLU's values after the pass; one operation wrote into it."""
    model = block().eval()
    report = memory_report(LayerActivations(model, device="cpu"), "0.bn1", maps)
    with torch.no_grad():
        expected = model[0].bn1(model[0].conv1(maps))
    assert torch.equal(report.at_hook, expected)
    assert torch.equal(report.after, expected.relu())
    assert (report.overwritten, report.writes) == (True, 1)


def test_resnets_last_batch_norm_is_written_twice(maps: torch.Tensor) -> None:
    """The shortcut is added to it, then the ReLU."""
    report = memory_report(LayerActivations(block(), device="cpu"), "0.bn3", maps)
    assert report.writes == 2
    assert torch.allclose(report.after, (report.at_hook + maps).relu())


def test_its_moments_are_the_hooks_at_which_the_memory_is_another(maps: torch.Tensor) -> None:
    """The sum is there when the ReLU begins, its own values when it has run; the timeline has the numbers."""
    layers = LayerActivations(block(), device="cpu")
    report = memory_report(layers, "0.bn3", maps)
    numbers = {(event.kind, event.layer, event.call): event.number for event in timeline(layers, maps)}
    places = [("forward hook", "0.bn3", 0), ("pre-hook", "0.relu", 2), ("forward hook", "0.relu", 2)]
    assert [moment.number for moment in report.moments] == [numbers[place] for place in places]
    assert [moment.writes for moment in report.moments] == [0, 1, 2]
    value, summed, after = (moment.value for moment in report.moments)
    assert torch.equal(value, report.at_hook)
    assert torch.equal(summed, report.at_hook + maps)
    assert torch.equal(after, report.after)


def test_what_is_written_behind_the_last_hook_is_the_end(images: torch.Tensor) -> None:
    """The ReLU at its hook; then, with no hook between them, an addition and a product."""
    layers = LayerActivations(InPlace(), device="cpu")
    moments = memory_report(layers, "conv", images).moments
    assert [(moment.number, moment.writes) for moment in moments] == [(1, 0), (3, 1), (4, 3)]
    assert len(timeline(layers, images)) == 4
    assert torch.equal(moments[2].value, (moments[0].value.relu() + 1) * 3)


def test_of_many_moments_the_first_and_the_last_are_kept(images: torch.Tensor) -> None:
    """A bound on the copies, whatever a model does."""
    net = nn.Sequential(nn.Conv2d(3, 4, 1), *(nn.ReLU(inplace=True) for _ in range(9)))
    moments = memory_report(LayerActivations(net, device="cpu"), "0", images).moments
    assert [moment.writes for moment in moments] == [0, 1, 2, 3, 9]
    assert [moment.number for moment in moments] == [1, 3, 5, 7, 19]


def test_an_operations_value_is_there_from_the_next_hook_on(maps: torch.Tensor) -> None:
    """It has no hook of its own: the shortcut's sum in a block, before the ReLU that overwrites it."""
    layers = LayerActivations(block(), device="cpu")
    report = memory_report(layers, "0 › add", maps)
    events = timeline(layers, maps)
    told = [(events[moment.number].kind, events[moment.number].layer) for moment in report.moments]
    assert told == [("pre-hook", "0.relu"), ("forward hook", "0.relu")]


@pytest.mark.parametrize("name", ["0.conv1", "0.conv2", "0.conv3"])
def test_resnets_convolutions_hide_the_hazard(maps: torch.Tensor, name: str) -> None:
    """Batch norm returns new memory, so a first try with a convolution shows nothing wrong."""
    report = memory_report(LayerActivations(block(), device="cpu"), name, maps)
    assert (report.overwritten, report.writes) == (False, 0)
    assert [kept.wrong for kept in report.kept] == [0, 0, 0, 0]


def test_alexnets_first_convolution_is_overwritten() -> None:
    """There the ReLU comes right behind the convolution."""
    layers = LayerActivations(nn.Sequential(alexnet(weights=None).features[:3]), device="cpu")
    report = memory_report(layers, "0.0", torch.randn(1, 3, 64, 64))
    assert report.at_hook.min() < 0 <= report.after.min()
    assert report.overwritten


def test_only_a_copy_is_right_in_the_end(images: torch.Tensor) -> None:
    """On the CPU ``.cpu()`` and ``detach`` are the same memory as the reference, and cost nothing."""
    report = memory_report(LayerActivations(InPlace(), device="cpu"), "conv", images)
    assert [kept.way for kept in report.kept] == list(WAYS) == ["reference", "detach", "cpu", "clone"]
    assert [kept.shares_memory for kept in report.kept] == [True, True, True, False]
    assert [kept.copied for kept in report.kept] == [0, 0, 0, report.at_hook.nbytes]
    *shared, copy = report.kept
    assert all(torch.equal(kept.value, report.after) and kept.wrong == 1 for kept in shared)
    assert torch.equal(copy.value, report.at_hook)
    assert copy.wrong == 0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_cpu_is_a_copy_on_a_gpu(images: torch.Tensor) -> None:
    """So the same code is right on a GPU and wrong on the CPU."""
    report = memory_report(LayerActivations(InPlace(), device="cuda"), "conv", images)
    assert [kept.shares_memory for kept in report.kept] == [True, True, False, False]
    assert [kept.wrong > 0 for kept in report.kept] == [True, True, False, False]


def test_a_value_that_nobody_overwrites_is_right_however_it_is_kept(images: torch.Tensor) -> None:
    """No hazard, no difference; NaN is no difference either."""
    model = Plain()
    with torch.no_grad():
        model.conv1.bias[0] = torch.nan
    report = memory_report(LayerActivations(model, device="cpu"), "conv1", images)
    assert report.at_hook.isnan().any()
    assert not report.overwritten
    assert [kept.wrong for kept in report.kept] == [0, 0, 0, 0]


def test_one_call_and_one_tensor_can_be_chosen(images: torch.Tensor, rows: torch.Tensor) -> None:
    """Call 1 of a layer that runs three times; the second tensor of a pair."""
    model = Reused().eval()
    with torch.no_grad():
        second = model.conv2(model.conv1(images).relu()).relu()
    layers = LayerActivations(model, device="cpu")
    assert torch.equal(memory_report(layers, "relu", images, call=1).at_hook, second)
    layers = LayerActivations(Structured(), device="cpu")
    report = memory_report(layers, "pair", rows, tensor="output[1]")
    assert torch.equal(report.at_hook, rows + 2)
    assert report.after.eq(0).all()


def test_it_works_inside_inference_mode(images: torch.Tensor) -> None:
    """There, tensors do not count writes; the report switches inference mode off."""
    with torch.inference_mode():
        report = memory_report(LayerActivations(InPlace(), device="cpu"), "conv", images)
    assert report.writes == 3


def test_what_is_not_there_is_a_clear_error(images: torch.Tensor, rows: torch.Tensor) -> None:
    """No such layer, call, or tensor."""
    layers = LayerActivations(Reused(), device="cpu")
    with pytest.raises(CallError, match="no call 3 of layer 'relu': it ran 3 times"):
        memory_report(layers, "relu", images, call=3)
    with pytest.raises(CallError, match="no call -1"):
        memory_report(layers, "relu", images, call=-1)
    with pytest.raises(UnknownLayerError):
        memory_report(layers, "rely", images)
    layers = LayerActivations(Structured(), device="cpu")
    with pytest.raises(RequestError, match=r"returns output\[0\], output\[1\]: no output\[2\]"):
        memory_report(layers, "pair", rows, tensor="output[2]")
    with pytest.raises(RequestError, match="no tensor at all"):
        memory_report(layers, "nothing", rows)


def test_the_layers_whose_memory_is_written_to_are_found(images: torch.Tensor) -> None:
    """Convolution and in-place ReLU share memory that is written to after both; ``Plain`` has none."""
    assert written_layers(LayerActivations(InPlace(), device="cpu"), images) == ("conv", "relu")
    assert written_layers(LayerActivations(Plain(), device="cpu"), images) == ()


def test_each_of_them_is_one_of_which_a_report_says_so(images: torch.Tensor) -> None:
    """Layer by layer in ResNet-18, in eval mode, against the report's own count of writes."""
    layers = LayerActivations(resnet18(weights=None), device="cpu")
    names = [name for name in layers.names if name.startswith(("conv1", "bn1", "relu", "layer1", "layer2.0"))]
    small = torch.nn.functional.interpolate(images, 32)
    expected = [name for name in names if memory_report(layers, name, small).writes]
    found = written_layers(layers, small)
    assert [name for name in found if name in names] == sorted(expected, key=found.index)
    assert {"bn1", "layer1.0.bn1", "layer1.0.bn2"} <= set(expected)
    assert "layer1.0.conv1" not in found


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor", "ignore:The PyTorch API of nested")
@pytest.mark.parametrize(
    "make",
    [
        torch.Tensor.to_sparse,
        lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.quint8),
        lambda x: torch.nested.nested_tensor([x, x]),
    ],
)
def test_a_value_that_is_not_in_one_memory_is_refused(
    rows: torch.Tensor, make: Callable[..., torch.Tensor]
) -> None:
    """One sentence says so, and for which layer."""
    layers = LayerActivations(Net(lambda net, x: [net.layer(x), x][1], layer=Does(make)), device="cpu")
    with pytest.raises(RequestError, match="'layer' returns has no memory to look at"):
        memory_report(layers, "layer", rows)
