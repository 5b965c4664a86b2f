"""Attention of all layers as one map, against plain hooks and the papers' formulas written again."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from torch import Tensor, nn

from viz import attention_map
from viz.errors import LayoutError, RequestError
from viz.hooks.activations import LayerActivations
from viz.hooks.edits import zero_channel
from viz.passes.rollout import relevant, rolled_out

WIDTH, HEADS = 8, 2
IMAGES = torch.randn(1, 3, 16, 24, generator=torch.Generator().manual_seed(1))


class Block(nn.Module):
    """Attention by hand, or in one piece, beside an identity path; then a layer on each token alone."""

    def __init__(self, *, fused: bool) -> None:
        super().__init__()
        self.fused = fused
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.softmax, self.last = nn.Softmax(-1), nn.Linear(WIDTH, WIDTH)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return tokens of the same shape (N, T, D)."""
        parts = (layer(tokens) for layer in (self.query, self.key, self.value))
        query, key, value = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts)
        if self.fused:
            mixed = F.scaled_dot_product_attention(query, key, value)
        else:
            mixed = self.softmax(query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5) @ value
        tokens = tokens + mixed.transpose(1, 2).flatten(2)
        return tokens + self.last(tokens).tanh()


class Net(nn.Module):
    """Patches of 4 × 4 pixels, three blocks, and one of several ends."""

    def __init__(self, end: str = "class token", *, fused: bool = False) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.end = end
        self.patches = nn.Conv2d(3, WIDTH, 4, 4)
        self.first = nn.Parameter(torch.randn(1, 2 if end == "two" else 1, WIDTH))
        self.blocks = nn.Sequential(*(Block(fused=fused) for _ in range(3)))
        self.probe, self.head = nn.Parameter(torch.randn(1, 1, WIDTH)), nn.Linear(WIDTH, 5)
        with torch.no_grad():
            for block in self.blocks:  # attention that prefers some places
                block.query.weight *= 4

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 5) of images (N, 3, H, W)."""
        tokens = self.patches(images).flatten(2).transpose(1, 2)
        if self.end in ("class token", "two"):
            tokens = torch.cat([self.first, tokens], 1)
        tokens = self.blocks(tokens)
        if self.end == "probe":
            query, key = (each.unflatten(-1, (HEADS, -1)).transpose(1, 2) for each in (self.probe, tokens))
            tokens = ((query @ key.transpose(-2, -1)).softmax(-1) @ key).transpose(1, 2).flatten(2)
        found: Tensor = {"mean": tokens.mean(1), "two": tokens[:, :2].mean(1)}.get(self.end, tokens[:, 0])
        scores: Tensor = self.head(found)
        return scores


def found(model: nn.Module, *, relevance: bool, target: int = 1) -> np.ndarray:
    """The map of a class."""
    layers = LayerActivations(model.eval(), "cpu")
    return attention_map(layers, IMAGES, target, relevance=relevance)


def by_hand(model: Net, *, relevance: bool, target: int = 1) -> np.ndarray:
    """Return the rows (tokens, tokens) of the three blocks, by plain hooks and NumPy."""
    kept: list[Tensor] = []
    hooks = [each.softmax.register_forward_hook(lambda *args: kept.append(args[2])) for each in model.blocks]
    slopes = torch.autograd.grad(model(IMAGES)[0, target], kept)
    for hook in hooks:
        hook.remove()
    count = kept[0].shape[-1]
    rows = np.eye(count)
    for table, slope in zip(kept, slopes, strict=True):
        weights, gradient = (each.detach()[0].double().numpy() for each in (table, slope))
        if relevance:
            rows = rows + np.einsum("hqk,kt->qt", np.maximum(gradient * weights, 0) / HEADS, rows)
        else:
            rows = 0.5 * np.einsum("hqk,kt->qt", weights / HEADS, rows) + 0.5 * rows
    return rows - np.eye(count) if relevance else rows  # a token's own from the beginning is no relevance


@pytest.mark.parametrize("relevance", [False, True])
def test_a_class_tokens_row_is_that_of_the_papers(relevance: bool) -> None:
    """Its own share is left out, and the others stand row by row."""
    model = Net()
    expected = by_hand(model, relevance=relevance)[0, 1:].reshape(4, 6)
    np.testing.assert_allclose(found(model, relevance=relevance), expected, rtol=1e-5)


@pytest.mark.parametrize("relevance", [False, True])
def test_attention_in_one_piece_gives_the_same(relevance: bool) -> None:
    """PyTorch's fused attention shows no softmax, and has the same."""
    whole = found(Net(fused=True), relevance=relevance)
    np.testing.assert_allclose(whole, found(Net(), relevance=relevance), rtol=1e-4)


