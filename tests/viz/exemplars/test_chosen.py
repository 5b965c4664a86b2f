"""Which layers a word on the command line means, and where their channels lie."""

import pytest
import torch
from torch import Tensor, nn

from viz.errors import RequestError, UnknownLayerError
from viz.exemplars.chosen import ChosenLayer, cell_index, channel_maps, chosen_layers
from viz.hooks.activations import LayerActivations


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


def chosen(*selectors: str) -> tuple[ChosenLayer, ...]:
    """What they mean in the net."""
    return chosen_layers(LayerActivations(Net(), "cpu"), (torch.rand(1, 3, 9, 7),), selectors)


def test_without_a_word_every_layer_with_maps_is_meant() -> None:
    """Also one that returns them with its channels last; where they lie is known, not guessed."""
    assert [(layer.name, layer.kind) for layer in chosen()] == [
        ("stem", "maps"),
        ("stem.0", "maps"),
        ("stem.1", "maps"),
        ("turned", "channels-last"),
        ("norm", "channels-last"),
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["norm"], ["norm"]),
        (["Conv2d"], ["stem.0"]),
        (["Module"], ["stem", "stem.0", "stem.1", "turned", "norm", "head"]),
        (["stem.*"], ["stem.0", "stem.1"]),
        (["*"], ["stem", "stem.0", "stem.1", "turned", "norm", "head"]),
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
        ("tokens", "tokens returns 1 × 35 × 6: it needs channels"),
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
    maps = channel_maps(output, kind)
    assert maps is not None
    assert maps.shape == ((4, 2, 3) if len(shape) == 4 else (4, 1, 1))
    for channel, row, column in torch.cartesian_prod(*map(torch.arange, maps.shape)).tolist():
        assert output[cell_index(kind, channel, row, column)] == maps[channel, row, column]


def test_what_lies_otherwise_has_no_channels() -> None:
    """Another number of axes, several pictures, nothing, or complex numbers."""
    for other in (
        torch.ones(1, 2),
        torch.ones(2, 3, 4, 4),
        torch.ones(1, 3, 0, 4),
        torch.ones(1, 3, 4, 4) * 1j,
    ):
        assert channel_maps(other, "maps") is None
