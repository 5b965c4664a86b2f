"""Layers that a word on the command line means, and the places of their channels."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from viz.errors import RequestError, UnknownLayerError
from viz.exemplars.chosen import ChosenLayer, cell_index, channel_maps, chosen_layers
from viz.hooks.activations import LayerActivations
from viz.maps.layout_known import placed_maps
from viz.request.arrangement import Arrangement


class LastAxis(nn.Module):
    """Brings the channels to the end, as Swin and ConvNeXt do."""

    def forward(self, maps: Tensor) -> Tensor:
        """Return (N, H, W, C) of (N, C, H, W)."""
        return maps.permute(0, 2, 3, 1).contiguous()


class Net(nn.Module):
    """Layers that return maps, channels last, tokens, a vector, several tensors, and nothing at all."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU())
        self.again = self.stem[1]
        self.turned = LastAxis()
        self.norm = nn.LayerNorm(6)
        self.tokens = nn.Flatten(1, 2)
        self.attention = nn.MultiheadAttention(6, 2, batch_first=True)
        self.head = nn.Linear(6, 4)
        self.idle = nn.Conv2d(1, 1, 1)

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 4) of (N, 3, H, W)."""
        maps = self.norm(self.turned(self.again(self.stem(images)) + 1))
        tokens = self.tokens(maps)
        scores: Tensor = self.head(self.attention(tokens, tokens, tokens)[0].mean(1))
        return scores


PICTURE = (torch.rand(1, 3, 9, 7),)


def chosen(*selectors: str) -> tuple[ChosenLayer, ...]:
    """Return the layers that the words mean in the net."""
    return chosen_layers(LayerActivations(Net(), "cpu"), PICTURE, selectors)


def test_without_a_word_every_layer_with_maps_is_meant() -> None:
    """Also one that returns them with its channels last; where they lie is known, not guessed."""
    assert [(layer.name, layer.kind) for layer in chosen()] == [
        ("stem", "maps"),
        ("stem.0", "maps"),
        ("stem.1", "maps"),
        ("turned", "channels-last"),
        ("norm", "channels-last"),
        ("tokens", "placed"),
    ]
    with_vectors = chosen_layers(LayerActivations(Net(), "cpu"), PICTURE, [], vectors=True)
    assert [layer.name for layer in with_vectors[-2:]] == ["tokens", "head"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["norm"], ["norm"]),
        (["Conv2d"], ["stem.0"]),
        (["Module"], ["stem", "stem.0", "stem.1", "turned", "norm", "tokens", "head"]),
        (["stem.*"], ["stem.0", "stem.1"]),
        (["*"], ["stem", "stem.0", "stem.1", "turned", "norm", "tokens", "head"]),
        (["head", "stem.0", "Conv2d"], ["stem.0", "head"]),
        (["again"], ["stem.1"]),
        (["› add"], ["› add"]),
    ],
)
def test_a_word_is_a_name_a_class_a_pattern_or_an_operation(words: list[str], expected: list[str]) -> None:
    """In the model's order, each once; of classes and patterns, layers without channels are left out."""
    assert [layer.name for layer in chosen(*words)] == expected


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("norn", "did you mean norm"),
        ("idle", "idle has no output: the model ran and never called it"),
        ("attention", "attention returns no single tensor"),
        ("MultiheadAttention", "no layer that 'MultiheadAttention' means returns channels"),
        ("stage*", "no layer's name fits the pattern 'stage[*]'"),
        ("› mul", "the model has no operation '› mul'"),
    ],
)
def test_a_word_without_channels_is_refused(word: str, said: str) -> None:
    """Each in a sentence with what is true."""
    with pytest.raises((RequestError, UnknownLayerError), match=said):
        chosen(word)


