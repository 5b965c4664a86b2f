"""Every kind of layer, on random cells and on those at the borders, against what torch computed."""

import copy
import itertools
import math

import pytest
import torch
from torch import nn

from viz.findings.explanation import Explanation
from viz.number.arithmetic import explain


def _cells(shape: torch.Size, count: int = 12) -> list[tuple[int, ...]]:
    """The corners, and cells drawn at random."""
    corners = itertools.islice(itertools.product(*({0, length - 1} for length in shape)), 20)
    drawn = [tuple(int(torch.randint(length, ())) for length in shape) for _ in range(count)]
    return [*corners, *drawn]


def _explained(layer: nn.Module, *inputs: torch.Tensor) -> list[Explanation]:
    with torch.no_grad():
        for weight in layer.parameters():
            nn.init.normal_(weight)
        output = layer.eval()(*[each.clone() for each in inputs])
    found = [explain(layer, inputs, output, cell) for cell in _cells(output.shape)]
    assert all(each.explained for each in found), found[0].reason
    for each in found:
        assert each.agrees, each
        assert abs(each.difference) <= 1e-6 * max(each.magnitude, abs(each.total)) + 1e-37, each
    return found


PICTURE, SIGNAL, VOLUME = (2, 4, 9, 7), (2, 4, 11), (2, 4, 5, 6, 4)
CONVOLUTIONS = [
    (nn.Conv2d(4, 6, 3), PICTURE),
    (nn.Conv2d(4, 6, 3, padding=1, bias=False), PICTURE),
    (nn.Conv2d(4, 6, (3, 2), stride=(2, 3), padding=(2, 1), dilation=(1, 2)), PICTURE),
    (nn.Conv2d(4, 6, 3, groups=2, padding=1), PICTURE),
    (nn.Conv2d(4, 8, 3, groups=4, padding=1), PICTURE),
    (nn.Conv2d(4, 3, 4, padding="same"), PICTURE),
    (nn.Conv2d(4, 3, 3, padding="valid"), PICTURE),
    *(
        (nn.Conv2d(4, 3, 5, padding=2, padding_mode=mode), PICTURE)
        for mode in ("reflect", "replicate", "circular")
    ),
    (nn.Conv2d(4, 3, 2), PICTURE[1:]),
    (nn.Conv1d(4, 3, 5, stride=2, padding=2), SIGNAL),
    (nn.Conv3d(4, 3, 3, padding=1, stride=(1, 2, 1)), VOLUME),
    (nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2), PICTURE),
    (nn.ConvTranspose1d(4, 3, 4, stride=3, dilation=2), SIGNAL),
]
POOLINGS = [
    (nn.MaxPool2d(3, 2, 1), PICTURE),
    (nn.MaxPool2d((2, 3), ceil_mode=True), PICTURE),
    (nn.MaxPool2d(2, 1, dilation=3), PICTURE),
    (nn.MaxPool1d(3), SIGNAL),
    (nn.MaxPool3d(2), VOLUME),
    (nn.AvgPool2d(3, 2, 1), PICTURE),
    (nn.AvgPool2d(3, 2, 1, count_include_pad=False, ceil_mode=True), PICTURE),
    (nn.AvgPool2d(4, 3, 2, ceil_mode=True), PICTURE),
    (nn.AvgPool2d(2, divisor_override=3), PICTURE),
    (nn.AvgPool1d(4, 2, 2), SIGNAL),
    (nn.AvgPool3d(2), VOLUME),
    (nn.AdaptiveAvgPool2d((4, None)), PICTURE),
    (nn.AdaptiveAvgPool1d(3), SIGNAL),
    (nn.AdaptiveAvgPool2d(1), PICTURE[1:]),
    (nn.AdaptiveMaxPool2d(4), PICTURE),
    (nn.AdaptiveMaxPool3d(2), VOLUME),
]
OTHERS = [
    (nn.Linear(7, 5), PICTURE),
    (nn.Linear(11, 3, bias=False), SIGNAL[2:]),
    (nn.BatchNorm2d(4, affine=False), PICTURE),
    (nn.BatchNorm1d(4, track_running_stats=False), SIGNAL),
    (nn.BatchNorm3d(4), VOLUME),
    (nn.InstanceNorm2d(4, affine=True), PICTURE),
    (nn.LayerNorm(7), PICTURE),
    (nn.LayerNorm((9, 7), elementwise_affine=False), PICTURE),
    (nn.LayerNorm(7, bias=False), PICTURE),
    (nn.GroupNorm(2, 4), PICTURE),
    (nn.RMSNorm(7), PICTURE),
    (nn.Softmax(1), PICTURE),
    (nn.Softmax(-1), SIGNAL),
    (nn.Softmax2d(), PICTURE),
    (nn.Softmin(2), PICTURE),
    (nn.LogSoftmax(3), PICTURE),
    (nn.GLU(1), PICTURE),
    (nn.PReLU(), PICTURE),
    (nn.PReLU(4), PICTURE),
]
ACTIVATIONS = [
    *(nn.ReLU(inplace=True), nn.ReLU6(), nn.Sigmoid(), nn.Tanh(), nn.SiLU(), nn.Mish(), nn.Hardswish()),
    *(nn.Hardsigmoid(), nn.Softsign(), nn.LogSigmoid(), nn.Tanhshrink(), nn.SELU(), nn.GELU()),
    *(nn.GELU(approximate="tanh"), nn.LeakyReLU(0.2), nn.ELU(0.7), nn.CELU(1.3), nn.Hardtanh(-0.5, 2)),
    *(nn.Softplus(2, 3), nn.Threshold(0.2, -3), nn.Hardshrink(0.4), nn.Softshrink(0.3)),
]


