"""One sentence for what each layer makes of its input: true of the very layer, not only of its type."""

import pytest
import torch
from torch import nn

from tests.viz.nets import Conv1D, Reused
from viz import LayerActivations
from viz.profile.rows import LayerRow
from viz.profile.tree import survey
from viz.ui.locale.layer_types import types_in_words
from viz.ui.stage.layer_sentences import made_by, sentences

NET = nn.Sequential(
    nn.Conv2d(3, 4, 3, padding=1),
    nn.Sequential(nn.Conv2d(4, 4, (1, 5), groups=4), nn.BatchNorm2d(4), nn.ReLU6()),
    nn.Conv2d(4, 8, 1, groups=2),
    nn.MaxPool2d(2),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Dropout(),
    nn.Linear(8, 10),
    nn.Linear(10, 10),
    nn.Softmax(dim=1),
)


@pytest.fixture(name="rows", scope="module")
def survey_of_the_net() -> tuple[LayerRow, ...]:
    """Every layer and operation of the net."""
    return survey(LayerActivations(NET), torch.zeros(1, 3, 8, 8), operations=True)


@pytest.mark.parametrize(
    ("layer", "said"),
    [
        ("0", "what this 3×3 convolution makes of the picture"),
        ("1.0", "what this depthwise 1×5 convolution makes of its input, each channel by itself"),
        ("1.1", "its input, brought to another scale by this normalisation"),
        ("1.2", "its input with everything negative turned into 0, and everything above 6 into 6"),
        ("1", "what the 3 layers inside this block make of its input"),
        ("2", "what this 1×1 convolution makes of its input"),
        ("3", "the largest value in each window of its input"),
        ("4", "the means of its input over large parts of it, or over all of it"),
        ("5", "its input with the values in another arrangement, none of them changed"),
        ("6", "its input; only in training does this layer change anything"),
        ("7", "the weighted sums that this fully connected layer makes of its input"),
        ("9", "its input turned into shares that add up to 1"),
    ],
)
def test_each_kind_of_layer_has_its_own_sentence(rows: tuple[LayerRow, ...], layer: str, said: str) -> None:
    """Grouped convolutions are depthwise only if each channel has a group to itself."""
    row = next(row for row in rows if row.name == layer)
    assert made_by(row, rows, "0") == said


def test_a_block_counts_those_inside_that_compute_and_neither_blocks_nor_operations() -> None:
    """Plain hooks on modules without modules inside find the same number; one of three never runs."""

    class Added(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Sequential(nn.Conv2d(3, 3, 1), nn.Sequential(nn.ReLU()))
            self.unused = nn.ReLU()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.tanh(self.inner(x) + x)

    net, ran = nn.Sequential(Added()), set[nn.Module]()
    leaves = [module for module in net.modules() if not list(module.children())]
    for leaf in leaves:
        leaf.register_forward_hook(lambda module, *_: ran.add(module))
    rows = survey(LayerActivations(net), torch.zeros(1, 3, 8, 8), operations=True)
    block = next(row for row in rows if row.name == "0")
    assert made_by(block, rows, "0") == f"what the {len(ran)} layers inside this block make of its input"


def test_only_the_first_convolution_is_said_to_see_the_picture(rows: tuple[LayerRow, ...]) -> None:
    """If another layer is shown at first, this one's input is just its input."""
    assert made_by(rows[0], rows, "2") == "what this 3×3 convolution makes of its input"


def test_an_operation_and_an_unknown_layer_are_called_by_their_names() -> None:
    """Nothing is said of them that is not known."""
    rows = {
        row.name: row for row in survey(LayerActivations(Reused()), torch.zeros(1, 3, 8, 8), operations=True)
    }
    assert made_by(rows["› add"], [], "") == "the sum of its inputs, place by place"
    stranger = LayerRow("odd", "Odd", "", 0, 0, 1, (None,), (), None, (0,), children=False)
    assert made_by(stranger, [], "") == "what this layer, Odd, makes of its input"


def test_what_is_only_named_a_convolution_is_not_explained_as_one() -> None:
    """Neither the sentence of the layer, which is shown first, nor that of its type."""
    rows = survey(LayerActivations(nn.Sequential(Conv1D(6, 4))), torch.zeros(1, 4))
    assert made_by(rows[0], rows, "0") == "what this layer, Conv1D, makes of its input"
    assert "onvolution" not in types_in_words(rows, "en")["Conv1D"]


def test_equal_sentences_cross_only_once(rows: tuple[LayerRow, ...]) -> None:
    """Each row finds its own again, in the language of the page."""
    texts, places = sentences(rows, "0", "en")
    assert len(set(texts)) == len(texts) < len(rows)
    assert [texts[place] for place in places] == [made_by(row, rows, "0") for row in rows]
