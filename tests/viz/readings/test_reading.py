"""The sums that move on the page are the layer's own numbers, for each kind of layer that is explained."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from tests.viz.readings.adding import added, found_of, in_double, reading_of
from viz.answers.message import as_plain
from viz.answers.number import Reading, UnexplainedReading
from viz.errors import RequestError
from viz.number.arithmetic.activations import FUNCTIONS

CLOSE = 1e-9


class Add(nn.Module):
    """The sum of two tensors, as a layer."""

    def forward(self, one: Tensor, other: Tensor) -> Tensor:
        """Return the sum."""
        return one + other


def _random(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


MAPS, SIGNAL, TOKENS = _random(1, 4, 11, 13), _random(1, 4, 17), _random(1, 9, 8)
Made = Callable[[], nn.Module]
CASES: dict[str, tuple[Made, tuple[Tensor, ...]]] = {
    "a convolution": (lambda: nn.Conv2d(4, 3, 3), (MAPS,)),
    "with strides": (lambda: nn.Conv2d(4, 3, (3, 2), stride=(2, 3)), (MAPS,)),
    "padded with zeros": (lambda: nn.Conv2d(4, 3, 3, padding=1), (MAPS,)),
    "padded by reflection": (lambda: nn.Conv2d(4, 3, 5, padding=2, padding_mode="reflect"), (MAPS,)),
    "padded in a circle": (lambda: nn.Conv2d(4, 3, 3, padding=1, padding_mode="circular"), (MAPS,)),
    "padded with its edge": (lambda: nn.Conv2d(4, 3, 3, padding=1, padding_mode="replicate"), (MAPS,)),
    "padded to the same size": (lambda: nn.Conv2d(4, 3, 5, padding="same"), (MAPS,)),
    "dilated": (lambda: nn.Conv2d(4, 3, 3, dilation=2, bias=False), (MAPS,)),
    "in groups": (lambda: nn.Conv2d(4, 6, 3, groups=2), (MAPS,)),
    "of each channel alone": (lambda: nn.Conv2d(4, 4, 3, groups=4, padding=1), (MAPS,)),
    "of one place": (lambda: nn.Conv2d(4, 5, 1), (MAPS,)),
    "transposed": (lambda: nn.ConvTranspose2d(4, 3, 4, stride=2, padding=1), (MAPS,)),
    "transposed in groups": (lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, groups=2, bias=False), (MAPS,)),
    "of a signal": (lambda: nn.Conv1d(4, 5, 5, padding=2), (SIGNAL,)),
    "of a signal, transposed": (lambda: nn.ConvTranspose1d(4, 2, 4, stride=2), (SIGNAL,)),
    "of large windows": (lambda: nn.Conv2d(4, 3, 7, stride=2, padding=3), (_random(1, 4, 40, 40),)),
    "of patches": (lambda: nn.Conv2d(3, 8, 16, stride=16), (_random(1, 3, 64, 64),)),
    "the largest": (lambda: nn.MaxPool2d(2), (MAPS,)),
    "the largest, padded": (lambda: nn.MaxPool2d(3, 2, padding=1, ceil_mode=True), (MAPS,)),
    "the largest, dilated": (lambda: nn.MaxPool2d(2, 1, dilation=2), (MAPS,)),
    "the largest of a signal": (lambda: nn.MaxPool1d(3, 2), (SIGNAL,)),
    "the largest of bins": (lambda: nn.AdaptiveMaxPool2d((3, 4)), (MAPS,)),
    "the mean": (lambda: nn.AvgPool2d(3, 2, padding=1), (MAPS,)),
    "the mean without padding": (lambda: nn.AvgPool2d(3, 2, padding=1, count_include_pad=False), (MAPS,)),
    "the mean of bins": (lambda: nn.AdaptiveAvgPool2d((3, 5)), (MAPS,)),
    "the mean of everything": (lambda: nn.AdaptiveAvgPool2d(1), (MAPS,)),
    "batch normalisation": (lambda: _used(nn.BatchNorm2d(4)), (MAPS,)),
    "batch normalisation of this batch": (lambda: nn.BatchNorm2d(4, track_running_stats=False), (MAPS,)),
    "layer normalisation": (lambda: _used(nn.LayerNorm(8)), (TOKENS,)),
    "group normalisation": (lambda: _used(nn.GroupNorm(2, 4)), (MAPS,)),
    "instance normalisation": (lambda: nn.InstanceNorm2d(4, affine=True), (MAPS,)),
    "by the mean square": (lambda: _used(nn.RMSNorm(8, eps=1e-3)), (TOKENS,)),
    "softmax": (lambda: nn.Softmax(-1), (TOKENS,)),
    "the logarithm of softmax": (lambda: nn.LogSoftmax(-1), (TOKENS,)),
    "softmin": (lambda: nn.Softmin(1), (TOKENS,)),
    "attention": (lambda: nn.MultiheadAttention(8, 2, batch_first=True), (TOKENS, TOKENS, TOKENS)),
    "a linear layer": (lambda: nn.Linear(8, 30), (TOKENS,)),
    "a linear layer of many inputs": (lambda: nn.Linear(200, 7, bias=False), (_random(1, 200),)),
    "an addition": (Add, (MAPS, MAPS.flip(-1))),
}


def _used(layer: nn.Module) -> nn.Module:
    """A layer that has learned something, and has seen other pictures."""
    torch.manual_seed(5)
    for values in (*layer.parameters(), *(each for each in layer.buffers() if each.is_floating_point())):
        nn.init.uniform_(values, 0.4, 2.0)
    return layer


@pytest.fixture(scope="module")
def sums() -> dict[str, tuple[nn.Module, Reading, list[dict[str, float]]]]:
    """Of each case the layer, its reading, and what the page's script adds up."""
    torch.manual_seed(0)
    layers = {name: make().eval() for name, (make, _) in CASES.items()}
    readings = {name: reading_of(layer, *CASES[name][1]) for name, layer in layers.items()}
    found = added(list(readings.values()))
    return {name: (layers[name], readings[name], each) for name, each in zip(CASES, found, strict=True)}


