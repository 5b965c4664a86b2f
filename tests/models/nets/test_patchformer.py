"""The vision transformer: what can be seen of it, and that its attention is attention."""

import subprocess
import sys

import pytest
import torch
from torch.nn import functional

import models
from models.nets.patchformer import Attention, Block, PatchFormer, Positions, Tokens


@pytest.fixture(scope="module")
def net() -> PatchFormer:
    """An untrained net, in evaluation mode."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return PatchFormer().eval()


def outputs(net: torch.nn.Module, *names: str) -> list[torch.Tensor]:
    """Return what the named layers put out for one noise picture, as their own hooks see it."""
    seen: dict[str, torch.Tensor] = {}
    handles = [
        net.get_submodule(name).register_forward_hook(lambda _m, _i, out, name=name: seen.update({name: out}))
        for name in names
    ]
    with torch.no_grad():
        net(torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(1)))
    for handle in handles:
        handle.remove()
    return [seen[name] for name in names]


def test_it_is_small_and_the_card_knows_how_small(net: PatchFormer) -> None:
    """At most a million and a half parameters."""
    count = sum(value.numel() for value in net.parameters())
    assert count == models.describe("patchformer").parameters
    assert count <= 1_500_000


def test_its_card_is_made_without_torchs_compiler() -> None:
    """In a fresh process: that import takes two seconds, more than a third of what an answer may take."""
    code = "import sys, models; models.describe('patchformer'); print('torch._dynamo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_its_random_numbers_are_those_of_the_seed() -> None:
    """Drawn as torch draws them, with a spread of 0.02; none where there is no memory."""
    with torch.random.fork_rng():
        torch.manual_seed(3)
        drawn = Tokens(32).class_token
        torch.manual_seed(3)
        assert torch.equal(drawn, torch.randn(32) * 0.02)
    with torch.device("meta"):
        assert Tokens(32).class_token.shape == (32,)


def test_attention_is_the_output_of_a_layer(net: PatchFormer) -> None:
    """One picture, four heads, 65 tokens by 65 tokens; each row sums to one."""
    for block in range(len(net.blocks)):
        [weights] = outputs(net, f"blocks.{block}.attention.softmax")
        assert weights.shape == (1, 4, 65, 65)
        assert torch.allclose(weights.sum(-1), torch.ones(1, 4, 65))
        assert (weights >= 0).all()


def test_attention_equals_torchs_fused_attention() -> None:
    """The attention written out gives the same numbers as torch's kernel."""
    layer, tokens = Attention(24, 3).eval(), torch.randn(2, 7, 24)
    query, key, value = (
        part(tokens).view(2, 7, 3, 8).transpose(1, 2) for part in (layer.query, layer.key, layer.value)
    )
    fused = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(2, 7, 24)
    assert torch.allclose(layer(tokens), layer.project(fused), atol=1e-6)


def test_tokens_are_the_patches_row_by_row_after_the_class_token() -> None:
    """Token 1 + 3 * row + column is the column of the maps at that place."""
    layer, maps = Tokens(4), torch.randn(1, 4, 2, 3)
    tokens = layer(maps)
    assert torch.equal(tokens[0, 0], layer.class_token)
    for row in range(2):
        for column in range(3):
            assert torch.equal(tokens[0, 1 + 3 * row + column], maps[0, :, row, column])


def test_every_token_gets_its_own_place() -> None:
    """Equal tokens differ afterwards by the learned position embedding."""
    layer = Positions(5, 4)
    assert torch.equal(layer(torch.zeros(2, 5, 4))[1], layer.places)


def test_a_block_leaves_the_tokens_as_they_are_where_its_paths_are_silent() -> None:
    """Both additions keep an identity path."""
    block, tokens = Block(24, 3).eval(), torch.randn(1, 5, 24)
    for layer in (block.attention.project, block.shrink):
        torch.nn.init.zeros_(layer.weight)
        torch.nn.init.zeros_(layer.bias)
    assert torch.equal(block(tokens), tokens)


@torch.no_grad()
def test_the_scores_come_from_the_class_token_alone(net: PatchFormer) -> None:
    """The head's answer is that of the first token after the last normalisation."""
    tokens, scores = outputs(net, "norm", "head")
    assert scores.shape == (1, 10)
    assert torch.allclose(net.head(tokens[:, 0]), scores)


def test_the_stem_makes_eight_by_eight_patches(net: PatchFormer) -> None:
    """They are a quarter of the picture on each side."""
    assert outputs(net, "stem")[0].shape == (1, 128, 8, 8)