def test_a_model_without_maps_says_so() -> None:
    """It can still be asked for its vectors by name."""
    layers = LayerActivations(nn.Sequential(nn.Flatten(), nn.Linear(12, 2)), "cpu")
    with pytest.raises(RequestError, match="no layer of this model returns channels"):
        chosen_layers(layers, (torch.rand(1, 3, 2, 2),), [])
    assert [layer.kind for layer in chosen_layers(layers, (torch.rand(1, 3, 2, 2),), ["1"])] == ["vector"]


@pytest.mark.parametrize(
    ("kind", "shape"), [("maps", (1, 4, 2, 3)), ("channels-last", (1, 2, 3, 4)), ("vector", (1, 4))]
)
def test_a_cell_is_found_again_in_what_the_layer_returned(kind: str, shape: tuple[int, ...]) -> None:
    """Every number of the maps stands where the index says."""
    output = torch.arange(float(torch.Size(shape).numel())).reshape(shape)
    layer = ChosenLayer("layer", "Identity", kind)
    maps = channel_maps(output, layer)
    assert maps is not None
    assert maps.shape == ((4, 2, 3) if len(shape) == 4 else (4, 1, 1))
    for channel, row, column in torch.cartesian_prod(*map(torch.arange, maps.shape)).tolist():
        assert output[cell_index(layer, channel, row, column)] == maps[channel, row, column]


def test_what_lies_otherwise_has_no_channels() -> None:
    """Another number of axes, several pictures, nothing, or complex numbers."""
    for other in (
        torch.ones(1, 2),
        torch.ones(2, 3, 4, 4),
        torch.ones(1, 3, 0, 4),
        torch.ones(1, 3, 4, 4) * 1j,
    ):
        assert channel_maps(other, ChosenLayer("layer", "Identity", "maps")) is None


WINDOWS = (0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15)
"""For each place of a grid of 4 by 4, where it stands among windows of 2 by 2, one behind the other."""


@pytest.mark.parametrize(
    "known",
    [
        Arrangement((1, 13, 5), (1,), (1, 3, 4), tuple(range(1, 13))),
        Arrangement((12, 1, 5), (0,), (1, 3, 4)),
        Arrangement((4, 4, 5), (0, 1), (1, 4, 4), WINDOWS),
        Arrangement((1, 2, 4, 4, 3), (2, 3), (1, 4, 4), WINDOWS),
    ],
    ids=["class token first", "batch in the middle", "windows for a batch", "two axes of channels"],
)
def test_a_cell_of_tokens_or_windows_is_found_again(known: Arrangement) -> None:
    """Each number of the maps stands where the index says, and the maps are those that the page draws."""
    output = torch.arange(float(torch.Size(known.shape).numel())).reshape(known.shape)
    layer = ChosenLayer("layer", "Identity", "placed", known)
    maps = channel_maps(output, layer)
    assert maps is not None
    np.testing.assert_array_equal(maps.numpy(), placed_maps(output.numpy(), known, 0, 0))
    for channel, row, column in torch.cartesian_prod(*map(torch.arange, maps.shape)).tolist():
        assert output[cell_index(layer, channel, row, column)] == maps[channel, row, column]
    assert channel_maps(output[..., :-1], layer) is None


@pytest.mark.parametrize("count", [16, 17, 7])
def test_tokens_of_a_model_that_cannot_be_followed_lie_nowhere(count: int) -> None:
    """Also where their number would make a square: nothing says that they are pieces of the picture."""
    layers = LayerActivations(nn.Sequential(Numpy(count)), "cpu")
    with pytest.raises(RequestError, match=f"1 × {count} × 2: it needs channels"):
        chosen_layers(layers, (torch.rand(1, 3, 8, 8),), ["0"])


class Numpy(nn.Module):
    """Leaves PyTorch, so that its places are not known."""

    def __init__(self, tokens: int) -> None:
        super().__init__()
        self.tokens = tokens

    def forward(self, images: Tensor) -> Tensor:
        """Return (1, tokens, 2) of anything."""
        return torch.from_numpy(np.full((1, self.tokens, 2), images.detach().numpy().mean()))