@pytest.mark.parametrize("name", CASES)
def test_the_page_adds_up_what_the_layer_computes(
    sums: dict[str, tuple[nn.Module, Reading, list[dict[str, float]]]], name: str
) -> None:
    """Against PyTorch in double precision, which shares nothing with the page, and what was captured."""
    layer, reading, found = sums[name]
    given = CASES[name][1]
    exact = in_double(layer, *given)
    with torch.no_grad():
        output = layer(*given)
    captured = output[0] if isinstance(output, tuple) else output
    assert len(reading.cells) == reading.rows * reading.columns == len(found) > 0
    for cell, made in zip(reading.cells, found, strict=True):
        wanted = float(exact[cell.index])
        assert math.isfinite(made["sum"])  # added up by the page, and not taken from the server
        assert abs(made["total"] - wanted) <= CLOSE * max(1.0, abs(wanted)), cell
        assert cell.value == float(captured[cell.index])
        assert abs(made["total"] - float(captured[cell.index])) <= float(cell.tolerance) + CLOSE
        assert cell.agrees


def test_a_number_of_the_input_that_is_wrong_changes_the_sum() -> None:
    """Otherwise the page could show any window and the same total."""
    reading = reading_of(nn.Conv2d(4, 3, 3), MAPS)
    wrong = as_plain(reading)
    assert wrong["region"] is not None
    wrong["region"]["values"] = [value + 1 for value in wrong["region"]["values"]]
    right, other = added([reading, wrong])
    assert all(abs(one["total"] - two["total"]) > 1e-4 for one, two in zip(right, other, strict=True))


@pytest.mark.parametrize("kind", [*FUNCTIONS, nn.PReLU], ids=lambda kind: kind.__name__)
def test_the_curve_of_an_activation_is_the_layers_own(kind: type[nn.Module]) -> None:
    """Called by itself at each place of the curve; and each number of the block lies on it."""
    layer = kind(0.3, -0.2) if kind is nn.Threshold else kind(4) if kind is nn.PReLU else kind()
    reading = reading_of(layer.eval(), 3 * MAPS)
    assert reading.curve is not None
    x = torch.tensor(reading.curve.x, dtype=torch.float64)
    shaped = x.view(1, 1, -1).expand(1, 4, -1) if kind is nn.PReLU else x
    with torch.no_grad():
        wanted = layer.double()(shaped.clone())
    wanted = wanted[0, reading.cells[0].index[1]] if kind is nn.PReLU else wanted
    assert reading.curve.y == pytest.approx(wanted.tolist(), rel=1e-6, abs=1e-7)
    low, high = reading.curve.x[0], reading.curve.x[-1]
    for cell in reading.cells:
        (x_of_cell,) = [each.value for each in cell.numbers if each.name == "x"]
        assert float(low) <= float(x_of_cell) <= float(high)
        assert float(cell.total) == pytest.approx(float(cell.value), rel=1e-5, abs=1e-6)


