"""Place where two nets part: ten planted faults are found, equal nets agree, numbers are NumPy's."""

import copy
import sys
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.ao.nn import quantized

from tests.viz.comparison.faults import FAULTS, folded, pictures, quantised, trained, with_fault
from tests.viz.nets import InPlace, Plain, Reused
from viz import LayerActivations, divergence
from viz.errors import RequestError, UnsupportedModelError

WHOLE_NUMBERS = pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")


@WHOLE_NUMBERS
@pytest.mark.parametrize("fault", FAULTS)
def test_the_first_layer_is_the_one_with_the_fault(fault: str) -> None:
    """The difference is made there and nowhere else, and everything before it agrees."""
    net, wrong, layer = with_fault(fault)
    found = divergence(net, wrong, pictures())
    assert found.first is not None
    assert (found.first.layer, found.first.other) == (layer, layer)
    assert [row.layer for row in found if row.made_here] == [layer]
    assert next(row.layer for row in found if row.outside) == layer


@pytest.mark.parametrize("fault", ["an epsilon", "a bad scale", "a transposed weight"])
def test_a_fault_is_found_behind_folded_norms_and_in_a_wrapper(fault: str) -> None:
    """The norm takes the place of the convolution that it was folded into."""
    net, wrong, layer = with_fault(fault)
    found = divergence(net, nn.Sequential(folded(wrong)), pictures())
    assert found.first is not None
    assert found.first.layer == {"block.conv1": "block.bn1"}.get(layer, layer)
    assert [row.layer for row in found if row.made_here] == [found.first.layer]


def dropping() -> nn.Module:
    """A net that draws random numbers, because it is left in training mode."""
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.Dropout(0.5), nn.BatchNorm2d(4), nn.ReLU())


