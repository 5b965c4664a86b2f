"""Nets in which the picture chooses: an index, a mask, weights, offsets or windows.

What is chosen has no gradient, so the oracle changes pixels and looks which numbers change.
"""

from collections.abc import Callable, Iterator
from functools import cache

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (its usual name)
from torchvision.ops import deform_conv2d, roi_align

from tests.viz.receptive.oracles import Box, Through, box_of
from viz import LayerActivations
from viz.receptive import receptive_fields
from viz.receptive.places.known import made_arrangements
from viz.receptive.streams.following import streams

Function = Callable[[Tensor], Tensor]

SIDE = 6
TRIES = 16  # random values for each pixel, of which one at least should change what it chooses
CODES = torch.rand(5, 3, generator=torch.Generator().manual_seed(1))
MAP = torch.arange(36.0).view(1, 4, 3, 3)


def _nearest(x: Tensor) -> Tensor:
    """Return the number of the code (N, H, W) that is nearest to each place of (N, 2, H, W)."""
    return (x[:, :, None] - CODES[:, :2].T[..., None, None]).square().sum(1).argmin(1)


def _row(x: Tensor) -> Tensor:
    """Return a column's number of (H,), chosen by the first two pixels of each row."""
    return (x[0, 0, :, 0] > x[0, 0, :, 1]).long()


def _weights(x: Tensor, *shape: int) -> Tensor:
    """Return weights that the left upper pixels choose, the last one by the first pixel alone."""
    return x[0, 0, :2].flatten().flip(0)[-shape[0] :].reshape(-1, *[1] * (len(shape) - 1)).expand(shape)


def _attended(x: Tensor, mask: Callable[[Tensor], Tensor]) -> Tensor:
    """Return the attention of one constant query for each row to constant values, by a mask (H, 3)."""
    return F.scaled_dot_product_attention(torch.ones(1, 1, SIDE, 3), *[CODES[None, None, :3]] * 2, mask(x))


def _put(x: Tensor) -> Tensor:
    return torch.zeros(3, SIDE).index_put((_row(x), torch.arange(SIDE)), torch.ones(()))


def _filled(x: Tensor) -> Tensor:
    out = x.new_zeros(2, SIDE)
    out[0].fill_(x[0, 0, 2, 3])
    return out


def _moved_windows(x: Tensor) -> Tensor:
    offsets = x[:, :1].expand(-1, 2, -1, -1) - 0.5
    return deform_conv2d(CODES.repeat(3, 3)[None, None, :SIDE, :SIDE], offsets, torch.ones(1, 1, 1, 1))


