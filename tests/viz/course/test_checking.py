"""Faults that the command finds in lessons: looks, answers, exercises, folders."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.viz.course.texts import LESSON
from viz.course.alone import run_alone
from viz.course.checking import claims_checked, exercises_checked, looks_checked, read_all, run_wrong
from viz.course.found import StepResult
from viz.course.lesson import Guess, Step
from viz.course.reading import lesson_from
from viz.course.running import found_in, ran
from viz.course.tasks import StepRun
from viz.pictures.samples import sample
from viz.profile.rows import LayerRow

FIRST = lesson_from(LESSON, "a", "en/1-a.md").steps[0]
GUESSED = replace(FIRST, choices=(), guess=Guess(0, 5, 1))


def rows_of(net: str) -> list[LayerRow]:
    """Two layers of a net, from its real survey."""
    from tests.viz.course.test_shipped import rows

    return list(rows(net))


@pytest.mark.parametrize(
    ("look", "said"),
    [
        ("layer=conv1", ""),
        ("layer=conv1&channel=5&edit=conv1%3Azero%3A1", ""),
        ("layer=conv9", "the net has no layer conv9."),
        ("layer=conv1&call=2", "conv1 runs 1 times: there is no call 2."),
        ("layer=conv1&channel=6", "conv1 has 6 channels, counted from 0: there is no channel 6."),
        ("layer=conv1&view=nonsense", "the look says view=nonsense, which cannot be."),
        ("edit=conv1%3Amelt%3A1", "the look's edit cannot be"),
    ],
)
def test_a_look_is_checked_against_its_net(look: str, said: str) -> None:
    """LeNet's first convolution has six channels, and runs once."""
    lesson = lesson_from(LESSON.replace("look: layer=conv1", f"look: {look}"), "a", "en/1-a.md")
    found = looks_checked([lesson], rows_of)
    assert len(found) == bool(said)
    assert not said or (found[0].startswith("en/1-a.md:7: ") and said in found[0])


@pytest.mark.parametrize(
    ("step", "found", "said"),
    [
        (FIRST, StepResult(ran=(1, 2), answer="2"), ""),
        (FIRST, StepResult(ran=(1, 2), answer="3"), "the answer is 3, and no choice says that."),
        (FIRST, StepResult(error="ValueError: no"), "the code fails: ValueError: no"),
        (FIRST, StepResult(ran=(2,), answer="2"), "line 1 of the code is lit and does not run."),
        (replace(FIRST, choices=(), maps=("a", "b")), StepResult(ran=(1,)), "the answer is none"),
        (GUESSED, StepResult(ran=(1,), answer="9"), "no number from 0 to 5"),
        (GUESSED, StepResult(ran=(1,), answer="x"), "no number from 0 to 5"),
        (GUESSED, StepResult(ran=(1,), answer="4"), ""),
    ],
)
def test_a_run_that_makes_something_else_is_found(step: Step, found: StepResult, said: str) -> None:
    """One sentence for each."""
    wrong = list(run_wrong(step, found))
    assert len(wrong) == bool(said)
    assert not said or said in wrong[0]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("kept[0].shape == (1, 10)", ""),
        ("len(kept) == 2", "len(kept) == 2 is False. (on cat)"),
        ("(kept[0] > 0).all()", "(kept[0] > 0).all() is False. (on cat)"),
    ],
)
def test_a_claim_that_is_not_true_is_found(claim: str, said: str, tmp_path: Path) -> None:
    """LeNet returns one row of ten logits, some of them below zero."""
    sample("cat").save(picture := tmp_path / "cat.png")
    text = LESSON.replace("lit: net(picture)", f"lit: net(picture)\nholds: {claim}")
    found = claims_checked(
        [lesson_from(text, "a", "en/1-a.md")], [str(picture)], lambda all_: list(map(run_alone, all_))
    )
    assert found == ([f"en/1-a.md:7: {said}"] if said else [])


def test_exercises_count_once_somebody_knows_them() -> None:
    """Until then any id may stand in a file."""
    lesson = lesson_from(LESSON, "a", "en/1-a.md")
    assert exercises_checked([lesson], None) == []
    found = exercises_checked([lesson], lambda each: each == "one")
    assert found == ["en/1-a.md:1: there is no exercise two."]


def test_a_folder_without_lessons_is_said(tmp_path: Path) -> None:
    """So is one that is not there, and each file that cannot be read."""
    assert "here is no folder of a language with lessons" in read_all(tmp_path)[1][0]
    assert read_all(tmp_path / "none")[1]
    (tmp_path / "en").mkdir()
    (tmp_path / "en/1-a.md").write_text("# A")
    assert read_all(tmp_path)[1] == ["en/1-a.md:1: this lesson has no step: a step begins with ##."]


def test_a_wrong_map_that_looks_like_the_right_one_is_found() -> None:
    """As large and of the same colours; one with other colours is fine."""
    done = ran("import torch\na = torch.eye(8)\nb = a.flip(0)\nc = a + 0.001", names := {"picture": None})
    step = replace(FIRST, choices=(), maps=("a", "b"), lit=())
    same, other = (
        found_in(names, StepRun("", "a", maps=("a", each)), done, lambda: b"") for each in ("c", "b")
    )
    assert list(run_wrong(step, same)) == ["map 2 looks like the right one."]
    assert list(run_wrong(step, other)) == []
