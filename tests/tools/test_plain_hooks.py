"""The yardstick for captures: every tensor is found without our own walk, and compared bit for bit."""

from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn

from tools.plain_hooks import compared, comparison, plain_outputs, same_bits, tensors
from viz.commands.soundness import Comparison
from viz.hooks.activations import LayerActivations

ONE = torch.ones(2)


@dataclass
class Boxes:
    """Result such as a detector might return."""

    boxes: Tensor
    words: str = "no tensor"


class Several(nn.Module):
    """Returns tensors in several structures."""

    def forward(self, x: Tensor) -> object:
        return [{"a": x}, Boxes(x + 1), (x + 2, None)]


class Twice(nn.Module):
    """Calls a layer twice, the second time in place, and one that returns a structure."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.relu, self.several = nn.Conv2d(3, 3, 1), nn.ReLU(inplace=True), Several()
        self.unused = nn.Linear(1, 1)

    def forward(self, x: Tensor) -> object:
        return self.several(self.relu(self.relu(self.conv(x)) - 0.1))


def test_tensors_are_found_in_any_structure_and_circles_end() -> None:
    """Modules and words are not looked into."""
    circle: list[object] = [ONE, {"a": (ONE + 1, Boxes(ONE + 2))}, "abc", nn.Linear(1, 1), torch, None]
    circle.append(circle)
    assert [float(tensor[0]) for tensor in tensors(circle)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (ONE, ONE.clone(), True),
        (ONE, torch.tensor([1, 1 + 2**-23]), False),
        (torch.zeros(1), -torch.zeros(1), False),
        (torch.tensor(torch.nan), torch.tensor(torch.nan), True),
        (ONE, ONE.double(), False),
        (ONE, ONE[None], False),
        (torch.eye(2), torch.eye(2).to_sparse(), False),
        (torch.eye(2).to_sparse(), torch.eye(2).to_sparse(), True),
        (torch.eye(3)[:, :2], torch.eye(3)[:, :2].contiguous(), True),
        (torch.tensor([1 + 1j]).conj(), torch.tensor([1 - 1j]), True),
        (torch.tensor([True]), torch.tensor([False]), False),
        (torch.empty(0), torch.empty(0), True),
    ],
)
def test_equal_means_the_same_bits(one: Tensor, other: Tensor, expected: bool) -> None:
    """Numbers of any kind are compared, however they lie in memory."""
    assert same_bits(one, other) is expected


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")
def test_quantised_tensors_are_equal_in_codes_and_values() -> None:
    """The same codes on another scale stand for other numbers."""
    coarse, fine = (torch.quantize_per_tensor(ONE * by, by / 2, 0, torch.qint8) for by in (2, 1))
    assert torch.equal(coarse.int_repr(), fine.int_repr())
    assert same_bits(fine, fine.clone())
    assert not same_bits(fine, coarse)


def test_a_comparison_says_where_tensors_differ() -> None:
    """Or that there are more calls, or more tensors."""
    assert comparison([[ONE], [ONE, ONE]], [[ONE], [ONE, ONE]]) == Comparison(3)
    assert comparison([[ONE], [ONE]], [[ONE], [ONE + 1]]) == Comparison(2, "call 1, tensor 0")
    assert comparison([[ONE]], [[ONE, ONE]]) == Comparison(1, "call 0: 2 tensors instead of 1")
    assert comparison([[ONE]], []) == Comparison(0, "0 calls instead of 1")


def test_captures_of_a_net_equal_the_clones_of_plain_hooks() -> None:
    """Each call and tensor; a layer that never runs has none, and no hooks are left."""
    net = Twice()
    layers, images = LayerActivations(net, device="cpu"), torch.rand(1, 3, 4, 4)
    assert compared(layers, (images,), layers.select()) == {
        "conv": Comparison(1),
        "relu": Comparison(2),
        "several": Comparison(3),
        "unused": Comparison(0),
    }
    assert not any(layer._forward_hooks for layer in net.modules())


def test_plain_hooks_clone_only_what_was_asked_for_and_draw_seeded_numbers() -> None:
    """They are on every layer all the same; the inputs stay as they are."""
    state, images = torch.get_rng_state(), torch.rand(1, 3, 4, 4)
    random = nn.Sequential(nn.ReLU(inplace=True), Noise())
    before = images.clone()
    torch.set_rng_state(state)
    first, second = (plain_outputs(random, (images - 0.5,), ["1"]) for _ in range(2))
    assert first.keys() == {"1"}
    assert torch.equal(first["1"][0][0], second["1"][0][0])
    assert torch.equal(images, before)
    assert torch.equal(torch.get_rng_state(), state)


class Noise(nn.Module):
    """Adds noise, also in evaluation mode."""

    def forward(self, x: Tensor) -> Tensor:
        return x + torch.randn(x.shape)