def _name(value: object) -> str:
    return str(value) if isinstance(value, nn.Module) else ""


@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel lengths")
@pytest.mark.parametrize(("layer", "shape"), [*CONVOLUTIONS, *POOLINGS, *OTHERS], ids=_name)
def test_the_sum_agrees_with_what_the_layer_returned(layer: nn.Module, shape: tuple[int, ...]) -> None:
    """To float32 precision: a few roundings of the sum of all magnitudes."""
    _explained(layer, torch.randn(shape) * 3)


UNREACHED = [
    (nn.ConvTranspose2d(2, 3, 1, stride=2), (1, 2, 3, 4)),
    (nn.ConvTranspose2d(2, 3, 2, stride=3, bias=False), (1, 2, 3, 3)),
    (nn.ConvTranspose1d(4, 2, 2, stride=4, groups=2, output_padding=1), (1, 4, 3)),
    (nn.ConvTranspose3d(2, 2, 1, stride=2), (1, 2, 2, 2, 2)),
]


@pytest.mark.parametrize(("layer", "shape"), UNREACHED, ids=_name)
def test_a_place_that_no_input_reaches_is_the_bias_alone(layer: nn.Module, shape: tuple[int, ...]) -> None:
    """Every cell agrees with the layer's output; the oracle for which are reached is a layer of ones."""
    inputs = torch.randn(shape, generator=torch.Generator().manual_seed(5))
    output = layer(inputs).detach()
    ones = copy.deepcopy(layer)
    for name, weight in ones.named_parameters():
        nn.init.constant_(weight, float(name == "weight"))
    reached = ones(torch.ones(shape)).detach() != 0
    assert not reached.all()
    for cell in itertools.product(*map(range, output.shape)):
        found = explain(layer, (inputs,), output, cell)
        assert found.total == pytest.approx(float(output[cell]), abs=1e-5)
        assert found.agrees
        assert (found.patch is not None) == bool(reached[cell])


@pytest.mark.parametrize("layer", ACTIVATIONS, ids=_name)
def test_every_activation_agrees_for_small_large_and_special_numbers(layer: nn.Module) -> None:
    """Far out on both sides, at the bends, next to zero, and NaN."""
    numbers = torch.cat(
        [torch.randn(40) * 5, torch.tensor([0.0, -0.0, 3.0, -3.0, 6.0, 1e-6, -1e-6, 88.0, -104.0])]
    )
    _explained(layer, numbers.view(1, 7, 7))
    output = layer(torch.tensor([math.nan]))
    assert explain(layer, [torch.tensor([math.nan])], output, (0,)).agrees


@pytest.mark.parametrize("layer", [nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.Mish()], ids=_name)
def test_what_is_left_of_an_activation_far_below_zero_is_no_false_alarm(layer: nn.Module) -> None:
    """The error function there is almost −1, and torch adds it to 1."""
    row = torch.linspace(-8, 2, 2001)
    output = layer(row)
    assert [at for at in range(2001) if not explain(layer, [row], output, (at,)).agrees] == []


