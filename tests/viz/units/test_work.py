"""Units of tiny nets, whose strongest feeders and readers are known by construction."""

from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import is_in_torch_dispatch_mode

from tests.machine import patience
from tests.viz.subjects import CLASSES, as_seen, photo, prepare, wanted
from viz import LayerActivations
from viz.answers.views.units import Neighbour, UnitFacts
from viz.engine.engine import Engine, LocalEngine
from viz.engine.limits import Limits
from viz.errors import RequestError, TooLargeError
from viz.pictures.subject import Subject
from viz.request.edit_request import edits_from
from viz.units.tasks import UnitTask

WAIT = patience(120)
PICTURE = photo(1)


class Residual(nn.Module):
    """A norm, an addition, a grouped and a depthwise convolution; a linear layer after a flatten."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.stem = nn.Conv2d(3, 4, 1, bias=False)
        self.norm = nn.BatchNorm2d(4)
        self.relu = nn.ReLU(inplace=True)
        self.group = nn.Conv2d(4, 4, 3, padding=1, groups=2)
        self.depth = nn.Conv2d(4, 4, 3, padding=1, groups=4)
        self.fc = nn.Linear(4 * 64, 3)
        with torch.no_grad():
            self.stem.weight.fill_(0.1)
            self.norm.running_var.fill_(4.0)
            self.norm.bias.fill_(0.5)
            self.group.weight[0, 0] *= 0.01  # group 0: channels 0 and 1; output 0 hears 1 alone
            self.group.weight[3] *= 9  # reads channels 2 and 3 most
            self.fc.weight[:, :64] *= 0.01

    def forward(self, x: Tensor) -> Tensor:
        x = self.relu(self.norm(self.stem(x)))
        x = x + self.group(x)
        return self.fc(self.depth(x).flatten(1))


class Grown(nn.Module):
    """A norm behind two layers side by side, of which the second also reads the first without it."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.stem, self.grow = nn.Conv2d(3, 4, 1, bias=False), nn.Conv2d(4, 2, 1, bias=False)
        self.norm, self.relu, self.end = nn.BatchNorm2d(6), nn.ReLU(), nn.Conv2d(6, 3, 1)
        with torch.no_grad():
            self.norm.weight.copy_(torch.arange(1.0, 7))
            self.norm.bias.copy_(torch.arange(10.0, 70, 10))

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        x = torch.cat([x, self.grow(x)], 1)
        return self.end(self.relu(self.norm(x))).mean((2, 3))


class Reused(nn.Module):
    """One convolution runs twice, a ReLU between."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv, self.end = nn.Conv2d(3, 3, 3, padding=1), nn.Conv2d(3, 3, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.end(self.conv(self.conv(x).relu())).mean((2, 3))


class Mixed(nn.Module):
    """Attention, and code that mixes all channels in front of the last layer."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.patch = nn.Conv2d(3, 4, 2, stride=2)
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        self.head = nn.Linear(4, 3)

    def forward(self, x: Tensor) -> Tensor:
        x = self.patch(x).flatten(2).mT
        x = x + self.attention(x, x, x, need_weights=False)[0]
        return self.head(x.mean(1).softmax(-1))


class Shy(nn.Module):
    """Runs only where nobody follows its operations."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first, self.last = nn.Conv2d(3, 4, 1), nn.Conv2d(4, 3, 1)

    def forward(self, x: Tensor) -> Tensor:
        if is_in_torch_dispatch_mode():
            raise RuntimeError("somebody follows")
        return self.last(self.first(x)).mean((2, 3))


NETS = {"grown": Grown, "residual": Residual, "reused": Reused, "mixed": Mixed, "shy": Shy}


def _shelf(model: str, _: str) -> Subject:
    return Subject(NETS[model](), prepare, as_seen, CLASSES)


@pytest.fixture(scope="module")
def engine() -> Engine:
    """An engine with these nets, for all tests."""
    return LocalEngine(_shelf, device="cpu")


def _unit(engine: Engine, model: str, layer: str, channel: int, edits: str = "", **more: object) -> UnitFacts:
    asked = replace(wanted(PICTURE, layer, model), edits=edits_from(edits), **more)  # type: ignore[arg-type]
    found: UnitFacts = engine.do(UnitTask(asked, PICTURE, channel), visitor="ann").result(WAIT).facts
    return found


def _names(units: tuple[Neighbour, ...]) -> list[tuple[str, int]]:
    return [(each.unit.layer, each.unit.channel) for each in units if each.unit]


def _by_hand(model: str, layer: str, edits: dict[str, int], call: int = 0) -> np.ndarray:
    """Return a layer's output in that call, (channels, places), with one channel of some layers zero."""
    layers = LayerActivations(NETS[model](), "cpu")

    def without(channel: int) -> object:
        def zero(value: Tensor) -> Tensor:
            value = value.clone()
            value[:, channel] = 0
            return value

        return zero

    with ExitStack() as blocks:
        for name, channel in edits.items():
            blocks.enter_context(layers.edit(name, output=without(channel), call=0))  # type: ignore[arg-type]
        record = blocks.enter_context(layers.capture(layer))
        layers.run(prepare(PICTURE.image))
    found = record[layer][call].output.double()
    return np.asarray(found.movedim(1, 0).flatten(1))


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def test_a_grouped_convolution_is_fed_by_its_group_alone_and_the_strongest_comes_first(
    engine: Engine,
) -> None:
    """Output 0 has two kernels, of which one is a hundredth."""
    found = _unit(engine, "residual", "group", 0)
    assert _names(found.before.units) == [("stem", 1), ("stem", 0)]
    assert (found.before.told, found.before.total, found.before.layers) == ("apart", 2, ("stem",))
    assert found.before.units[0].steps == ("norm", "relu")
    assert found.weights is not None
    assert (found.weights.places, found.weights.total) == ((1, 0), 2)
    assert (found.before.units[0].weight or 0) > 20 * (found.before.units[1].weight or 0)