@pytest.mark.parametrize(("end", "read", "first"), [("two", [0, 1], 2), ("mean", range(24), 0)])
@pytest.mark.parametrize("relevance", [False, True])
def test_all_tokens_that_the_score_reads_count_alike(
    end: str, read: list[int], first: int, relevance: bool
) -> None:
    """Two tokens in front, as of a distilled transformer, or the mean of all places."""
    model = Net(end)
    rows = by_hand(model, relevance=relevance)[list(read)].mean(0)
    np.testing.assert_allclose(found(model, relevance=relevance), rows[first:].reshape(4, 6), rtol=1e-5)


def test_a_pooling_by_attention_is_the_last_table() -> None:
    """A learned query gathers all places: its own row weighs theirs, and no path leads beside it."""
    model = Net("probe")
    layers = LayerActivations(model, "cpu")
    with layers.capture("blocks.2") as record:
        layers.run(IMAGES)
    query, key = (
        each.unflatten(-1, (HEADS, -1)).transpose(1, 2) for each in (model.probe, record["blocks.2"].output)
    )
    weights = (query @ key.transpose(-2, -1)).softmax(-1).detach().double().numpy()[0].mean(0)
    expected = weights @ by_hand(model, relevance=False)
    np.testing.assert_allclose(found(model, relevance=False), expected.reshape(4, 6), rtol=1e-4)


class Torchs(Net):
    """The same with PyTorch's own attention, which keeps its softmax to itself."""

    def __init__(self) -> None:
        super().__init__()
        self.heads = nn.ModuleList(nn.MultiheadAttention(WIDTH, HEADS, batch_first=True) for _ in range(2))

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 5)."""
        tokens = torch.cat([self.first, self.patches(images).flatten(2).transpose(1, 2)], 1)
        for attention in self.heads:
            tokens = tokens + attention(tokens, tokens, tokens, need_weights=False)[0]
        scores: Tensor = self.head(tokens[:, 0])
        return scores


def test_pytorchs_own_attention_is_that_of_its_weights() -> None:
    """It returns its table too, if it is told to: by that, the rollout is the same."""
    model = Torchs().eval()
    rows, tokens = torch.eye(25), torch.cat([model.first, model.patches(IMAGES).flatten(2).mT], 1)
    for attention in model.heads:
        more, table = attention(tokens, tokens, tokens)
        tokens, rows = tokens + more, (table[0] + torch.eye(25)) / 2 @ rows
    np.testing.assert_allclose(found(model, relevance=False), rows[0, 1:].detach().reshape(4, 6), rtol=1e-4)


@pytest.mark.parametrize("relevance", [False, True])
def test_edits_are_in_force_and_hide_no_place(relevance: bool) -> None:
    """A head that is removed, and a map in front, both by hand too; afterwards all is as before."""
    model = Net().eval()
    layers, before = LayerActivations(model, "cpu"), found(model, relevance=relevance)
    with (
        layers.edit("blocks.0.softmax", output=zero_channel(1)),
        layers.edit("patches", output=zero_channel(3)),
    ):
        edited = attention_map(layers, IMAGES, 1, relevance=relevance)
    hooks = [
        model.blocks[0].softmax.register_forward_hook(
            lambda *args: args[2] * torch.tensor([1.0, 0])[:, None, None]
        ),
        model.patches.register_forward_hook(
            lambda *args: args[2] * (torch.arange(WIDTH) != 3)[:, None, None]
        ),
    ]
    expected = by_hand(model, relevance=relevance)[0, 1:].reshape(4, 6)
    for hook in hooks:
        hook.remove()
    np.testing.assert_allclose(edited, expected, rtol=1e-4)
    assert not np.allclose(edited, before, rtol=0.01)
    np.testing.assert_array_equal(found(model, relevance=relevance), before)


class Softmax(nn.Module):
    """A layer of one's own with the name of PyTorch's."""

    def forward(self, scores: Tensor) -> Tensor:
        """Return shares along the last axis."""
        return F.softmax(scores, -1)


def test_a_softmax_in_a_softmax_counts_once() -> None:
    """The layer and the function that it calls are one table."""
    model = Net()
    expected = found(model, relevance=True)
    for block in model.blocks:
        block.softmax = Softmax()
    np.testing.assert_allclose(found(model, relevance=True), expected, rtol=1e-5)


def test_several_pictures_at_once_are_refused_and_an_input_with_gradients_stays() -> None:
    """One at a time, as elsewhere; a visitor's tensor keeps its own gradient."""
    layers, images = LayerActivations(Net().eval(), "cpu"), IMAGES.clone().requires_grad_()
    with pytest.raises(RequestError, match="one input at a time"):
        attention_map(layers, torch.cat([IMAGES, IMAGES]), 1)
    with torch.inference_mode():
        inside = attention_map(layers, IMAGES, 1)
    np.testing.assert_array_equal(attention_map(layers, images, 1), inside)
    assert images.grad is None