def test_batch_norm_uses_its_running_statistics() -> None:
    """After training, these are no longer 0 and 1."""
    layer = nn.BatchNorm2d(4)
    layer(torch.randn(8, 4, 5, 5) * 3 + 2)
    found = _explained(layer, torch.randn(PICTURE))[0]
    assert dict(found.numbers)["mean"] == pytest.approx(float(layer.running_mean[0]))
    assert set(dict(found.numbers)) == {"x", "mean", "variance", "eps", "weight", "bias"}


MOVES = [
    *(
        (nn.Identity(), PICTURE),
        (nn.Dropout(0.5), PICTURE),
        (nn.Dropout2d(), PICTURE),
        (nn.Flatten(), PICTURE),
    ),
    *((nn.Flatten(0), SIGNAL), (nn.Unflatten(1, (2, 2)), PICTURE), (nn.PixelShuffle(2), PICTURE)),
    *((nn.ChannelShuffle(2), PICTURE), (nn.ReflectionPad2d(2), PICTURE), (nn.ReplicationPad1d(3), SIGNAL)),
    *((nn.ZeroPad2d((1, 2, 0, 3)), PICTURE), (nn.Upsample(scale_factor=2), PICTURE)),
]


@pytest.mark.parametrize(("layer", "shape"), MOVES, ids=_name)
def test_a_layer_that_moves_numbers_says_where_from(layer: nn.Module, shape: tuple[int, ...]) -> None:
    """The number at the source is exactly the same."""
    inputs = torch.randn(shape)
    for found in _explained(layer, inputs):
        assert found.kind == "move"
        assert found.value == (0.0 if found.source is None else float(inputs[found.source]))


def _every_cell(layer: nn.Module, inputs: torch.Tensor) -> list[Explanation]:
    output = layer(inputs).detach()
    return [explain(layer, (inputs,), output, cell) for cell in itertools.product(*map(range, output.shape))]


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (nn.InstanceNorm1d(4), (4, 9)),
        (nn.InstanceNorm2d(4, affine=True), (4, 5, 6)),
        (nn.InstanceNorm2d(4, track_running_stats=True).eval(), (4, 5, 6)),
        (nn.InstanceNorm3d(2), (2, 3, 4, 2)),
    ],
    ids=_name,
)
def test_instance_normalisation_knows_its_channels_without_a_batch(
    layer: nn.Module, shape: tuple[int, ...]
) -> None:
    """The first axis is the channels' then."""
    assert all(found.agrees for found in _every_cell(layer, torch.randn(shape) * 3 + 1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("spread", [1, 30, 100])
@pytest.mark.parametrize("layer", [nn.Softmax(-1), nn.LogSoftmax(-1)], ids=_name)
def test_a_peaked_softmax_is_no_false_alarm(layer: nn.Module, spread: int, dtype: torch.dtype) -> None:
    """The logarithm of almost 1 is almost 0, and the smallest shares are hardly numbers in half precision."""
    rows = torch.randn(4, 50, generator=torch.Generator().manual_seed(1)) * spread
    found = _every_cell(layer, rows.to(dtype))
    assert [each for each in found if not each.agrees] == []


@pytest.mark.parametrize("layer", [nn.Softmax(-1), nn.LogSoftmax(-1)], ids=_name)
def test_a_wrong_share_is_still_found(layer: nn.Module) -> None:
    """A part in a thousand off, for every share that a person would call one."""
    rows = torch.randn(4, 50, generator=torch.Generator().manual_seed(2)) * 3
    output = layer(rows)
    for cell in itertools.product(range(4), range(50)):
        wrong = output.clone()
        wrong[cell] = output[cell] * 1.001
        if abs(output[cell]) > 1e-3:
            assert not explain(layer, (rows,), wrong, cell).agrees


def test_an_embedding_says_which_row_of_its_table_a_number_is_from() -> None:
    """Its total is that row's entry, at every cell."""
    layer, words = nn.Embedding(7, 5), torch.tensor([[3, 0, 6], [6, 6, 1]])
    output = layer(words).detach()
    for cell in itertools.product(range(2), range(3), range(5)):
        found = explain(layer, (words,), output, cell)
        assert found.agrees
        row = int(words[cell[:2]])
        assert found.total == float(layer.weight.detach()[row, cell[2]])
        assert dict(found.numbers)["row"] == row