class Recurrent(nn.Module):
    """A layer that returns tuples, and whole numbers at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.pick = nn.LSTM(12, 6, batch_first=True), nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        states, _ = self.lstm(x.mean(1))
        return self.pick(states.argmax(-1))


def twins(make: Callable[[], nn.Module]) -> tuple[nn.Module, nn.Module]:
    """A net and its copy."""
    net = make()
    return net, copy.deepcopy(net)


EQUAL: dict[str, Callable[[], tuple[nn.Module, nn.Module]]] = {
    "plain": lambda: twins(lambda: Plain().eval()),
    "in place": lambda: twins(InPlace),
    "one layer that runs three times": lambda: twins(Reused),
    "tuples and whole numbers": lambda: twins(Recurrent),
    "random numbers in training mode": lambda: twins(dropping),
    "itself": lambda: (net := trained(), net),
    "norms folded": lambda: (trained(), folded(trained())),
    "norms folded in the first": lambda: (folded(trained()), trained()),
    "DataParallel": lambda: (trained(), nn.DataParallel(trained())),
    "inside another module": lambda: (nn.Sequential(nn.Sequential(trained())), trained()),
}


@pytest.mark.parametrize("case", EQUAL)
def test_nets_that_are_equal_agree(case: str) -> None:
    """Copies bit for bit, others within the tolerance; every leaf module is compared."""
    found = divergence(*EQUAL[case](), pictures())
    assert found.first is None
    assert not any(row.outside or row.made_here for row in found)
    assert sum(row.outside is not None for row in found) >= 2
    if case not in {"norms folded", "norms folded in the first"}:
        assert {row.max_abs for row in found if row.outside is not None} == {0.0}


def outputs(net: nn.Module, x: Tensor) -> dict[str, list[np.ndarray]]:
    """Every call of every layer by plain hooks."""
    found: dict[str, list[np.ndarray]] = {}
    handles = [
        layer.register_forward_hook(
            lambda _layer, _given, value, name=name: found.setdefault(name, []).append(value.numpy().copy())
        )
        for name, layer in net.named_modules()
    ]
    with torch.no_grad():
        net(x)
    for handle in handles:
        handle.remove()
    return found


@pytest.mark.parametrize("fault", ["an epsilon", "a bad scale"])
def test_numbers_are_those_of_plain_hooks_and_numpy(fault: str) -> None:
    """Over all calls of a layer; a relative error has no meaning where b is zero."""
    net, wrong, _ = with_fault(fault)
    x = pictures()
    of_a, of_b = outputs(net, x), outputs(wrong, x)
    found = divergence(net, wrong, x, tolerance=(1e-3, 1e-2))
    assert {row.layer for row in found} == of_a.keys()
    for row in found:
        a, b = (
            np.concatenate([call.ravel() for call in each[row.layer or ""]]).astype(np.float64)
            for each in (of_a, of_b)
        )
        distance, some = np.abs(a - b), b != 0
        assert row.shape == of_a[row.layer or ""][0].shape
        assert row.max_abs == distance.max()
        assert row.max_rel == (distance[some] / np.abs(b[some])).max()
        assert row.outside == np.mean(distance > 1e-3 + 1e-2 * np.abs(b))
        assert row.cosine == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b), abs=1e-12)


def test_a_pass_that_keeps_one_layer_at_a_time_finds_the_same() -> None:
    """The budget bounds what is kept, not what is found."""
    net, wrong, _ = with_fault("a bad scale")
    assert divergence(net, wrong, pictures(), budget=1) == divergence(net, wrong, pictures())


@WHOLE_NUMBERS
@pytest.mark.parametrize(("by", "first"), [(1.0, None), (0.125, "block.conv1")])
def test_a_scale_of_int8_is_bad_if_it_is_more_than_its_rounding(by: float, first: str | None) -> None:
    """Behind a layer in 8 bits, all else agrees to the effect of its rounding."""
    net = trained()
    whole = copy.deepcopy(net)
    quantised(whole, by)
    found = divergence(net, whole, pictures(), tolerance=(0.35, 0))
    assert (found.first and found.first.layer) == first


def in_whole_numbers(net: nn.Sequential, x: Tensor, bad: int | None, by: float) -> nn.Sequential:
    """The net of convolutions by torch's own quantised layers, one of them with another scale."""
    low, high = x.min().item(), x.max().item()
    layers: list[nn.Module] = [
        quantized.Quantize((high - low) / 255, round(-low * 255 / (high - low)), torch.quint8)
    ]
    for place, conv in enumerate(net[1:-1], 1):
        with torch.no_grad():
            x = conv(x)
        weight = conv.weight.detach()
        layer = quantized.Conv2d(conv.in_channels, conv.out_channels, 1)
        step = weight.abs().max().item() / 127
        layer.set_weight_bias(torch.quantize_per_tensor(weight, step, 0, torch.qint8), conv.bias.detach())
        layer.scale = x.abs().max().item() / 127 * (by if place == bad else 1)
        layer.zero_point = 128
        layers.append(layer)
    return nn.Sequential(*layers, quantized.DeQuantize())


@WHOLE_NUMBERS
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("bad", [None, 1, 2, 3])
def test_a_bad_scale_is_found_among_layers_of_whole_numbers(bad: int | None, swapped: bool) -> None:
    """Each is given what the float layer was given, in its own steps; the other way round, in floats."""
    torch.manual_seed(1)
    convs = [nn.Conv2d(given, returned, 1) for given, returned in ((3, 8), (8, 8), (8, 4))]
    net, x = nn.Sequential(nn.Identity(), *convs, nn.Identity()).eval(), pictures()
    whole = in_whole_numbers(net, x, bad, 1 / 8)
    found = divergence(*((whole, net) if swapped else (net, whole)), x, tolerance=(0.05, 0))
    assert [row.made_here for row in found if row.made_here is None] == []
    assert [row.layer for row in found if row.made_here] == ([] if bad is None else [str(bad)])
    assert (found.first and found.first.layer) == (None if bad is None else str(bad))


def test_whole_numbers_that_are_places_are_given_as_they_are() -> None:
    """An embedding takes no floats."""
    net = nn.Sequential(nn.Embedding(9, 4), nn.Linear(4, 2)).eval()
    wrong = copy.deepcopy(net)
    wrong[0].weight.data += 1
    found = divergence(net, wrong, torch.arange(6))
    assert [(row.layer, row.made_here) for row in found] == [("0", True), ("1", False), ("", False)]


