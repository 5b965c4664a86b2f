"""Lesson 3: tensor hooks that look at a gradient and change it, and a convolution to check in one's head."""

from pathlib import Path

import torch

from tests.lessons.scripts import printed_by
from viz.lessons import seeing_gradients as taught


def test_the_script_runs_and_prints_the_documents_numbers(tmp_path: Path) -> None:
    """Each number is the one in the document."""
    text = printed_by("03_seeing_gradients", tmp_path)
    assert "the hook on y saw [0.25, 0.25, 0.25, 0.25], and y.grad is None" in text
    assert "x's gradient is [1.0, 1.0, 1.0, 1.0]" in text
    assert "doubled by a hook on x [2.0, 2.0, 2.0, 2.0], by an edit [2.0, 2.0, 2.0, 2.0]" in text
    assert "pooled (1, 2, 1, 1): [9.0, 18.0]" in text


def test_a_hook_on_y_sees_a_gradient_that_y_does_not_keep() -> None:
    """Z is the mean of four values: a quarter for each."""
    assert taught.gradient_by_hook() == ([0.25] * 4, None)
    assert taught.gradient_by_capture() == [0.25] * 4


def test_a_hook_that_doubles_turns_one_into_two() -> None:
    """dz/dx is x/2, which is 1 at 2."""
    assert taught.plain_gradient() == [1] * 4
    assert taught.doubled_by_hook() == [2] * 4
    assert taught.doubled_by_edit() == [2] * 4


def test_the_same_two_can_be_an_accident() -> None:
    """The trap: gradients of two passes add up."""
    assert taught.after_two_passes() == [2] * 4


def test_maps_of_ones_are_nine_and_eighteen() -> None:
    """Nine ones times one, and times two, at each of four places; the pooling keeps the largest."""
    expected = torch.tensor([9.0, 18.0]).reshape(1, 2, 1, 1)
    for found in (taught.maps_by_hook(), taught.maps_by_capture()):
        assert torch.equal(found.maps, expected.expand(1, 2, 2, 2))
        assert torch.equal(found.pooled, expected)


def test_inputs_arrive_as_a_tuple() -> None:
    """A single input arrives as a tuple of one."""
    for found in (taught.maps_by_hook(), taught.maps_by_capture()):
        assert type(found.inputs) is tuple
        assert [tuple(each.shape) for each in found.inputs] == [(1, 1, 4, 4)]
        assert found.inputs[0].eq(1).all()
