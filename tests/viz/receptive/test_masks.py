"""Places that a mask hides are not seen: against gradients, of which a share of e⁻¹⁰⁰ is nothing.

NaN, the other tests' oracle, would pass a mask, as it passes a product with zero.
"""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (its usual name)
from torchvision.models.swin_transformer import SwinTransformer

from tests.viz.receptive.oracles import Through, box_of
from viz import LayerActivations
from viz.receptive import receptive_fields

HIDDEN = torch.tensor([[0.0, -100, 0, -100], [-100, 0, 0, 0], [0, 0, 0, -torch.inf], [-1e4, 0, -1, 0]])
TRIANGLE = torch.ones(4, 4).tril()
NOTHING = 1e-30  # a gradient that is smaller comes through a mask


def _tokens(x: Tensor) -> Tensor:
    """Four tokens with two heads of three features, one for each row of the picture (1, 6, 4, …)."""
    return x[0, :, :, 0].reshape(2, 3, 4).transpose(1, 2)[None]


def _by_hand(x: Tensor) -> Tensor:
    tokens = _tokens(x)
    scores = (tokens @ tokens.transpose(-1, -2)).view(2, 4, 4) + HIDDEN.to(x.dtype)
    return F.dropout(scores.softmax(-1), training=False) @ tokens[0]


def _filled(x: Tensor) -> Tensor:
    tokens = _tokens(x)
    scores = (tokens @ tokens.transpose(-1, -2)).masked_fill(HIDDEN < -2, -torch.inf)
    return scores.softmax(-1) @ tokens


def _written_again(x: Tensor) -> Tensor:
    tokens = _tokens(x)
    scores = (tokens @ tokens.transpose(-1, -2)).tril()
    scores.add_(tokens[..., :1])  # nothing is hidden any more
    return scores @ tokens


def _filled_twice(x: Tensor) -> Tensor:
    """Hide some scores, and the others in place; the first stay hidden."""
    scores = _scores(x).masked_fill(HIDDEN == -100, torch.tensor(-1e9, dtype=x.dtype))
    return scores.masked_fill_(HIDDEN < -1000, -torch.inf).softmax(-1) @ _tokens(x)


def _set(x: Tensor, place: tuple[object, ...], value: object) -> Tensor:
    """Mix tokens by scores of which some are set to a low value."""
    scores = _scores(x)
    scores[place] = value
    return scores.softmax(-1) @ _tokens(x)


def _low_row(x: Tensor) -> Tensor:
    """Return addends of which a softmax ignores one row, where all are equal."""
    return HIDDEN.to(x.dtype).index_fill(0, torch.tensor(1), -100)


def _scores(x: Tensor) -> Tensor:
    return _tokens(x) @ _tokens(x).transpose(-1, -2)


HIDES = HIDDEN < -2

