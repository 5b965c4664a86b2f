"""Layers are counted as drawn, explained or failed: one tiny net for each case."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from tests.viz.subjects import photo, subject
from viz.commands.layer_outcomes import LayerOutcomes, groups, layer_outcomes
from viz.hooks.activations import LayerActivations


class Silent(nn.Module):
    """Has a layer that runs, one that is never used, and one that returns no tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.unused = nn.Linear(2, 2)
        self.words = Words()

    def forward(self, images: Tensor) -> Tensor:
        maps: Tensor = self.conv(images)
        self.words(maps)
        return maps


class Words(nn.Module):
    """Returns no tensor."""

    def forward(self, maps: Tensor) -> str:
        return str(maps.shape)


class Stubborn(Tensor):
    """A tensor that cannot be copied."""

    @classmethod
    def __torch_function__(
        cls, func: object, types: object, args: tuple = (), kwargs: dict | None = None
    ) -> object:
        if func is Tensor.clone:
            raise RuntimeError("no copies of this")
        return super().__torch_function__(func, types, args, kwargs)


class Uncopied(nn.Module):
    """Returns a tensor that cannot be copied, so that it cannot be captured."""

    def forward(self, maps: Tensor) -> Tensor:
        return maps.as_subclass(Stubborn)


class Empty(nn.Module):
    """Returns a tensor without values, as a detector does that has found nothing."""

    def forward(self, maps: Tensor) -> Tensor:
        return maps[:0]


def covered(module: nn.Module, **options: int) -> LayerOutcomes:
    """Return the outcomes of the layers of a net for one picture."""
    return layer_outcomes(LayerActivations(module, device="cpu"), subject(module), photo(0), **options)


def test_every_layer_of_a_plain_net_is_drawn() -> None:
    """That includes containers."""
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Sequential(nn.ReLU(inplace=True), nn.Flatten()))
    assert covered(net) == LayerOutcomes(4, 4, 0, ())


def test_what_did_not_run_or_returned_nothing_is_explained() -> None:
    """A layer that nobody calls, and one that returns a text."""
    assert covered(Silent()) == LayerOutcomes(3, 1, 2, (), {"uncalled": 1, "empty": 1})


def test_a_tensor_without_values_is_explained() -> None:
    """It has nothing to draw, which is not a failure."""
    assert covered(nn.Sequential(Empty())) == LayerOutcomes(1, 0, 1, (), {"empty": 1})


def test_a_layer_whose_silence_nothing_explains_has_failed() -> None:
    """Its ``forward`` is no function, so that nobody can see whether it ran; what explains others counts."""

    class Unseen(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.relu = type("BuiltIn", (nn.Module,), {"forward": staticmethod(torch.relu)})()
            self.direct, self.unused = nn.ReLU(), nn.ReLU()

        def forward(self, images: Tensor) -> Tensor:
            return self.direct.forward(self.relu.forward(images))

    assert covered(Unseen()) == LayerOutcomes(
        3,
        0,
        2,
        (("relu", "no output: nothing that was seen of this pass says why"),),
        {"direct": 1, "uncalled": 1},
    )


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors:UserWarning")
def test_what_cannot_be_an_array_is_explained_as_such() -> None:
    """A nested tensor has rows of different lengths."""

    class Nested(nn.Module):
        def forward(self, images: Tensor) -> Tensor:
            return torch.nested.nested_tensor([images[0, 0], images[0, 0, :2]])

    class Wrapped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.nested = Nested()

        def forward(self, images: Tensor) -> Tensor:
            self.nested(images)
            return images

    assert covered(Wrapped()) == LayerOutcomes(1, 0, 1, (), {"undrawable": 1})


def test_one_layer_that_cannot_be_captured_spoils_no_other() -> None:
    """It is named with its error; its neighbours are drawn."""
    found = covered(nn.Sequential(nn.Conv2d(3, 4, 3), Uncopied(), nn.Flatten(), nn.ReLU()))
    assert found.failures[0] == ("1", "RuntimeError: no copies of this")
    assert found.drawn >= 1
    assert found.layers == found.drawn + found.explained + found.failed == 4


def test_several_calls_and_several_tensors_are_all_drawn() -> None:
    """An LSTM returns three tensors; a shared layer runs twice under one name."""

    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.relu = nn.ReLU()
            self.lstm = nn.LSTM(8, 4)

        def forward(self, images: Tensor) -> Tensor:
            output, _ = self.lstm(self.relu(self.relu(images))[0])
            return output

    assert covered(Twice()) == LayerOutcomes(2, 2, 0, ())


@pytest.mark.parametrize("budget", [1, 2000, 1 << 30])
def test_a_smaller_budget_takes_more_passes_and_finds_the_same(budget: int) -> None:
    """One pass to count, then as many as the groups."""
    passes = []
    net = nn.Sequential(*(nn.Conv2d(3, 3, 3, padding=1) for _ in range(4)))
    net.register_forward_hook(lambda *_: passes.append(1))
    assert covered(net, budget=budget) == LayerOutcomes(4, 4, 0, ())
    assert len(passes) == {1: 5, 2000: 3, 1 << 30: 2}[budget]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({}, []),
        ({"a": 3, "b": 3}, [["a", "b"]]),
        ({"a": 3, "b": 8, "c": 2}, [["a"], ["b", "c"]]),
        ({"a": 99, "b": 1}, [["a"], ["b"]]),
    ],
)
def test_groups_fit_the_budget_and_keep_the_order(sizes: dict[str, int], expected: list[list[str]]) -> None:
    """A layer that is too large by itself makes its own group."""
    assert groups(sizes, 10) == expected


def test_a_net_that_cannot_run_raises_its_own_error() -> None:
    """The sweep over many models catches it."""
    wrong: Callable[[], LayerOutcomes] = lambda: covered(nn.Linear(5, 5))  # noqa: E731  # named for what follows
    with pytest.raises(RuntimeError, match="shapes"):
        wrong()


def test_values_that_are_no_numbers_count_as_drawn_all_the_same() -> None:
    """NaN has a colour of its own."""

    class Nan(nn.Module):
        def forward(self, maps: Tensor) -> Tensor:
            return maps * torch.nan

    assert covered(nn.Sequential(Nan())) == LayerOutcomes(1, 1, 0, ())