def test_rollout_is_the_same_for_every_class_and_relevance_is_not() -> None:
    """The class token is read for each class."""
    model = Net()
    one, other = (found(model, relevance=False, target=target) for target in (1, 2))
    np.testing.assert_array_equal(one, other)
    one, other = (found(model, relevance=True, target=target) for target in (1, 2))
    assert not np.allclose(one, other, rtol=0.01)


def test_a_rollouts_rows_add_up_to_one() -> None:
    """Each is a mean of the tokens, whatever the tables are."""
    tables = torch.rand(3, 2, 7, 7, dtype=torch.double).softmax(-1)
    torch.testing.assert_close(rolled_out(tables, 7).sum(1), torch.ones(7, dtype=torch.double))
    nothing = [torch.zeros(2, 7, 7, dtype=torch.double)] * 3
    assert not relevant(tables, nothing, 7).any()


def windowed() -> nn.Module:
    """Attention inside windows: they stand in place of a batch."""

    class Windows(Net):
        def forward(self, images: Tensor) -> Tensor:
            maps = self.patches(images)
            tokens = maps.unflatten(3, (2, 3)).permute(0, 3, 2, 4, 1).reshape(2, 12, WIDTH)
            scores: Tensor = self.head(self.blocks(tokens).mean((0, 1)))[None]
            return scores

    return Windows()


def transposed() -> nn.Module:
    """Shares along the queries: columns add up to one."""
    net = Net()
    for block in net.blocks:
        block.softmax = nn.Softmax(-2)
    return net


def two_at_once() -> nn.Module:
    """The difference of two attentions in one layer."""

    class Pair(Block):
        def forward(self, tokens: Tensor) -> Tensor:
            one, other = (layer(tokens) @ tokens.mT for layer in (self.query, self.key))
            return tokens + (one.softmax(-1) - other.softmax(-1)) @ self.value(tokens)

    net = Net()
    net.blocks = nn.Sequential(Pair(fused=False))
    return net


def not_finite() -> nn.Module:
    """A weight that is no number."""
    net = Net()
    with torch.no_grad():
        net.patches.weight[0, 0, 0, 0] = torch.nan
    return net


def headless() -> nn.Module:
    """A head of zeros, as torchvision's transformers have before they are trained."""
    net = Net()
    nn.init.zeros_(net.head.weight)
    return net


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(1232, 5)), "no attention among"),
        (
            lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.Softmax(1), nn.Flatten(), nn.Linear(1232, 5)),
            "no att",
        ),
        (windowed, "no attention among"),
        (transposed, "no attention among"),
        (two_at_once, "'blocks.0' has several tables of attention"),
        (not_finite, "not finite"),
        (headless, "attention leads to no score"),
    ],
)
def test_a_model_without_such_attention_is_refused_with_its_reason(
    make: Callable[[], nn.Module], reason: str
) -> None:
    """A convolution's net, a softmax that is no attention, windows, and a score that reads nothing."""
    with pytest.raises(LayoutError, match=reason):
        found(make(), relevance=True)