WINDOWS: dict[str, Function] = {
    "codes by index": lambda x: CODES[_nearest(x)],
    "codes by two indices": lambda x: CODES[_nearest(x), _nearest(x) % 3],
    "codes between slices": lambda x: CODES.repeat(2, 1, 1)[:, _nearest(x)[0], :2],
    "codes by index_select": lambda x: CODES.index_select(0, _nearest(x).flatten()),
    "codes by columns": lambda x: CODES.T.index_select(-1, _nearest(x).flatten()),
    "codes by embedding": lambda x: F.embedding(_nearest(x), CODES),
    "codes by gather": lambda x: CODES[:, 0].expand(1, SIDE, -1).gather(-1, _nearest(x)[:, :, 0, None]),
    "codes by take": lambda x: CODES.take(_nearest(x)),
    "codes by take_along_dim": lambda x: CODES.take_along_dim(_row(x)[None, :3], 0),
    "indices apart": lambda x: torch.stack([CODES, -CODES])[_row(x)[:, None], :, _row(x)],
    "where": lambda x: torch.where(x > 0.5, CODES[0, 0], CODES[1, 1]),
    "filled by a mask": lambda x: torch.ones(SIDE, SIDE).masked_fill(x[0, 0] > 0.5, 0),
    "filled": _filled,
    "drawn by odds": lambda x: torch.bernoulli((x > 0.5).float()),
    "drawn by odds in place": lambda x: torch.empty(SIDE, SIDE).bernoulli_((x[0, 0] > 0.5).double()),
    "drawn around means": lambda x: torch.normal(x, 0.0),
    "weights of a convolution": lambda x: F.conv2d(torch.ones(1, 3, 4, 4), _weights(x, 4, 3, 1, 1)),
    "weights of groups": lambda x: F.conv2d(torch.ones(1, 6, 4, 4), _weights(x, 4, 3, 1, 1), groups=2),
    "weights of a transposed one": lambda x: F.conv_transpose2d(
        torch.ones(1, 4, 3, 3), _weights(x, 3, 4, 1, 1).transpose(0, 1)
    ),
    "transposed groups": lambda x: F.conv_transpose2d(
        torch.ones(1, 4, 3, 3), x[0, 0, :4, :3, None, None], groups=2
    ),
    "bias of a convolution": lambda x: F.conv2d(
        torch.ones(1, 3, 4, 4), torch.ones(4, 3, 1, 1), _weights(x, 4)
    ),
    "scales of a batch": lambda x: F.batch_norm(
        MAP, torch.zeros(4), torch.ones(4), _weights(x, 4), _weights(x, 4)
    ),
    "statistics of a batch": lambda x: F.batch_norm(MAP, _weights(x, 4), torch.ones(4)),
    "scales of groups": lambda x: F.group_norm(CODES.T[None, :2, :4], 1, _weights(x, 2), _weights(x, 2)),
    "scales of a layer norm": lambda x: F.layer_norm(CODES, (3,), x[0, 0, 0, :3], x[0, 0, 0, :3]),
    "weights of a linear layer": lambda x: F.linear(CODES, x[0, 0, :, :3], x[0, 1, :, 4]),
    "attention by a mask": lambda x: _attended(x, lambda x: x[0, 0, :, 1:4] > 0.5),
    "attention by a bias": lambda x: _attended(x, lambda x: x[0, 0, :, 1:4] * 9),
}
"""Nets whose cells see no more than what chooses their values, and less than the whole picture."""

ALL: dict[str, Function] = {
    "places of the picture": lambda x: x[..., _row(x)],
    "gathered from the picture": lambda x: x.gather(3, _nearest(x)[:, None].expand(-1, 2, -1, -1)),
    "taken from the picture": lambda x: x.take(_nearest(x)),
    "largest": lambda x: x.flatten(2).gather(2, x.flatten(2).topk(3).indices),
    "sorted": lambda x: torch.arange(36.0)[x[0, 0].flatten().argsort()],
    "argmax of all": lambda x: torch.arange(72.0)[x.argmax()[None]],
    "selected by a mask": lambda x: x.masked_select(x > 0.5),
    "constants by a mask": lambda x: torch.arange(36.0)[x[0, 0].flatten() > 0.5],
    "repeated": lambda x: torch.arange(6.0).repeat_interleave(_row(x)),
    "bins": lambda x: torch.bucketize(CODES, x[0, 0].flatten().sort().values),
    "searched": lambda x: torch.searchsorted(x[0, 0].sort(-1).values, CODES[:2].repeat(3, 1)),
    "selected by a tensor": lambda x: CODES[x.argmax() % 5],
    "selected by numbers": lambda x: CODES[int(x.argmax() % 5)],
    "sliced by tensors": lambda x: torch.arange(99.0)[x.argmax() : x.argmax() + 3],
    "selected from the picture": lambda x: x[0, _row(x).sum() % 2],
    "put": _put,
    "scattered": lambda x: torch.zeros(SIDE, 5).scatter(1, _nearest(x)[0, :, :1], 1.0),
    "one hot": lambda x: F.one_hot(_nearest(x), 5) @ CODES.mul(9).long(),
    "sampled at a grid": lambda x: F.grid_sample(
        MAP.view(1, 1, SIDE, SIDE), x.permute(0, 2, 3, 1), align_corners=False
    ),
    "windows with offsets": _moved_windows,
    "regions": lambda x: roi_align(MAP.view(1, 1, SIDE, SIDE), [x[0, 0, :2, :4].cumsum(-1)], 2),
    "pooled back": lambda x: F.max_unpool2d(
        torch.ones(1, 2, 3, 3), F.max_pool2d(x, 2, return_indices=True)[1], 2
    ),
}
"""Nets whose cells may see more than what chooses their values."""


