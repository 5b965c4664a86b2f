"""Faults that the checker finds in plans that can be read and are not true."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from viz.course.alone import Alone
from viz.course.folder import TEXTS, read_lessons
from viz.course.found import StepResult
from viz.plans.checking import answers_checked, compared, looks_checked, nets_checked, read_all
from viz.plans.plan import Plan
from viz.plans.reading import plan_from
from viz.profile.rows import LayerRow

PLAN = """\
# T
net: lenet
picture: cat

## S
look: layer=conv1
minutes: 4
guess: 0 to 10 within 1
answer: 1.6

```python
print(1.6)
```

? Q?

! W.
"""


def plan(old: str = "", new: str = "") -> Plan:
    """The plan, with something in it replaced."""
    assert not old or PLAN.count(old) == 1
    return plan_from(PLAN.replace(old, new) if old else PLAN, "t", "en/1-t.md")


def rows(_: str) -> Sequence[LayerRow]:
    """A net of one layer."""
    return [LayerRow("conv1", "Conv2d", "", 456, 0, 1, ((1, 6, 28, 28),), (), None, (0,), children=False)]


def said(answer: str, error: str = "") -> list[str]:
    """Return the faults that are found if the net says this."""

    def each(wanted: Sequence[Alone]) -> list[StepResult]:
        assert [(net, run.code, picture) for net, run, picture in wanted] == [
            ("lenet", "print(1.6)", "cat.png")
        ]
        return [StepResult(printed=(answer,), error=error)]

    return answers_checked([plan()], lambda name: f"{name}.png", each)


def test_a_plan_that_is_true_has_no_fault() -> None:
    """Not one of the four kinds."""
    assert looks_checked([plan()], rows, read_lessons(TEXTS, "en")) == []
    assert nets_checked([plan()], ["lenet"], ["cat"]) == []
    assert compared({"en": (plan(),), "zh": (plan("# T", "# 题"),)}) == []
    assert said("1.6") == []


@pytest.mark.parametrize(
    ("look", "fault"),
    [
        ("layer=conv9", "the net has no layer conv9."),
        ("layer=conv1&channel=6", "conv1 has 6 channels, counted from 0: there is no channel 6."),
        ("view=nothing", "the look says view=nothing, which cannot be."),
        ("view=course&lesson=nothing", "the course has no lesson nothing."),
        (
            "view=course&lesson=in-place&lesson_step=9",
            "the lesson in-place has 5 steps: there is no step 9.",
        ),
    ],
)
def test_a_look_that_does_not_open_is_found(look: str, fault: str) -> None:
    """Layers and channels of the net, lessons of the course."""
    wrong = looks_checked([plan("layer=conv1", look)], rows, read_lessons(TEXTS, "en"))
    assert wrong == [f"en/1-t.md:5: {fault}"]


def test_a_number_is_compared_as_far_as_it_is_written() -> None:
    """1.6 is right for 1.605632; a word is no number."""
    assert said("1.605632") == []
    assert said("1.66") == ["en/1-t.md:5: the net says 1.66, and the plan 1.6."]
    assert said("many") == ["en/1-t.md:5: the net says many, and the plan 1.6."]


def test_code_that_fails_is_found() -> None:
    """An assertion that does not hold, too."""
    assert said("", "AssertionError: ") == ["en/1-t.md:5: the code fails: AssertionError: "]


def test_a_question_needs_code_that_makes_its_answer() -> None:
    """Nobody's word is taken for it."""
    bare = plan("```python\nprint(1.6)\n```\n\n", "")
    assert answers_checked([bare], str, lambda _: []) == ["en/1-t.md:5: no code makes the right answer."]


def test_a_step_has_a_net_and_a_picture_that_exist() -> None:
    """Of its own, or the plan's."""
    wrong = nets_checked([plan("net: lenet", "net: x")], ["lenet"], ["cat"])
    assert wrong == ["en/1-t.md:5: the catalogue has no model x."]
    assert nets_checked([plan("picture: cat\n", "")], ["lenet"], ["cat"]) == [
        "en/1-t.md:4: neither the step nor the plan has a header picture."
    ]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("layer=conv1", "layer=conv2", "the look"),
        ("minutes: 4", "minutes: 5", "the time"),
        ("print(1.6)", "print(1.7)", "the code"),
        ("answer: 1.6", "answer: 1.7", "what is asked"),
    ],
)
def test_languages_differ_in_words_alone(old: str, new: str, name: str) -> None:
    """Each difference is said with both places."""
    wrong = compared({"en": (plan(),), "zh": (plan(old, new),)})
    assert wrong == [f"en/1-t.md:5: {name} is not that of en/1-t.md:5."]


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    """The others are read; a folder without plans is one too."""
    (tmp_path / "en").mkdir()
    assert "no folder of a language with plans" in read_all(tmp_path)[1][0]
    (tmp_path / "en/1-a.md").write_text("no title")
    (tmp_path / "zh").mkdir()
    (tmp_path / "zh/1-a.md").write_text(PLAN)
    found, wrong = read_all(tmp_path)
    assert list(found) == ["zh"]
    assert wrong == ["en/1-a.md:1: a lesson begins with its title, a line that begins with #."]
    (tmp_path / "en/1-a.md").rename(tmp_path / "en/a.md")
    assert read_all(tmp_path)[1] == [
        "en/a.md:1: a plan's file is named like 2-in-place.md: its place, and its id."
    ]
