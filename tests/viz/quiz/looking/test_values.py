"""Question of a ReLU's or a pooling's output: the layer's real input, through torch's own modules."""

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.quiz.asking import Maker, net_and_input, several
from viz.quiz import Grid, Question
from viz.quiz.looking.values import grid, rounded, what_pooling_makes, what_relu_makes

WITH_BOTH = ("lenet", "photonet", "patchformer")
KINDS: dict[str, tuple[Maker, nn.Module]] = {
    "relu": (what_relu_makes, nn.ReLU()),
    "pool": (what_pooling_makes, nn.MaxPool2d(2)),
}


def numbers(rows: Grid) -> torch.Tensor:
    """Rows of written values as a tensor."""
    return torch.tensor([[float(value.replace("−", "-")) for value in row] for row in rows])


def given(found: Question) -> torch.Tensor:
    """Return the input of the question's layer at the place that it names, by a plain pre-hook."""
    net, picture = net_and_input(found)
    kept: list[torch.Tensor] = []
    net.get_submodule(found.layer).register_forward_pre_hook(lambda _, args: kept.append(args[0].clone()))
    with torch.no_grad():
        net(picture)
    (top, bottom), (left, right) = (map(int, found.facts[name].split("–")) for name in ("rows", "columns"))
    return kept[0][0, int(found.facts["channel"]), top : bottom + 1, left : right + 1]


@pytest.mark.parametrize("net", WITH_BOTH)
@pytest.mark.parametrize("kind", KINDS)
def test_the_numbers_are_the_layers_own(kind: str, net: str) -> None:
    """With one decimal; the layer is of the type that the question names."""
    for found in several(KINDS[kind][0], net)[:6]:
        assert isinstance(net_and_input(found)[0].get_submodule(found.layer), type(KINDS[kind][1]))
        torch.testing.assert_close(numbers(found.numbers), given(found), atol=0.0501, rtol=0)


@pytest.mark.parametrize("net", WITH_BOTH)
@pytest.mark.parametrize("kind", KINDS)
def test_the_right_answer_is_what_torch_makes_of_them(kind: str, net: str) -> None:
    """And every other answer differs from it in two places at least, by 0.1 or more."""
    for found in several(KINDS[kind][0], net):
        right = KINDS[kind][1](numbers(found.numbers)[None])[0]
        for place, choice in enumerate(found.choices):
            shown = numbers(grid(choice))
            assert shown.shape == right.shape
            if place == found.right:
                assert torch.equal(shown, right)
            else:
                assert int(((shown - right).abs() > 0.09).sum()) >= 2


def test_a_relu_is_asked_about_numbers_of_both_signs() -> None:
    """Otherwise it would do nothing, or everything would be zero."""
    for found in several(what_relu_makes, *WITH_BOTH):
        values = numbers(found.numbers)
        assert 3 <= int((values < 0).sum()) <= 6
        assert int((values > 0).sum()) == 9 - int((values < 0).sum())


def test_a_window_of_a_pooling_begins_where_the_picture_says() -> None:
    """At even rows and columns, or else the windows would not be the layer's."""
    for found in several(what_pooling_makes, *WITH_BOTH):
        assert all(int(found.facts[name].split("–")[0]) % 2 == 0 for name in ("rows", "columns"))


def test_numbers_are_written_and_read_alike() -> None:
    """No negative zero."""
    assert [str(value) for value in rounded(np.array([-0.04, 0.25, -1.26]))] == ["0.0", "0.2", "-1.3"]
    assert grid("1.0 −0.5 / 0.0 2.0") == (("1.0", "−0.5"), ("0.0", "2.0"))
