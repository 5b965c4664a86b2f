"""Fused attention shows its heads: each softmax is compared with one that is written by hand."""

import math
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  its usual name
import torchvision
from torch import Tensor, nn

from viz.hooks.activations import LayerActivations

HIDDEN = torch.tensor([[True, False, True], [False, False, False], [True, True, True]])
SDPA = "› scaled_dot_product_attention"


class Fused(nn.Module):
    """Scaled dot-product attention in one piece, (N, H, T, D) to the same, with what torch can be told."""

    def __init__(self, **told: Any) -> None:
        super().__init__()
        self.told = told

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """The context of each query."""
        return F.scaled_dot_product_attention(query, key, value, **self.told)


def by_hand(query: Tensor, key: Tensor, seen: Tensor, added: Tensor, scale: float) -> Tensor:
    """The softmax (N, H, T, S) in double precision, one sum of exponentials for each query."""
    scores = torch.einsum("nhtd,nhsd->nhts", query.double(), key.double()) * scale + added
    powers = torch.exp(scores - scores.amax()) * seen
    return powers / powers.sum(-1, keepdim=True).clamp(min=1e-300)


def tokens(heads: int = 2, seed: int = 0) -> Tensor:
    """Random numbers (2, heads, 3, 4)."""
    return torch.randn(2, heads, 3, 4, generator=torch.Generator().manual_seed(seed))


EVERYTHING, NOTHING = torch.ones(3, 3, dtype=torch.bool), torch.zeros(3, 3)
TOLD: dict[str, tuple[dict[str, Any], Tensor, Tensor, float]] = {
    "nothing": ({}, EVERYTHING, NOTHING, 0.5),
    "what is hidden": ({"attn_mask": HIDDEN}, HIDDEN, NOTHING, 0.5),
    "what is added": ({"attn_mask": NOTHING + torch.arange(3.0)}, EVERYTHING, torch.arange(3.0), 0.5),
    "the past alone": ({"is_causal": True}, EVERYTHING.tril(), NOTHING, 0.5),
    "a scale": ({"scale": 2.0}, EVERYTHING, NOTHING, 2.0),
}


@pytest.mark.parametrize("name", TOLD)
def test_the_softmax_inside_fused_attention_is_the_one_by_hand(name: str) -> None:
    """All heads at once; what attention returns is still its own, to the bit."""
    told, seen, added, scale = TOLD[name]
    net, (query, key, value) = Fused(**told), (tokens(seed=seed) for seed in range(3))
    layers = LayerActivations(net, device="cpu")
    with layers.capture("› softmax", SDPA, inputs=True) as record:
        result = layers.run(query, key, value)
    expected = by_hand(query, key, seen, added, scale)
    assert torch.allclose(record["› softmax"].output.double(), expected, atol=1e-6)
    assert torch.allclose(result.double(), expected @ value.double(), atol=1e-5)
    assert torch.equal(result, net(query, key, value))
    assert torch.equal(record[SDPA].output, result)
    assert torch.allclose(record["› softmax"].inputs[0].softmax(-1).nan_to_num(), expected.float(), atol=1e-6)


def test_queries_that_share_keys_have_heads_of_their_own() -> None:
    """Grouped queries: heads 0 and 1 look with key 0, heads 2 and 3 with key 1."""
    query, key, value = tokens(4), tokens(2, 1), tokens(2, 2)
    layers = LayerActivations(Fused(enable_gqa=True), device="cpu")
    with layers.capture("› softmax") as record:
        result = layers.run(query, key, value)
    expected = by_hand(query, key[:, [0, 0, 1, 1]], EVERYTHING, NOTHING, 0.5)
    assert torch.allclose(record["› softmax"].output.double(), expected, atol=1e-6)
    with layers.edit("› softmax", output=lambda weights: weights * 1):
        assert torch.allclose(layers.run(query, key, value), result, atol=1e-6)


@pytest.mark.parametrize("needs_weights", [False, True])
def test_multi_head_attention_shows_each_head(needs_weights: bool) -> None:
    """Also where keys are left out, and where the layer itself gives the mean of its heads."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        layer = nn.MultiheadAttention(8, 2, batch_first=True).eval()
        x = torch.randn(3, 5, 8)

    class Asks(nn.Module):
        """Attention that leaves the last key out."""

        def __init__(self) -> None:
            super().__init__()
            self.attention = layer

        def forward(self, x: Tensor) -> Tensor:
            """(N, T, D) to the same."""
            out = torch.zeros(3, 5, dtype=torch.bool).index_fill(1, torch.tensor(4), 1)
            mixed: Tensor = self.attention(x, x, x, key_padding_mask=out, need_weights=needs_weights)[0]
            return mixed

    layers = LayerActivations(Asks(), device="cpu")
    with layers.capture("attention › softmax") as record:
        result = layers.run(x)
    rows = F.linear(x, layer.in_proj_weight, layer.in_proj_bias).view(3, 5, 3, 2, 4).permute(2, 0, 3, 1, 4)
    seen = torch.tensor([True] * 4 + [False])
    expected = by_hand(rows[0], rows[1], seen, torch.zeros(()), 0.5)
    assert record["attention › softmax"].output.shape == (3, 2, 5, 5)
    assert torch.allclose(record["attention › softmax"].output.double(), expected, atol=1e-6)
    assert torch.equal(result, layers.run(x))
    mixed = expected.float() @ rows[2]
    with layers.edit(
        "attention › softmax", output=lambda weights: weights * torch.tensor([1.0, 0]).view(2, 1, 1)
    ):
        edited = layers.run(x)
    mixed[:, 1] = 0
    assert torch.allclose(edited, layer.out_proj(mixed.transpose(1, 2).flatten(2)), atol=1e-6)


def test_the_heads_of_torchvisions_vision_transformer_are_whole() -> None:
    """Against the layers' own second output, which they are not asked for in the net."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = torchvision.models.VisionTransformer(32, 8, 2, 4, 16, 32).eval()
        images = torch.randn(2, 3, 32, 32)
    layers = LayerActivations(net, device="cpu")
    names = [f"encoder.layers.encoder_layer_{n}.self_attention" for n in range(2)]
    with layers.capture(*names, *(f"{name} › softmax" for name in names), inputs=True) as record:
        result = layers.run(images)
    assert torch.equal(result, layers.run(images))
    for name in names:
        (given, *_), layer = record[name].inputs, net.get_submodule(name)
        _, expected = layer(given, given, given, need_weights=True, average_attn_weights=False)
        assert record[f"{name} › softmax"].output.shape == (2, 4, 17, 17)
        assert torch.allclose(record[f"{name} › softmax"].output, expected, atol=1e-6)