def test_a_feeder_s_effect_is_what_the_unit_loses_when_it_is_zeroed(engine: Engine) -> None:
    """The input's channel is that of the ReLU: zeroed by hand there, with the sum run anew."""
    found = _unit(engine, "residual", "group", 3)
    before, after = (_by_hand("residual", "group", edits) for edits in ({}, {"relu": 2}))
    (own,) = [each for each in found.before.units if each.place == 2]
    assert own.effect == pytest.approx(_rms(before[3] - after[3]) / _rms(before), rel=1e-3)
    assert own.lifts == pytest.approx((before[3] - after[3]).mean() / _rms(before), rel=1e-3)


def test_a_depthwise_convolution_has_one_feeder_which_is_a_sum_of_two_units(engine: Engine) -> None:
    """The addition: the grouped convolution, which ran last, and the stem, of the same channel."""
    found = _unit(engine, "residual", "depth", 2)
    (only,) = found.before.units
    assert only.unit is not None
    assert (only.unit.layer, only.unit.channel) == ("group", 2)
    assert [(each.layer, each.channel) for each in only.others] == [("stem", 2)]


def test_a_linear_layer_after_a_flatten_is_fed_by_channels_not_by_numbers(engine: Engine) -> None:
    """Each channel's 64 numbers are one feeder, with a kernel of eight by eight."""
    found = _unit(engine, "residual", "fc", 1)
    assert found.before.total == 4
    assert {layer for layer, _ in _names(found.before.units)} == {"depth"}
    assert found.before.units[-1].place == 0  # whose weights are a hundredth
    assert found.weights is not None
    assert (found.weights.kernels.height, found.weights.kernels.width) == (8, 8)
    assert all(each.png for each in found.before.units)


def test_readers_are_told_with_what_they_lose_and_their_weights(engine: Engine) -> None:
    """The stem's channel 2 is read by its group, and by the depthwise layer's channel 2 alone."""
    found = _unit(engine, "residual", "stem", 2)
    assert (found.after.told, found.after.layers) == ("apart", ("group", "depth"))
    effects = dict(zip(_names(found.after.units), found.after.units, strict=True))
    before, after = (_by_hand("residual", "group", edits) for edits in ({}, {"stem": 2}))
    for channel in (2, 3):
        change = before[channel] - after[channel]
        assert effects["group", channel].effect == pytest.approx(_rms(change) / _rms(before), rel=1e-3)
        assert (effects["group", channel].weight or 0) > 0
    for channel in (0, 1):
        told = effects.get(("group", channel))
        assert told is None or (told.effect, told.weight) == (0, 0)
    strongest = max(found.after.units, key=lambda each: each.effect)
    assert found.after.units[0] == strongest
    weights = {name: each.weight for name, each in effects.items() if each.weight}
    assert {channel for layer, channel in weights if layer == "depth"} == {2}


def test_a_batch_norm_that_comes_next_is_told_as_what_it_multiplies_and_adds(engine: Engine) -> None:
    """By its formula: its variance is 4, its bias 0.5."""
    folded = _unit(engine, "residual", "stem", 0).folded
    assert folded is not None
    assert (folded.layer, folded.scale, folded.shift) == (
        "norm",
        pytest.approx(0.5, rel=1e-4),
        pytest.approx(0.5),
    )
    assert _unit(engine, "residual", "depth", 0).folded is None