def test_another_shape_is_outside_whole_and_made_where_it_begins() -> None:
    """Without padding, the convolution's output is smaller; there are no numbers to compare."""
    net = trained()
    wrong = copy.deepcopy(net)
    wrong.conv.padding = (0, 0)
    found = divergence(net, wrong, pictures()).first
    assert found is not None
    assert (found.layer, found.outside, found.max_abs, found.made_here) == ("conv", 1.0, None, True)


def test_other_inputs_are_said_and_made_in_no_layer() -> None:
    """RGB taken for BGR before the net: the first layer hands it down."""
    x = pictures()
    found = divergence(trained(), trained(), x, other_inputs=x.flip(1))
    assert found.same_inputs is False
    assert found.first is not None
    assert found.first.layer == "prepare"
    assert not any(row.made_here for row in found)
    assert divergence(trained(), trained(), x).same_inputs is True


def test_norms_that_train_are_left_as_they_were() -> None:
    """Neither modes nor running means change, and other layers stay in their mode."""
    net, wrong, _ = with_fault("a norm that trains")
    before = copy.deepcopy(wrong.state_dict())
    divergence(net, wrong, pictures())
    assert [name for name, layer in wrong.named_modules() if layer.training] == ["bn"]
    assert all(torch.equal(value, before[name]) for name, value in wrong.state_dict().items())


def test_layer_activations_run_in_evaluation_mode_as_they_always_do() -> None:
    """A norm in training mode is then no difference."""
    net, wrong, _ = with_fault("a norm that trains")
    assert divergence(LayerActivations(net, "cpu"), LayerActivations(wrong, "cpu"), pictures()).first is None


def test_half_precision_is_given_inputs_of_its_own() -> None:
    """And differs by its rounding."""
    net, half = twins(lambda: Plain().eval())
    found = divergence(net, half.half(), pictures(), tolerance=0.01)
    assert found.first is None
    assert all(0 < row.max_abs < 0.01 for row in found if row.max_abs is not None)


def test_a_net_that_overflows_in_half_precision_parts_where_it_does() -> None:
    """Later layers cannot be given such values in half precision, so nobody knows what they would do."""
    torch.manual_seed(2)
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(400, 9), nn.Linear(9, 4))
    net[3].weight.data *= 1e6
    found = divergence(net, copy.deepcopy(net).half(), pictures(), tolerance=0.01)
    assert found.first is not None
    assert (found.first.layer, found.first.max_abs) == ("3", float("inf"))
    assert [(row.layer, row.made_here) for row in found][3:] == [("3", True), ("4", None), ("", False)]


def test_captured_values_take_the_place_of_a_net() -> None:
    """On either side; what a layer was given is then unknown, so is where a difference is made."""
    net, wrong, layer = with_fault("an epsilon")
    values = {name: calls[0] for name, calls in outputs(wrong, pictures()).items() if name != "block.relu"}
    for sides in ((net, values), (values, net)):
        found = divergence(*sides, pictures())
        assert found.first is not None
        assert (found.first.layer, found.first.made_here) == (layer, None)
        assert ("block.relu" in {row.layer for row in found}) == (sides[0] is net)


def test_what_cannot_be_compared_is_refused() -> None:
    """A tolerance below zero, a layer that is not there, two nets without anything in common, no net."""
    net, x = trained(), pictures()
    with pytest.raises(RequestError, match="a number from 0, and not -1"):
        divergence(net, net, x, tolerance=-1)
    with pytest.raises(RequestError, match="no layer named 'nonsense' ran"):
        divergence(net, net, x, matches={"nonsense": "conv"})
    with pytest.raises(RequestError, match="no layer of the one corresponds"):
        divergence(net, {"elsewhere": np.zeros(3)}, x)
    with pytest.raises(UnsupportedModelError, match=r"is not a torch\.nn\.Module"):
        divergence(net, lambda value: value, x)


def test_what_onnx_files_need_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The libraries are optional; None stands for a module that cannot be imported."""
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(RequestError, match=r"onnx is not installed.* requirements-onnx\.txt"):
        divergence(trained(), "net.onnx", pictures())