def test_the_heads_of_timms_vision_transformer_are_those_of_its_plain_code() -> None:
    """With and without the fused path, which timm chooses, an operation has the same name and numbers."""
    timm = pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = timm.models.VisionTransformer(32, 8, embed_dim=16, depth=2, num_heads=4).eval()
        images = torch.randn(2, 3, 32, 32)
    layers, found = LayerActivations(net, device="cpu"), []
    for fused in (True, False):
        for block in net.blocks:
            block.attn.fused_attn = fused
        with layers.capture("blocks.1.attn › softmax") as record:
            layers.run(images)
        found.append(record["blocks.1.attn › softmax"].output)
    assert found[0].shape == (2, 4, 17, 17)
    assert torch.allclose(found[0], found[1], atol=1e-6)


def test_a_gradient_comes_back_to_the_softmax_inside_fused_attention() -> None:
    """Against the same attention written out, and its weights as the variable."""
    query, key, value = (tokens(seed=seed) for seed in range(3))
    layers = LayerActivations(Fused(), device="cpu")
    with layers.capture("› softmax", gradients=True) as record:
        layers.run(query, key, value).square().sum().backward()
    weights = by_hand(query, key, EVERYTHING, NOTHING, 0.5).float().requires_grad_()
    (expected,) = torch.autograd.grad((weights @ value).square().sum(), weights)
    assert torch.allclose(record["› softmax"].gradient, expected, atol=1e-5)


def test_gradients_pass_an_edited_softmax_to_what_comes_before() -> None:
    """Half the weights in the first head: by hand, and by finite differences."""
    query, key, value = (tokens(seed=seed).double() for seed in range(3))
    halves = torch.tensor([0.5, 1]).view(2, 1, 1)

    def score(query: Tensor) -> Tensor:
        weights = (query @ key.transpose(-2, -1) / math.sqrt(4)).softmax(-1) * halves
        return (weights @ value).square().sum()

    layers = LayerActivations(Fused(), device="cpu")
    asked = query.clone().requires_grad_()
    with (
        layers.edit("› softmax", output=lambda weights: weights * halves),
        layers.capture("", gradients=True),
    ):
        layers.run(asked, key, value).square().sum().backward()
    step = torch.zeros_like(query)
    step[1, 0, 2, 3] = 1e-6
    assert asked.grad is not None
    slope = (score(query + step) - score(query - step)) / 2e-6
    assert float(asked.grad[1, 0, 2, 3]) == pytest.approx(float(slope), rel=1e-5)


def test_nobody_pays_for_a_softmax_that_nobody_looks_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not made, and the operations after it keep their numbers."""
    monkeypatch.setattr("viz.hooks.attention.attention_scores", lambda *_, **__: pytest.fail("was made"))
    layers = LayerActivations(Fused(), device="cpu")
    with layers.capture(SDPA) as record:
        layers.run(*(tokens() for _ in range(3)))
    assert len(record[SDPA]) == 1


def test_a_table_of_weights_beyond_the_limit_is_made_only_for_those_who_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A watch of all operations would need gigabytes for the attention of a large picture."""
    monkeypatch.setattr("viz.hooks.operations._MOST_WEIGHTS", 17)
    layers, seen = LayerActivations(Fused(), device="cpu"), []
    given = [tokens()[:1] for _ in range(3)]
    with layers.watch_operations(lambda name, _: seen.append(name)):
        layers.run(*given)
    with layers.capture("› softmax") as record:
        layers.run(*given)
    assert seen == [SDPA]
    assert record["› softmax"].output.shape == (1, 2, 3, 3)


NETS = ["test_vit", "test_vit2", "test_vit4", "vit_relpos_small_patch16_224", "eva02_tiny_patch14_224"]


@pytest.mark.parametrize("name", NETS)
def test_timms_transformers_show_as_many_heads_as_their_attention_has(name: str) -> None:
    """Of several files of timm, with positions added, in a bias, or rotated: rows that sum to one."""
    timm = pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
    net = timm.create_model(name).eval()
    heads = {at: layer.num_heads for at, layer in net.named_modules() if "Attention" in type(layer).__name__}
    layers, found = LayerActivations(net, device="cpu"), dict[str, int]()

    def see(at: str, output: Tensor) -> None:
        if at.endswith("› softmax"):
            assert torch.allclose(output.sum(-1), torch.ones(()), atol=1e-5)
            found[at.removesuffix(" › softmax")] = output.shape[1]

    with layers.watch_operations(see):
        layers.run(torch.rand(net.default_cfg["input_size"])[None])
    assert found == heads