@pytest.mark.parametrize("channel", [0, 1])
def test_a_batch_norm_behind_layers_side_by_side_is_told_by_the_channel_s_place(
    engine: Engine, channel: int
) -> None:
    """The four of the stem stand first; of the stem none is told, for it is read without the norm as well."""
    folded = _unit(engine, "grown", "grow", channel).folded
    assert folded is not None
    assert (folded.layer, folded.scale, folded.shift) == (
        "norm",
        pytest.approx(5 + channel, rel=1e-4),
        pytest.approx(10 * (5 + channel)),
    )
    assert _unit(engine, "grown", "stem", channel).folded is None


def test_the_first_layer_is_fed_by_the_picture_s_colours(engine: Engine) -> None:
    """Three, which are no layer's."""
    found = _unit(engine, "residual", "stem", 0)
    assert {name for name, _ in _names(found.before.units)} == {""}
    assert found.before.total == 3


def test_a_layer_without_weights_passes_on_units_each_measured_alone(engine: Engine) -> None:
    """A ReLU: without the stem's channel there is what the norm adds."""
    found = _unit(engine, "residual", "relu", 1)
    assert found.weights is None
    (only,) = found.before.units
    assert _names((only,)) == [("stem", 1)]
    before, after = (_by_hand("residual", "relu", edits) for edits in ({}, {"stem": 1}))
    assert only.effect == pytest.approx(_rms(before[1] - after[1]) / _rms(before), rel=1e-3)
    assert only.weight is None


def test_the_second_call_of_a_reused_layer_is_fed_by_the_first(engine: Engine) -> None:
    """And its readers are those behind it, not itself."""
    found = _unit(engine, "reused", "conv", 0, call=1)
    assert {each.unit.call for each in found.before.units if each.unit} == {0}
    assert {name for name, _ in _names(found.before.units)} == {"conv"}
    assert found.after.layers == ("end",)
    first = _unit(engine, "reused", "conv", 0)
    assert {(each.unit.layer, each.unit.call) for each in first.after.units if each.unit} == {("conv", 1)}
    change = _by_hand("reused", "conv", {}, 1) - _by_hand("reused", "conv", {"conv": 0}, 1)
    assert first.after.units[0].effect == pytest.approx(
        max(_rms(each) for each in change) / _rms(_by_hand("reused", "conv", {}, 1)), rel=1e-3
    )


def test_where_channels_are_mixed_only_effects_are_told(engine: Engine) -> None:
    """A softmax of the model's own code: whose channels the head is given is not made up."""
    head = _unit(engine, "mixed", "head", 1)
    assert head.before.told == "mixed"
    assert [each.unit for each in head.before.units] == [None] * 4
    assert all(each.effect > 0 for each in head.before.units)
    attention = _unit(engine, "mixed", "attention", 1)
    assert (attention.after.told, attention.after.layers) == ("mixed", ("head",))
    assert all(each.weight is None and each.effect > 0 for each in attention.after.units)
    assert attention.weights is None
    assert attention.before.told == "apart"
    assert all(each.weight is None and each.effect > 0 for each in attention.before.units)


def test_a_model_that_cannot_be_followed_has_effects_alone(engine: Engine) -> None:
    """The units that feed the last layer are numbered by its input; later ones in time are told as such."""
    last = _unit(engine, "shy", "last", 1)
    assert (last.before.told, [each.unit for each in last.before.units]) == ("unknown", [None] * 4)
    first = _unit(engine, "shy", "first", 2)
    assert (first.after.told, first.after.layers) == ("unknown", ("last",))
    assert len(first.after.units) == 3
    assert all(each.effect > 0 and each.weight is None for each in first.after.units)


def test_edits_are_in_force(engine: Engine) -> None:
    """Without the feeder, it has no effect any more; others keep theirs."""
    found = _unit(engine, "residual", "group", 0, "relu:zero:1")
    effects = {each.place: each.effect for each in found.before.units}
    assert effects[1] == 0
    assert effects[0] > 0
    silent = _unit(engine, "residual", "group", 0, "group:zero:0")
    assert silent.strength == 0
    assert all(each.effect == 0 for each in silent.after.units)


def test_a_unit_that_is_not_there_is_refused_in_a_sentence(engine: Engine) -> None:
    """Its number, and how many there are."""
    with pytest.raises(RequestError, match="there is no unit 4: group has 4, from 0 to 3"):
        _unit(engine, "residual", "group", 4)


def test_what_would_take_too_much_memory_is_refused() -> None:
    """Before any pass."""
    frugal = LocalEngine(_shelf, device="cpu", limits=Limits(capture=10))
    with pytest.raises(TooLargeError):
        _unit(frugal, "residual", "group", 0)
