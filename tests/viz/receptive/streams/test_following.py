"""Streams of tiny nets, whose channels' ways are known by construction."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from viz import LayerActivations
from viz.receptive.streams.following import streams
from viz.receptive.streams.found import MIXED, NOTHING, PICTURE, Stream, Streams


def _of(net: nn.Module, layer: str, call: int = 0, side: int = 8) -> Streams:
    axis = {2: 1, 3: 2, 4: 1}
    layers = LayerActivations(net, "cpu")
    return streams(
        layers, (torch.rand(1, 3, side, side),), (layer, call), lambda *seen: axis.get(seen[2].ndim)
    )


def _told(found: tuple[Stream, ...]) -> dict[tuple[str, int], tuple[int, ...]]:
    return {(each.layer, each.call): each.channels for each in found}


class _Residual(nn.Module):
    """Two convolutions, added up; a norm and a ReLU in place, then a pooling and a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Conv2d(3, 4, 3, padding=1)
        self.two = nn.Conv2d(4, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.relu = nn.ReLU(inplace=True)
        self.fc = nn.Linear(4, 5)

    def forward(self, x: Tensor) -> Tensor:
        x = self.one(x)
        x = self.relu(x + self.norm(self.two(x)))
        return self.fc(x.mean((2, 3)))


def test_a_residual_addition_carries_both_and_the_latest_is_named_first() -> None:
    """Channel for channel, through the norm, the addition, the ReLU in place and the mean."""
    into = _of(_Residual(), "fc").into
    assert _told(into) == {("two", 0): (0, 1, 2, 3), ("one", 0): (0, 1, 2, 3)}
    assert [each.layer for each in into] == ["two", "one"]
    assert into[0].steps == ("norm", "add", "relu", "mean")
    assert into[1].steps == ("add", "relu", "mean")


def test_streams_out_end_at_every_layer_with_weights_that_is_given_them() -> None:
    """The first convolution is read by the second, and past it by the linear layer."""
    out = _of(_Residual(), "one").out
    assert _told(out) == {("two", 0): (0, 1, 2, 3), ("fc", 0): (0, 1, 2, 3)}
    assert _told(_of(_Residual(), "fc").out) == {}


def test_the_picture_is_where_the_first_layer_s_streams_begin() -> None:
    """Its three colours, with nothing between."""
    assert _told(_of(_Residual(), "one").into) == {PICTURE: (0, 1, 2)}


def test_a_layer_without_weights_has_the_streams_of_what_it_returns() -> None:
    """Its input is in them too: it is the same."""
    found = _of(_Residual(), "relu")
    assert [each.layer for each in found.into] == ["two", "one"]
    assert _told(found.out) == {("fc", 0): (0, 1, 2, 3)}


class _Moving(nn.Module):
    """Channels are joined, shuffled, split and flattened."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.right = nn.Conv2d(3, 2, 1), nn.Conv2d(3, 2, 1)
        self.joined = nn.Conv2d(4, 4, 1)
        self.upper = nn.Conv2d(2, 2, 1)
        self.fc = nn.Linear(8, 5)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.cat([self.left(x), self.right(x)], 1)
        shuffled = x.view(1, 2, 2, *x.shape[2:]).transpose(1, 2).flatten(1, 2)
        x = self.joined(shuffled)
        x = self.upper(x[:, 2:])
        return self.fc(functional.adaptive_avg_pool2d(x, 2).flatten(1))


def test_joined_shuffled_split_and_flattened_channels_are_found_where_they_are() -> None:
    """Left 0, right 0, left 1, right 1 after the shuffle; four numbers of each channel at the end."""
    net = _Moving()
    assert _told(_of(net, "joined").into) == {
        ("right", 0): (NOTHING, 0, NOTHING, 1),
        ("left", 0): (0, NOTHING, 1, NOTHING),
    }
    assert _told(_of(net, "upper").into) == {("joined", 0): (2, 3)}
    (flat,) = _of(net, "fc").into
    assert flat.channels == (0, 0, 0, 0, 1, 1, 1, 1)
    assert flat.places(1) == (4, 5, 6, 7)


class _Twice(nn.Module):
    """One convolution runs twice, and a gate multiplies."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, padding=1)
        self.gate = nn.Linear(3, 3)
        self.end = nn.Conv2d(3, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv(self.conv(x).relu())
        gate = self.gate(x.mean((2, 3))).sigmoid()
        return self.end(x * gate[:, :, None, None])


def test_each_call_of_a_reused_layer_has_streams_of_its_own() -> None:
    """The second call is given the first one's channels."""
    assert _told(_of(_Twice(), "conv", 1).into) == {("conv", 0): (0, 1, 2)}
    assert _told(_of(_Twice(), "conv", 0).out)["conv", 1] == (0, 1, 2)


def test_a_gate_streams_beside_what_it_scales() -> None:
    """Both stand in each channel: squeeze and excitation."""
    assert _told(_of(_Twice(), "end").into) == {("gate", 0): (0, 1, 2), ("conv", 1): (0, 1, 2)}


class _Mixing(nn.Module):
    """Between two linear layers, code of its own mixes all channels; a norm does not count as that."""

    def __init__(self, mix: bool) -> None:
        super().__init__()
        self.mix = mix
        self.first, self.norm, self.second = nn.Linear(8, 4), nn.LayerNorm(4), nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm(self.first(x[:, 0]))
        if self.mix:
            x = x.softmax(-1)
        return self.second(x).flatten(1)


def test_what_code_of_the_model_mixes_is_not_passed_off_as_one_channel() -> None:
    """A softmax over channels makes each of all; a layer norm only shifts and scales them."""
    (mixed,) = _of(_Mixing(mix=True), "second").into
    assert (mixed.channels, mixed.apart) == ((MIXED,) * 4, False)
    (kept,) = _of(_Mixing(mix=False), "second").into
    assert (kept.channels, kept.steps) == ((0, 1, 2, 3), ("norm",))
