"""Tiny nets, each with one way to keep its places that shapes and names do not tell.

All of them only carry values, so what they return still says where it comes from: channel 0 of the picture is
its row and channel 1 its column (``coordinates``).
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

SIDE = 8
CHANNELS = 5


def coordinates(side: int = SIDE, channels: int = CHANNELS) -> Tensor:
    """Return a picture (1, channels, side, side): its rows, its columns, and nothing in more channels."""
    rows, columns = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    more = torch.zeros(channels - 2, side, side, dtype=torch.long)
    return torch.cat([rows[None], columns[None], more])[None].float()


class Moved(nn.Module):
    """Returns what ``move`` makes of its input."""

    def __init__(self, move: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.move = move

    def forward(self, value: Tensor) -> Tensor:
        """Return the value, moved."""
        return self.move(value)


class Mlp(Moved):
    """Keeps channels first, whatever its name suggests."""


class PatchMerging(Moved):
    """Keeps channels first, whatever its name suggests."""


class Stage(Moved):
    """Says nothing by its name."""


class WindowAttention(Moved):
    """Has windows in place of a batch."""


def tokens(value: Tensor) -> Tensor:
    """Return (N, C, H, W) as (N, H·W, C)."""
    return value.flatten(2).transpose(1, 2)


def unrolled(value: Tensor) -> Tensor:
    """Return tokens in an order that nobody guesses."""
    shuffled = torch.randperm(value[0, 0].numel(), generator=torch.Generator().manual_seed(3))
    return tokens(value)[:, shuffled]


def windows(value: Tensor, side: int = 4) -> Tensor:
    """Return (1, C, H, W) as windows (windows, side², C)."""
    _, channels, height, width = value.shape
    parts = value.reshape(channels, height // side, side, width // side, side)
    return parts.permute(1, 3, 2, 4, 0).reshape(-1, side * side, channels)


def with_others(value: Tensor) -> Tensor:
    """Return tokens behind a class token and four registers."""
    return torch.cat([torch.zeros(1, 5, value.shape[1]), tokens(value)], 1)


def with_others_behind(value: Tensor) -> Tensor:
    """Return unrolled tokens in front of two that belong nowhere."""
    return torch.cat([unrolled(value), torch.zeros(1, 2, value.shape[1])], 1)


HAZARDS: dict[str, tuple[nn.Module, int, str]] = {
    "unrolled tokens": (Stage(unrolled), CHANNELS, "placed"),
    "channels last, fewer than sides": (Stage(lambda x: x.permute(0, 2, 3, 1)), CHANNELS, "channels-last"),
    "an Mlp with channels first": (Mlp(lambda x: x), CHANNELS, "maps"),
    "a PatchMerging with channels first": (PatchMerging(lambda x: x), CHANNELS, "maps"),
    "windows in place of a batch": (WindowAttention(windows), CHANNELS, "placed"),
    "rolled, as shifted windows are": (Stage(lambda x: x.roll((3, -2), (2, 3))), CHANNELS, "placed"),
    "columns before rows": (Stage(lambda x: x.transpose(2, 3)), CHANNELS, "placed"),
    "a class token and registers": (Stage(with_others), CHANNELS, "tokens"),
    "tokens of no place at the end": (Stage(with_others_behind), CHANNELS, "placed"),
    "three equal sides, channels first": (Stage(lambda x: x), SIDE, "maps"),
    "three equal sides, channels last": (Stage(lambda x: x.permute(0, 2, 3, 1)), SIDE, "channels-last"),
    "two axes of channels": (
        Stage(lambda x: x.reshape(1, 2, 4, SIDE, SIDE).permute(0, 1, 3, 4, 2)),
        SIDE,
        "volume-last",
    ),
}
"""For each: the layer, how many channels its picture has, and the kind that its places tell."""
