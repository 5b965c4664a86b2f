"""The plans that come along, as the command checks them: looks that open, answers that the nets give."""

import pytest

from tests.viz.course.test_shipped import rows
from viz.course.alone import each_alone
from viz.course.folder import TEXTS as LESSONS
from viz.course.folder import read_lessons
from viz.pictures.samples import sample, sample_names
from viz.plans.checking import answers_checked, compared, looks_checked, nets_checked, read_all
from viz.plans.folder import TEXTS, served
from viz.plans.plan import Plan

PLANS, WRONG = read_all(TEXTS)
IDS = ("what-a-convolution-sees", "why-in-place-and-hooks-surprise", "how-a-net-makes-up-its-mind")
CARRIED = ["efficientnet_lite0", "photonet", "lenet"]  # with weights that need no network


def test_three_plans_are_there_in_both_languages() -> None:
    """A school lesson each, in eight to twelve steps; only words differ between the languages."""
    assert WRONG == []
    assert sorted(PLANS) == ["en", "zh"]
    assert [tuple(plan.id for plan in plans) for plans in PLANS.values()] == [IDS, IDS]
    assert [plan.minutes for plan in PLANS["en"]] == [45, 45, 45]
    assert all(8 <= len(plan.steps) <= 12 for plan in PLANS["en"])
    assert compared(PLANS) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_step_says_something_to_class_and_teacher_and_asks_a_question(language: str) -> None:
    """And no sentence is longer than what a class is told, or than a question may be."""
    for plan in PLANS[language]:
        for step in plan.steps:
            assert step.text
            assert step.note
            assert len("\n".join(step.text)) <= 400
            assert step.question
            assert len(step.question.text) <= 200


def test_every_look_opens_without_a_network() -> None:
    """On a net and a picture that come along."""
    assert nets_checked(PLANS["en"], CARRIED, sample_names()) == []
    assert looks_checked(PLANS["en"], rows, read_lessons(LESSONS, "en")) == []


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS["en"], ids=IDS)
def test_every_right_answer_is_what_the_net_says(
    plan: Plan, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each in a process of its own, on the step's picture."""
    folder = tmp_path_factory.mktemp("pictures")

    def picture(name: str) -> str:
        sample(name).save(folder / f"{name}.png")
        return str(folder / f"{name}.png")

    assert answers_checked([plan], picture, each_alone) == []


def test_what_is_served_is_what_was_checked() -> None:
    """In the visitor's language, and English in one that no plan speaks."""
    assert [name for name, _ in served("zh")] == list(IDS)
    assert served("xx") == served("en") != served("zh")
    assert served("en")[0][1].startswith(f"# {PLANS['en'][0].title}\n")