def test_the_block_lies_around_the_strongest_number_or_where_it_was_asked_for() -> None:
    """A place at the edge has its block within the map."""
    layer = nn.Identity()
    maps = torch.zeros(1, 2, 20, 20)
    maps[0, 1, 9, 12] = -5
    strongest = reading_of(layer, maps, channel=1)
    assert (strongest.top, strongest.left, strongest.rows, strongest.columns) == (6, 9, 6, 6)
    corner = reading_of(layer, maps, channel=1, at=(19, 0))
    assert (corner.top, corner.left) == (14, 0)
    assert [(cell.y, cell.x) for cell in corner.cells][:7] == [*((14, x) for x in range(6)), (15, 0)]
    with pytest.raises(RequestError, match="place"):
        found_of(layer, maps, at=(20, 0))
    with pytest.raises(RequestError, match="channel 2"):
        found_of(layer, maps, channel=2)


def test_another_channel_of_the_input_is_shown_if_it_is_asked_for() -> None:
    """The sum stays the same, because the others are added."""
    layer = nn.Conv2d(4, 3, 3)
    both = [reading_of(layer, MAPS, source=source) for source in (0, 3)]
    assert [each.region.channel for each in both if each.region] == [0, 3]
    first, second = added(both)
    assert [cell["sum"] for cell in first] != [cell["sum"] for cell in second]
    assert [cell["total"] for cell in first] == pytest.approx([cell["total"] for cell in second])


def test_of_many_channels_those_that_count_most_can_be_chosen() -> None:
    """A hundred channels: all are counted and summed, 64 are listed, the largest first."""
    reading = reading_of(nn.Conv2d(100, 2, 1), _random(1, 100, 6, 6))
    assert (reading.inputs, len(reading.channels.channel)) == (100, 64)
    sizes = [abs(float(total)) for total in reading.channels.total]
    assert sizes == sorted(sizes, reverse=True)
    assert all(cell.agrees for cell in reading.cells)


def test_the_region_is_the_input_with_its_padding() -> None:
    """The corner of a padded input: its first row and column are outside."""
    reading = reading_of(nn.Conv2d(4, 3, 3, padding=1), MAPS, at=(0, 0), source=2)
    region = reading.region
    assert region is not None
    assert (region.top, region.left) == (-1, -1)
    values = torch.tensor(region.values).view(region.rows, region.columns)
    assert torch.equal(values[1:, 1:], MAPS[0, 2, : region.rows - 1, : region.columns - 1])
    padding = torch.tensor(region.padding).view(region.rows, region.columns)
    assert padding[0].all()
    assert padding[:, 0].all()
    assert not padding[1:, 1:].any()


def test_what_is_too_large_to_be_drawn_is_still_summed() -> None:
    """A mean of ten thousand numbers has no window on the page, but its number and its formula."""
    reading = reading_of(nn.AdaptiveAvgPool2d(1), _random(1, 2, 100, 100))
    assert reading.region is None
    assert reading.cells[0].agrees
    assert len(reading.cells[0].text) < 1000


def test_a_layer_that_is_not_explained_says_why() -> None:
    """A sentence, as one number of it would have."""
    found = found_of(nn.Sequential(nn.ReLU(), nn.ReLU()), MAPS)
    assert isinstance(found, UnexplainedReading)
    assert "explained one by one" in found.reason


class Positive(nn.Module):
    """Truth values, or numbers with two parts."""

    def __init__(self, kind: torch.dtype) -> None:
        super().__init__()
        self.kind = kind

    def forward(self, maps: Tensor) -> Tensor:
        """Return the maps as another kind of number."""
        return (maps > 0).to(self.kind)


@pytest.mark.parametrize("kind", [torch.bool, torch.uint8, torch.int64, torch.complex64, torch.bfloat16])
def test_numbers_of_every_kind_have_a_strongest_one(kind: torch.dtype) -> None:
    """Masks and spectra too: a sentence, as nothing is known of this layer, and no error."""
    assert isinstance(found_of(Positive(kind), MAPS), UnexplainedReading)
    assert reading_of(nn.Flatten(), (MAPS > 0).to(kind) if kind != torch.complex64 else MAPS).kind == "move"
