"""Faults of an answer: values, hooks that are left, calls that are missing, the guess."""

import pytest
import torch

from tests.viz.exercises.subset.nets import ran, small_net, small_picture
from viz.exercises.exercise import Goal
from viz.exercises.judging import UnhookedNet, problems

HOOK = "kept = []\ndef hook(layer, inputs, output):\n    kept.append(output)\n"
RIGHT = f"{HOOK}with net.conv.register_forward_hook(hook):\n    net(picture)\nmaps = kept[0]"
LEFT = f"{HOOK}net.conv.register_forward_hook(hook)\nnet(picture)\nmaps = kept[0]"
EDIT = "def hook(layer, inputs, output):\n    output = output.clone()\n    output[:, {place}] = {value}\n"
EDIT += "    return output\n"
EDIT += "with net.fc.register_forward_hook(hook):\n    scores = net(picture)"
UNCHANGED = UnhookedNet(small_net()(small_picture()), ("a", "b", "c", "d", "e"))
BEST = int(UNCHANGED.scores.argmax())
OTHER = (BEST + 1) % 5
CASES = (
    (Goal(same=("maps",)), RIGHT, ()),
    (Goal(same=("maps",)), LEFT, (("still registered at the end, on `conv`", 4),)),
    (Goal(same=("maps",), hooks=1), RIGHT, (("1 hook must be left", 0),)),
    (Goal(same=("maps",)), "x = 1", (("Nothing is named `maps`", 0),)),
    (
        Goal(same=("maps",)),
        "def f():\n    maps = picture\nf()",
        (("only inside a function", 0),),
    ),
    (Goal(same=("maps",)), "maps = 1\nnet.x", (("`.x`", 2),)),
    (Goal(same=("maps",), uses=("register_forward_pre_hook",)), RIGHT, (("`register_forward_pre_hook`", 0),)),
    (Goal(same=("maps",), runs=1), RIGHT + "\nnet(picture)", (("ran 2 times", 0),)),
    (Goal(guess=("scores", "changed")), EDIT.format(place=OTHER, value=99), ()),
    (Goal(guess=("scores", "changed")), "scores = net(picture)", (("still guesses", 0),)),
    (Goal(guess=("scores", "same")), EDIT.format(place=OTHER, value=99), (("must stay at", 0),)),
    (Goal(guess=("scores", "same")), "scores = net(picture)", ()),
    (Goal(guess=("scores", "changed")), "scores = 3", (("must be what the net returned", 0),)),
    (Goal(guess=("scores", "changed")), "scores = picture", (("has the shape", 0),)),
)


@pytest.mark.parametrize(("goal", "code", "said"), CASES)
def test_each_thing_that_is_wrong_is_one_sentence(
    goal: Goal, code: str, said: tuple[tuple[str, int], ...]
) -> None:
    """And a right answer has none; the line is that of the cause, if there is one."""
    with torch.no_grad():
        found = problems(goal, ran(code), ran(RIGHT), UNCHANGED)
    assert [each.line for each in found] == [line for _, line in said]
    for each, (text, _) in zip(found, said, strict=True):
        assert text in str(each.says)


def test_a_class_without_a_name_is_its_number() -> None:
    """As for nets that name no classes."""
    assert UnhookedNet(UNCHANGED.scores).named(torch.tensor([[0.0, 3.0, 1.0]])) == "1"


def test_two_values_in_each_others_place_are_said_to_be_so() -> None:
    """In one sentence, instead of two about their numbers; a third value that is wrong is told by itself."""
    goal, right = Goal(same=("first", "second")), "first = picture\nsecond = picture * 2"
    swapped = problems(goal, ran("second = picture\nfirst = picture * 2"), ran(right), UNCHANGED)
    assert [str(each.says) for each in swapped] == ["You have `first` and `second` the wrong way round."]
    others = problems(goal, ran("second = picture\nfirst = picture * 3"), ran(right), UNCHANGED)
    assert len(others) == 2
    assert len(problems(goal, ran("first = picture * 2"), ran(right), UNCHANGED)) == 2


def test_a_right_value_by_another_way_is_called_right() -> None:
    """A student who has the tensor is told so, and then what the exercise is about."""
    goal = Goal(same=("maps",), uses=("register_forward_pre_hook",))
    (found,) = problems(goal, ran(RIGHT), ran(RIGHT), UNCHANGED)
    assert str(found.says).startswith("What you made is right.")
    wrong = problems(goal, ran("maps = 1"), ran(RIGHT), UNCHANGED)
    assert "This exercise wants you to call" in str(wrong[1].says)
