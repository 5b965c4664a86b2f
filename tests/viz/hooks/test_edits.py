"""Ready-made edits: pure functions of a tensor, checked against writing the same thing by hand."""

import pytest
import torch

from viz.errors import EditError
from viz.hooks.edits import EditFunction, clamp, freeze_to_mean, noise, replace, scale, zero_channel

MAPS = torch.arange(2 * 3 * 2 * 2, dtype=torch.float32).reshape(2, 3, 2, 2) - 10


def by_hand(channels: list[int], new: torch.Tensor) -> torch.Tensor:
    """Return MAPS with these channels taken from ``new``."""
    expected = MAPS.clone()
    expected[:, channels] = new[:, channels]
    return expected


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (zero_channel(1), by_hand([1], MAPS * 0)),
        (zero_channel(0, -1), by_hand([0, 2], MAPS * 0)),
        (scale(3), MAPS * 3),
        (scale(-1, (1, 2)), by_hand([1, 2], -MAPS)),
        (clamp(0), MAPS.clamp(0)),
        (clamp(maximum=2), MAPS.clamp(max=2)),
        (clamp(-1, 1, (0,)), by_hand([0], MAPS.clamp(-1, 1))),
        (freeze_to_mean(1), by_hand([1], MAPS.mean((2, 3), keepdim=True).expand_as(MAPS))),
        (freeze_to_mean(), MAPS.mean((2, 3), keepdim=True).expand_as(MAPS)),
        (replace(torch.ones(1, 3, 2, 2)), torch.ones_like(MAPS)),
        (replace(MAPS + 5, (2,)), by_hand([2], MAPS + 5)),
    ],
)
def test_an_edit_equals_writing_it_by_hand(edit: object, expected: torch.Tensor) -> None:
    """It does not change the tensor that it is given."""
    given = MAPS.clone()
    assert torch.equal(edit(given), expected)
    assert torch.equal(given, MAPS)


def test_removing_a_channel_also_removes_nan_and_infinity() -> None:
    """Zero is written, not multiplied."""
    assert zero_channel(0)(torch.full((1, 1, 2), float("nan"))).eq(0).all()


def test_the_channel_axis_can_be_the_last() -> None:
    """Tokens (N, T, D)."""
    edited = zero_channel(1, axis=-1)(MAPS)
    assert edited[..., 1].eq(0).all()
    assert torch.equal(edited[..., 0], MAPS[..., 0])
    means = MAPS.mean((1, 2), keepdim=True).expand_as(MAPS)
    assert torch.equal(freeze_to_mean(axis=-1)(MAPS), means)


def test_noise_depends_on_the_seed_only() -> None:
    """One seed gives the same noise twice, another gives other noise; torch's own seed does not change."""
    large = torch.zeros(1, 4, 100, 100)
    torch.manual_seed(1)
    edited = noise(0.5, seed=3)(large)
    assert torch.equal(torch.rand(3), torch.rand(3, generator=torch.Generator().manual_seed(1)))
    assert torch.equal(edited, noise(0.5, seed=3)(large))
    assert not torch.equal(edited, noise(0.5, seed=4)(large))
    assert edited.std() == pytest.approx(0.5, rel=0.02)
    assert noise(0.5, 3, (1,))(large)[:, [0, 2, 3]].eq(0).all()


@pytest.mark.parametrize(
    "edit",
    [
        zero_channel(1),
        scale(2, (1,)),
        clamp(-1, 1, (0, 2)),
        noise(1, channels=(1,)),
        freeze_to_mean(1),
        freeze_to_mean(),
        replace(MAPS.contiguous().flip(1)),
        replace(torch.ones(1)),
    ],
)
def test_an_edit_leaves_the_way_in_which_values_lie_in_memory(edit: EditFunction) -> None:
    """With channels last; the numbers that a dropout draws go through memory in its order."""
    maps = MAPS.contiguous(memory_format=torch.channels_last)
    assert maps.stride() != MAPS.contiguous().stride()
    assert edit(maps).stride() == maps.stride()


def test_edits_are_differentiable() -> None:
    """The gradient of a removed channel is zero."""
    maps = MAPS.clone().requires_grad_()
    zero_channel(1)(scale(2)(maps)).sum().backward()
    assert maps.grad[:, 1].eq(0).all()
    assert maps.grad[:, [0, 2]].eq(2).all()


@pytest.mark.parametrize(
    ("edit", "value", "said"),
    [
        (zero_channel(3), MAPS, "no channel 3: the layer has 3"),
        (scale(2, (-4,)), MAPS, "no channel -4"),
        (zero_channel(0), torch.ones(2), "no axis 1"),
        (zero_channel(0), (MAPS, None), "returns a tuple"),
        (replace(torch.ones(5)), MAPS, r"\(5,\) does not fit"),
    ],
)
def test_an_edit_that_does_not_fit_says_so(edit: object, value: object, said: str) -> None:
    """The error says what was asked, and what the layer has."""
    with pytest.raises(EditError, match=said):
        edit(value)


def test_clamping_to_nothing_is_an_error() -> None:
    """Neither end of the range is given."""
    with pytest.raises(EditError, match="minimum, a maximum"):
        clamp()


@pytest.mark.parametrize(
    "edit", [freeze_to_mean(), freeze_to_mean(1), scale(0.5, (0,)), clamp(0.5, None, (1,))]
)
@pytest.mark.parametrize("dtype", [torch.int64, torch.bool])
def test_fractions_are_not_put_among_whole_numbers(edit: EditFunction, dtype: torch.dtype) -> None:
    """A sentence names their type; what stays whole is edited."""
    with pytest.raises(EditError, match=str(dtype).removeprefix("torch.")):
        edit(MAPS.to(dtype))
    assert torch.equal(scale(2, (1,))(MAPS.int()), by_hand([1], MAPS * 2).int())
