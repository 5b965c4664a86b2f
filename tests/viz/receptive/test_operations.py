"""Every rule for an operation, against where NaN in a row or column of the picture arrives."""

import itertools
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (its usual name)

from tests.viz.receptive.oracles import Through, box_of, hull, poisoned, reached
from viz import LayerActivations
from viz.receptive import receptive_fields
from viz.receptive.windows import resampled_places

Function = Callable[[torch.Tensor], torch.Tensor]


def _written(x: torch.Tensor) -> torch.Tensor:
    out = x.clone()
    out[:, 1:3, 2:] += F.conv2d(x, torch.ones(2, 4, 3, 3), padding=1)[:, :, 2:]
    out[:, 0] = 0
    return out.relu_()


def _set(x: torch.Tensor) -> torch.Tensor:
    out = x.clone()
    out[:, :, [1, 3]] = 0
    return out


def _shuffled(x: torch.Tensor) -> torch.Tensor:
    left, right = x.chunk(2, 1)
    return F.channel_shuffle(torch.cat([left, F.max_pool2d(right, 3, 1, 1)], 1), 2)


def _attended(x: torch.Tensor) -> torch.Tensor:
    tokens = x[..., :2, :2].flatten(2).transpose(1, 2)
    return F.scaled_dot_product_attention(tokens, tokens, tokens)


PICTURES: dict[str, Function] = {
    "convolution": lambda x: F.conv2d(
        x, torch.ones(5, 4, 3, 2), stride=(2, 1), padding=(1, 2), dilation=(2, 1)
    ),
    "convolution in groups": lambda x: F.conv2d(_shuffled(x), torch.ones(4, 2, 3, 3), groups=2),
    "depthwise convolution": lambda x: F.conv2d(_shuffled(x), torch.ones(8, 1, 3, 3), groups=4),
    "wide padding": lambda x: F.conv2d(x, torch.ones(1, 4, 1, 1), padding=2),
    "transposed convolution": lambda x: F.conv_transpose2d(
        x, torch.ones(4, 2, 3, 3), stride=2, padding=1, output_padding=1
    ),
    "maximum pooling": lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True),
    "dilated pooling": lambda x: F.max_pool2d(x, 2, 1, dilation=3),
    "mean pooling": lambda x: F.avg_pool2d(x, (2, 3)),
    "adaptive pooling": lambda x: F.adaptive_avg_pool2d(x, (3, 5)),
    "adaptive maximum": lambda x: F.adaptive_max_pool2d(x, 3),
    "pooling of powers": lambda x: F.lp_pool2d(x, 2.0, 2),
    "nearest": lambda x: F.interpolate(x, size=(13, 5)),
    "reflected": lambda x: F.pad(x, (2, 1, 0, 3), mode="reflect"),
    "wrapped": lambda x: F.pad(x, (1, 2, 1, 1), mode="circular"),
    "padded": lambda x: F.pad(x, (1, 2, 0, -1)),
    "pixel shuffle": lambda x: F.pixel_shuffle(x, 2),
    "rolled": lambda x: x.roll((2, -1), (2, 3)),
    "flipped": lambda x: x.flip(2).rot90(1, (2, 3)),
    "picked": lambda x: x[:, [3, 0], 1::2][:, :, [2, 0]],
    "stacked": lambda x: torch.stack([x, x.mean(3, keepdim=True).expand_as(x)], 2),
    "joined": lambda x: torch.cat([x[..., :3], torch.ones(len(x), 4, 9, 1), F.avg_pool2d(x, 3, 1, 1)], 3),
    "flattened": lambda x: F.linear(x[..., :3].flatten(2), torch.ones(2, 27)),
    "windows": lambda x: x.unfold(2, 3, 2).sum(-1),
    "padded patches": lambda x: F.unfold(x, 3, padding=(2, 1), dilation=(1, 2)),
    "patches": lambda x: F.unfold(x, 3, stride=2),
    "softmax": lambda x: F.softmax(x, 2),
    "layer norm": lambda x: F.layer_norm(x.permute(0, 2, 3, 1), (4,)),
    "layer norm of a row": lambda x: F.layer_norm(x, (10,)),
    "group norm": lambda x: F.group_norm(_shuffled(x), 2),
    "instance norm": F.instance_norm,
    "RMS norm": lambda x: F.rms_norm(x, (10,)),
    "local response": lambda x: F.local_response_norm(_shuffled(x), 3),
    "maximum of a row": lambda x: x.amax(3),
    "mean": lambda x: x.mean((-2, -1)),
    "mean of all": lambda x: x.mean((1, 2, 3)),
    "product": lambda x: x @ x.transpose(-1, -2),
    "einsum": lambda x: torch.einsum("nchw,dc->ndhw", x, torch.ones(3, 4)),
    "attention": _attended,
    "gate": lambda x: x * F.hardsigmoid(x.mean((2, 3), keepdim=True)),
    "written in place": _written,
    "changed in place": lambda x: F.threshold_(x.clone().abs_(), 0.1, 0),
    "set to a constant": _set,
    "shuffled channels": _shuffled,
    "largest": lambda x: x.topk(2, 3).values,
    "normalised": lambda x: F.normalize(x, dim=1),
    "read in another order": lambda x: x.contiguous().as_strided((len(x), 9, 10), (360, 10, 1), 90),
}
RESAMPLED: dict[str, Function] = {
    "nearest": lambda x: F.interpolate(x, scale_factor=1.7),
    "bilinear": lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
    "bilinear, smaller": lambda x: F.interpolate(x, size=(3, 7), mode="bilinear"),
    "bilinear, corners": lambda x: F.interpolate(x, size=(5, 12), mode="bilinear", align_corners=True),
    "bicubic": lambda x: F.interpolate(x, size=(20, 15), mode="bicubic"),
    "bicubic, corners": lambda x: F.interpolate(x, size=(17, 4), mode="bicubic", align_corners=True),
}
SIGNALS: dict[str, Function] = {
    "convolution": lambda x: F.conv1d(x, torch.ones(2, 3, 5), stride=2, padding=2),
    "maximum pooling": lambda x: F.max_pool1d(x, 3, 2),
    "mean pooling": lambda x: F.avg_pool1d(x, 4),
    "adaptive pooling": lambda x: F.adaptive_avg_pool1d(x, 5),
    "linear": lambda x: F.interpolate(x, size=9, mode="linear"),
}


