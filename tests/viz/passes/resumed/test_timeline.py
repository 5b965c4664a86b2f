"""Timeline of layers: tiny nets whose order is written in their code."""

import torch
from torch import Tensor, nn

from viz import LayerActivations
from viz.passes.resumed.timeline import Span, is_plain, timeline


class Block(nn.Module):
    """Runs its ReLU before and after its convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.relu, self.conv = nn.ReLU(), nn.Conv2d(1, 2, 1)

    def forward(self, maps: Tensor) -> Tensor:
        """Return (N, 2, H, W) of (N, 1, H, W)."""
        maps = self.conv(self.relu(maps))
        after: Tensor = self.relu(maps)
        return after


class Raising(nn.Module):
    """Always fails, deep inside."""

    def __init__(self) -> None:
        super().__init__()
        self.wide = nn.Linear(1000, 1)

    def forward(self, maps: Tensor) -> Tensor:
        """Raise."""
        found: Tensor = self.wide(maps)
        return found


class Pair(nn.Module):
    """Returns two tensors."""

    def forward(self, maps: Tensor) -> tuple[Tensor, Tensor]:
        """Return the maps twice."""
        return maps, maps


class Net(nn.Module):
    """A block, a layer whose failure is ignored, a pair, and a layer that never runs."""

    def __init__(self) -> None:
        super().__init__()
        self.block, self.raising, self.pair = Block(), Raising(), Pair()
        self.last, self.unused = nn.Flatten(), nn.ReLU()

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 2·H·W) of images (N, 1, H, W)."""
        maps = self.block(images)
        try:
            self.raising(maps)
        except RuntimeError:
            maps, _ = self.pair(maps)
        flat: Tensor = self.last(maps)
        return flat


def spans() -> dict[str, Span]:
    """Return the spans in which the net's layers run."""
    return timeline(LayerActivations(Net(), "cpu"), (torch.zeros(1, 1, 4, 4),))


def test_beginnings_and_ends_are_in_the_order_of_the_code() -> None:
    """The block is around its own; the ReLU's first call begins it, and its second one ends it."""
    found = spans()
    in_turn = sorted(
        [(found[name].begun, f"{name} begins") for name in ("block", "block.relu", "block.conv", "last")]
        + [(found[name].ended, f"{name} ends") for name in ("block", "block.relu", "block.conv", "last")]
    )
    assert [what for _, what in in_turn] == [
        "block begins",
        "block.relu begins",
        "block.conv begins",
        "block.conv ends",
        "block.relu ends",
        "block ends",
        "last begins",
        "last ends",
    ]


def test_calls_depth_and_leaves_are_counted() -> None:
    """Three calls in the block have none inside; the block has. What raised ends with the layer around it."""
    found = spans()
    assert {name: span.calls for name, span in found.items()} == {
        "block": 1, "block.relu": 2, "block.conv": 1, "pair": 1, "last": 1
    }  # fmt: skip
    assert [found[name].depth for name in ("block", "block.relu", "pair")] == [0, 1, 2]
    assert [found[name].leaves for name in ("block.conv", "block.relu", "block", "pair", "last")] == [
        2, 3, 3, 4, 5
    ]  # fmt: skip


def test_what_a_layer_returned_is_known_without_its_values() -> None:
    """Its shape and type, on no device; nothing for what is not one tensor."""
    found = spans()
    assert found["pair"].like is None
    like = found["block"].like
    assert like is not None
    assert like.device.type == "meta"
    assert (like.shape, like.dtype) == ((1, 2, 4, 4), torch.float32)


def test_only_one_dense_tensor_of_pytorchs_own_class_is_plain() -> None:
    """Parameters and sparse tensors are not, nor what has no values or was made in inference mode."""
    plain = torch.ones(2, 2)
    with torch.inference_mode():
        made_in_inference = torch.ones(2, 2)
    others = (
        (plain, plain),
        nn.Parameter(plain),
        plain.to_sparse(),
        torch.empty(2, 2, device="meta"),
        made_in_inference,
    )
    assert is_plain(plain)
    assert not any(is_plain(each) for each in others)