MASKED: dict[str, Callable[[Tensor], Tensor]] = {
    "added by hand": _by_hand,
    "filled by hand": _filled,
    "written again": _written_again,
    "filled in place": lambda x: _scores(x).masked_fill_(HIDES, -torch.inf).softmax(-1) @ _tokens(x),
    "filled twice": _filled_twice,
    "filled with zeros": lambda x: _scores(x).masked_fill_(HIDES, 0) @ _tokens(x),
    "set by yes and no": lambda x: _set(x, (..., HIDES), -1e9),
    "set by yes and no to values": lambda x: _set(
        x, (..., HIDES), torch.full((int(HIDES.sum()),), -1e9, dtype=x.dtype)
    ),
    "set by numbers": lambda x: _set(x, (..., *HIDES.nonzero().unbind(1)), -1e9),
    "set along an axis": lambda x: _scores(x).index_fill_(-1, torch.tensor([1, 3]), 0) @ _tokens(x),
    "set by a slice": lambda x: _set(x, (..., 1, slice(2, None)), -torch.inf),
    "set by a slice to values": lambda x: _set(x, (..., 1, slice(2, None)), -1e9 * torch.ones(2)),
    "subtracted": lambda x: (_scores(x) - 1e4 * HIDES).softmax(-1) @ _tokens(x),
    "subtracted in place": lambda x: _scores(x).sub_(HIDES.long(), alpha=100).softmax(-1) @ _tokens(x),
    "multiplied and subtracted": lambda x: (_scores(x) * ~HIDES - 1e4 * HIDES).softmax(-1) @ _tokens(x),
    "added whole numbers": lambda x: (_scores(x) + -100 * HIDES.long()).softmax(-1) @ _tokens(x),
    "added before a product": lambda x: (
        torch.baddbmm(HIDDEN.to(x.dtype), _tokens(x)[0], _tokens(x)[0].mT).softmax(-1) @ _tokens(x)
    ),
    "chosen by hand": lambda x: (
        torch.where(HIDDEN < -2, torch.tensor(-1e9, dtype=x.dtype), _scores(x)).softmax(-1) @ _tokens(x)
    ),
    "triangle by multiplication": lambda x: (TRIANGLE * _scores(x)) @ _tokens(x),
    "in one operation": lambda x: F.scaled_dot_product_attention(
        _tokens(x), _tokens(x), _tokens(x), HIDDEN.to(x.dtype)
    ),
    "as yes and no": lambda x: F.scaled_dot_product_attention(
        _tokens(x), _tokens(x), _tokens(x), HIDDEN > -2
    ),
    "causal": lambda x: F.scaled_dot_product_attention(_tokens(x), _tokens(x), _tokens(x), is_causal=True),
    "running sum": lambda x: x.cumsum(2),
    "running product": lambda x: (x + 1).cumprod(2),
    "triangle before": lambda x: TRIANGLE.to(x.dtype) @ x,
    "triangle after": lambda x: x.transpose(2, 3) @ TRIANGLE.to(x.dtype),
    "triangle of scores": lambda x: _scores(x).tril() @ _tokens(x),
    "triangle of scores before softmax": lambda x: _scores(x).tril().softmax(-1) @ _tokens(x),
    "low scores without softmax": lambda x: (_scores(x) + HIDDEN.to(x.dtype).clamp(-100)) @ _tokens(x),
    "all scores of a row low": lambda x: (_scores(x) + _low_row(x)).softmax(-1) @ _tokens(x),
    "all of a row low in one operation": lambda x: F.scaled_dot_product_attention(
        _tokens(x), _tokens(x), _tokens(x), _low_row(x)
    ),
    "zeros among weights": lambda x: F.linear(
        x.permute(0, 2, 3, 1), TRIANGLE.to(x.dtype).repeat(1, 2)[:, :6]
    ),
    "channel without weights": lambda x: F.linear(_tokens(x), HIDDEN[:3, :3].clamp(-1).to(x.dtype)),
}


def seen_by(net: nn.Module, images: Tensor, cell: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The box around the pixels whose gradient reaches a cell, in double precision."""
    picture = images.double().requires_grad_()
    net(picture)[cell].backward()
    assert picture.grad is not None
    return box_of(picture.grad[0].abs().amax(0) > NOTHING)


@pytest.mark.parametrize("name", MASKED)
def test_no_cell_sees_what_a_mask_hides(name: str) -> None:
    """Every cell, of an output whose last axes are whatever the function makes of four rows of two pixels."""
    images = torch.rand(1, 6, 4, 2, generator=torch.Generator().manual_seed(1)) + 0.5
    net = Through(MASKED[name])
    fields = receptive_fields(LayerActivations(net, "cpu"), images, "end")
    for cell in torch.ones(fields.shape).nonzero().tolist():
        field = fields.at(cell)
        found = (field.top, field.left, field.bottom, field.right)
        assert found == seen_by(net, images, tuple(cell)), cell


def test_the_border_of_a_shifted_window_does_not_see_the_opposite_side() -> None:
    """Swin: windows of 4 by 4 tokens of 2 pixels, in the second block shifted by 2 tokens."""
    torch.manual_seed(0)
    net = SwinTransformer(
        [2, 2], 8, [2], [2], window_size=[4, 4], num_classes=2, stochastic_depth_prob=0.0
    ).eval()
    images = torch.rand(1, 3, 16, 16)
    fields = receptive_fields(LayerActivations(net, "cpu"), images, "features.1")
    double = net.features[:2].double()
    for row, column in ((0, 0), (7, 7), (0, 7), (3, 0), (4, 4)):
        field = fields.at((0, row, column, 0))
        found = (field.top, field.left, field.bottom, field.right)
        assert found == seen_by(double, images, (0, row, column, 0))
    assert not fields.at((0, 0, 0, 0)).whole