def _agree(net: Through, images: torch.Tensor, axis: int) -> None:
    fields = receptive_fields(LayerActivations(net, "cpu"), images, "end")
    with torch.no_grad():
        arrived = hull(net(poisoned(images, axis)).isnan())
    assert torch.equal(arrived, reached(fields, axis))


@pytest.mark.parametrize("axis", [2, 3])
@pytest.mark.parametrize("function", PICTURES.values(), ids=PICTURES)
def test_nan_in_a_picture_arrives_exactly_where_the_boxes_say(function: Function, axis: int) -> None:
    """A picture of 9 × 10 pixels, after a convolution that gives boxes of several pixels."""
    _agree(Through(function, nn.Conv2d(2, 4, 3, padding=1)), torch.rand(1, 2, 9, 10) + 1, axis)


@pytest.mark.parametrize("function", SIGNALS.values(), ids=SIGNALS)
def test_nan_in_a_signal_arrives_exactly_where_the_boxes_say(function: Function) -> None:
    """A signal (1, 3, 20) has one row, and its places are columns."""
    images = torch.rand(1, 3, 20)
    fields = receptive_fields(LayerActivations(Through(function), "cpu"), images, "end")
    arrived = hull(function(poisoned(images, 2)).isnan())
    places = torch.arange(20).view(20, 1, 1)
    left, right = -fields.boxes.planes[1][0], fields.boxes.planes[3][0]
    assert torch.equal(arrived, (places >= left) & (places <= right))
    assert fields.size == (1, 20)


@pytest.mark.parametrize("function", RESAMPLED.values(), ids=RESAMPLED)
def test_resampled_cells_have_the_box_of_their_gradient(function: Function) -> None:
    """NaN would pass through weights of zero; the gradient, which is these weights, does not."""
    images = torch.rand(1, 1, 9, 10, dtype=torch.float64)
    fields = receptive_fields(LayerActivations(Through(function), "cpu"), images, "end")
    (weights,) = torch.autograd.functional.jacobian(function, (images,))  # type: ignore[no-untyped-call]
    for cell in itertools.product(*map(range, fields.shape)):
        field = fields.at(cell)
        assert (field.top, field.left, field.bottom, field.right) == box_of(
            weights[cell][0, 0].abs() > 1e-12
        ), cell


def _quantised(x: torch.Tensor) -> torch.Tensor:
    return torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)


def _same_fields(one: Function, other: Function) -> bool:
    images = torch.rand(1, 2, 5, 5)
    found, expected = (
        receptive_fields(LayerActivations(Through(each), "cpu"), images, "end").boxes.planes
        for each in (one, other)
    )
    return all(map(torch.equal, found, expected))


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")
def test_a_quantised_transposed_convolution_has_the_fields_of_the_plain_one() -> None:
    """It keeps in its packed weights that it is transposed."""
    weight = torch.rand(2, 2, 3, 3)
    integers = torch.quantize_per_tensor(weight, 0.1, 0, torch.qint8)
    run, pack = torch.ops.quantized.conv_transpose2d, torch.ops.quantized.conv_transpose2d_prepack
    packed = pack(integers, None, [2, 2], [0, 0], [0, 0], [1, 1], 1)
    assert _same_fields(
        lambda x: run(_quantised(x), packed, 0.1, 0).dequantize(),
        lambda x: F.conv_transpose2d(x, weight, stride=2),
    )


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")
def test_a_quantised_convolution_sees_what_it_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture is only what is added; the answer may be as large as that of a mean of all."""
    monkeypatch.setattr(torch.backends.quantized, "engine", "onednn")
    integers = torch.quantize_per_tensor(torch.rand(2, 2, 3, 3), 0.1, 0, torch.qint8)
    packed = torch.ops.quantized.conv2d_prepack(integers, None, [1, 1], [1, 1], [1, 1], 1)
    constant, run = _quantised(torch.ones(1, 2, 5, 5)), torch.ops.quantized.conv2d_add
    assert _same_fields(
        lambda x: run(constant, _quantised(x), packed, 0.1, 0).dequantize(),
        lambda x: x.mean((1, 2, 3), keepdim=True).expand_as(x),
    )


def test_the_nearest_place_is_the_one_that_pytorch_takes() -> None:
    """For all lengths to 64 and outputs to 128: places that are numbered, resized by PyTorch."""
    wrong = [
        (length, outputs)
        for length in range(1, 65)
        for outputs in range(1, 129)
        if [place for (place,) in resampled_places(length, outputs, length / outputs, 0, corners=False)]
        != F.interpolate(torch.arange(float(length))[None, None], size=outputs)[0, 0].tolist()
    ]
    assert wrong == []