def _changes(net: nn.Module, images: Tensor) -> Iterator[tuple[int, int, Tensor]]:
    """Yield every pixel, and which values of the output change with it."""
    before, chance = net(images), torch.Generator().manual_seed(7)
    for row in range(images.shape[2]):
        for column in range(images.shape[3]):
            changed = torch.zeros(before.shape, dtype=torch.bool)
            for _ in range(TRIES):
                other = images.clone()
                other[..., row, column] = torch.rand(images.shape[1], generator=chance) * 3 - 1
                after = net(other)
                changed |= after != before if after.shape == before.shape else torch.ones_like(changed)
            yield row, column, changed


@cache
def _seen(name: str) -> list[tuple[tuple[int, ...], Box, Box]]:
    """Return each cell of a net's output, the box that it reports, and that of the pixels that change it."""
    images = torch.rand(1, 2, SIDE, SIDE, generator=torch.Generator().manual_seed(5))
    net = Through((WINDOWS | ALL)[name])
    fields = receptive_fields(LayerActivations(net, "cpu"), images, "end")
    reached = torch.zeros(SIDE, SIDE, *fields.shape, dtype=torch.bool)
    with torch.no_grad():
        for row, column, changed in _changes(net, images):
            reached[row, column] = changed
    found = []
    for cell in torch.ones(fields.shape).nonzero().tolist():
        field = fields.at(cell)
        edges = (field.top, field.left, field.bottom, field.right)
        found.append((tuple(cell), edges, box_of(reached[(slice(None), slice(None), *cell)])))
    return found


@pytest.mark.parametrize("name", WINDOWS | ALL)
def test_a_pixel_that_changes_a_cell_lies_in_its_field(name: str) -> None:
    """Every cell and pixel; some cell must change, or the net would test nothing."""
    some = False
    for cell, (top, left, bottom, right), found in _seen(name):
        some |= any(found)
        assert not any(found) or (
            top <= found[0] and left <= found[1] and bottom >= found[2] and right >= found[3]
        ), cell
    assert some


@pytest.mark.parametrize("name", WINDOWS)
def test_a_chosen_value_has_the_field_of_its_choice(name: str) -> None:
    """No cell reports more than the box around the pixels that change it."""
    for cell, edges, found in _seen(name):
        assert edges == found, cell


def test_a_choice_that_joins_all_places_is_named() -> None:
    """The values may come from anywhere, and no window has grown."""
    images = torch.rand(1, 2, SIDE, SIDE)
    net = Through(lambda x: x.take(_nearest(x)))
    field = receptive_fields(LayerActivations(net, "cpu"), images, "end").at((0, 1, 1))
    assert (field.whole, field.cause) == (True, "take")


def test_a_code_sits_where_its_index_does() -> None:
    """Codes (N, H, W, 3) that the picture chooses, beside values of the picture in the same layout."""
    picture = torch.rand(1, 2, SIDE, SIDE)
    found = made_arrangements(
        lambda: {"codes": CODES[_nearest(picture)], "plain": picture[:, [0, 1, 0]].permute(0, 2, 3, 1)},
        picture,
    )
    assert found["codes"] == found["plain"]


def test_a_stream_goes_on_through_scales_made_of_it() -> None:
    """The first layer's channels scale a norm of constants, in order."""

    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.last = nn.Conv2d(2, 3, 1), nn.Conv2d(3, 2, 1)

        def forward(self, x: Tensor) -> Tensor:
            scales = self.first(x)[0, :, 0, 0]
            return self.last(F.batch_norm(torch.ones(1, 3, 4, 4), torch.zeros(3), torch.ones(3), scales))

    layers, images = LayerActivations(Scaled(), "cpu"), torch.rand(1, 2, SIDE, SIDE)
    (stream,) = streams(layers, (images,), ("last", 0), lambda *_: 1).into
    assert (stream.layer, stream.channels) == ("first", (0, 1, 2))
