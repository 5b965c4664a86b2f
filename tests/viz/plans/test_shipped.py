"""The plans that come along, as the command checks them: looks that open, answers that the nets give."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

import models
from tests.viz.course.test_shipped import rows
from viz.course.alone import Alone, each_alone
from viz.course.folder import TEXTS as LESSONS
from viz.course.folder import read_lessons
from viz.course.found import StepResult
from viz.pictures.samples import sample, sample_names
from viz.plans.checking import (
    answers_checked,
    compared,
    looks_checked,
    nets_checked,
    noise_checked,
    read_all,
    types_checked,
)
from viz.plans.folder import TEXTS, served
from viz.plans.given_away import telling_checked
from viz.plans.noise import with_noise
from viz.plans.on_screen import SHEET, screens_checked
from viz.plans.plan import Plan
from viz.plans.reading import plan_from
from viz.profile.rows import LayerRow, first_layer
from viz.ui.stage.layer_sentences import sentences

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


def file_of(folder: Path, *, noisy: bool = False) -> Callable[[str], str]:
    """A sample's name → a file of it."""

    @cache
    def file(name: str) -> str:
        path = folder / f"{name}-{noisy}.png"
        (with_noise(sample(name)) if noisy else sample(name)).save(path)
        return str(path)

    return file


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_step_tells_its_own_answer(language: str) -> None:
    """Neither in its words, nor above the maps of its layer, nor in the lesson on screen."""
    assert telling_checked(PLANS[language], rows, read_lessons(LESSONS, language)) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_caption_above_the_maps_tells_an_answer(language: str) -> None:
    """The page's sentence on the layer, as if it were a setting; a count of a block's layers is found."""

    @cache
    def captioned(net: str) -> list[LayerRow]:
        found = rows(net)
        said, place = sentences(found, first_layer(found), language)
        return [replace(row, detail=said[at]) for row, at in zip(found, place, strict=True)]

    assert telling_checked(PLANS[language], captioned) == []
    first = PLANS[language][0]
    deeper = next(step for step in first.steps if step.look == "layer=stage3")
    assert deeper.question
    asked = replace(deeper, question=replace(deeper.question, answer="18"))
    assert len(telling_checked([replace(first, steps=(asked,))], captioned)) == 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_plan_names_the_types_of_its_nets(language: str) -> None:
    """ReLU6 and not ReLU, unless its own code makes one; the sentence that it had is found."""
    assert types_checked(PLANS[language], rows) == []
    plan = PLANS["en"][1]
    old = ("The next layer is a ReLU. It is told to work *in place*.",)
    steps = [replace(step, text=old) if "ReLU6" in " ".join(step.text) else step for step in plan.steps]
    wrong = types_checked([replace(plan, steps=tuple(steps))], rows)
    assert wrong[0].endswith("no net of this plan has a layer ReLU.")


def test_what_told_an_answer_is_found_when_it_is_put_back() -> None:
    """The question that said “once”, and the text that said “seven times”."""
    first = PLANS["en"][1]
    texts = {0: "One hook, and the net runs once.", 7: "It stands in a row seven times."}
    steps = [
        replace(step, text=(*step.text, texts[at])) if at in texts else step
        for at, step in enumerate(first.steps)
    ]
    wrong = telling_checked([replace(first, steps=tuple(steps))], rows)
    assert [each.partition("“")[2] for each in wrong] == [f"{text}”" for text in texts.values()]


def nothing_runs(steps: Sequence[Alone]) -> list[StepResult]:
    """Run no step: there is none to run."""
    assert list(steps) == []
    return []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "of", "at", "said"),
    [
        (".lg-event", 1, 1, "says of the event on screen when its hook is called"),
        (".lg-classes", 2, 1, "the list of classes by their score tells the answer dog"),
        (".lg-figures", 2, 3, "the figures above the maps tell the answer 36"),
    ],
)
def test_a_part_that_told_an_answer_is_found_when_it_is_shown_again(
    part: str, of: int, at: int, said: str, tmp_path: Path
) -> None:
    """On the real nets, at one step of all plans; as the page is, nothing has to be run."""
    sheet = SHEET.read_text("utf-8")
    assert sheet.count(f"{part}, ") == 1
    shown = sheet.replace(f"{part}, ", "")
    [wrong] = screens_checked(PLANS["en"], file_of(tmp_path), each_alone, shown)
    plan = PLANS["en"][of]
    assert wrong.startswith(f"{plan.path}:{plan.steps[at].line}: ")
    assert said in wrong
    assert screens_checked(PLANS["en"], file_of(tmp_path), nothing_runs) == []


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS["en"], ids=IDS)
def test_every_right_answer_is_what_the_net_says(plan: Plan, tmp_path: Path) -> None:
    """Each in a process of its own, on the step's picture, and on one with noise that no eye sees."""
    assert answers_checked([plan], file_of(tmp_path), each_alone) == []
    assert noise_checked([plan], file_of(tmp_path, noisy=True), each_alone) == []


SCORES = "print((-torch.corrcoef(maps)[1]).where(visible, 0).tolist())"
BY_THRESHOLD = """\
maps = maps - maps.mean(1, keepdim=True)
like = maps @ maps[1] / (maps[1] @ maps[1])
print(*(like < -0.3).nonzero().flatten().tolist(), sep=", ")"""
AIRPLANE = '("deer", "dog", "airplane")'
STANDING = "print((standing - lying).tolist())"
SPARED = 'word not in ("tiger cat", "Egyptian cat", "tabby")'
FAULTS = {
    "26 and 29 invert too": (0, 0, [("answer: 2, 12, 26, 29", "answer: 2, 12")], "26 has 0.98"),
    "by a threshold": (
        0,
        0,
        [(SCORES, BY_THRESHOLD), ("2, 12, 26, 29\n", "2, 12\n")],
        "no list with a number",
    ),
    "another map's stripes": (0, 4, [(STANDING, "print((1 - lying / standing).tolist())")], "1 has 0.77"),
    "ten of 32 by chance": (
        0,
        8,
        [(SPARED, 'word != "tiger cat"'), ("answer: 0\n", "answer: 10\n")],
        "noise",
    ),
    "nearly the smallest": (
        2,
        1,
        [(AIRPLANE, AIRPLANE.replace("airplane", "ship")), ("- airplane", "- ship")],
        "ship",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_what_was_wrong_is_found_when_it_is_put_back(fault: str, tmp_path: Path) -> None:
    """On the real net: answers that were typed in, wrong answers that were nearly right."""
    of, at, changes, said = FAULTS[fault]
    path = sorted((TEXTS / "en").iterdir())[of]
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    plan = plan_from(text, IDS[of], f"en/{path.name}")
    plan = replace(plan, steps=plan.steps[at : at + 1])
    found = answers_checked([plan], file_of(tmp_path), each_alone)
    found += noise_checked([plan], file_of(tmp_path, noisy=True), each_alone)
    assert len(found) >= 1
    assert said in found[0]


def test_the_maps_that_invert_map_1_are_those_that_numpy_finds() -> None:
    """From a plain hook: those whose values go the other way, as far as anything is seen of them."""
    net, kept = models.load("efficientnet_lite0").eval(), []
    net.stem.conv.register_forward_hook(lambda _, __, output: kept.append(output[0].numpy()))
    with torch.no_grad():
        net(models.describe("efficientnet_lite0").preprocessing(sample("cat")))
    maps = kept[0].reshape(32, -1).astype(np.float64)
    seen = np.abs(maps).max(axis=1) > 0.05 * np.percentile(np.abs(maps), 99)
    against = np.corrcoef(maps)[1]
    right = [channel for channel in range(32) if seen[channel] and against[channel] < -0.5]
    question = PLANS["en"][0].steps[0].question
    assert question
    assert question.answer == ", ".join(map(str, right)) == "2, 12, 26, 29"
    assert min(against[seen & (against > -0.5)]) > -0.25


def test_what_is_served_is_what_was_checked() -> None:
    """In the visitor's language, and English in one that no plan speaks."""
    assert [name for name, _ in served("zh")] == list(IDS)
    assert served("xx") == served("en") != served("zh")
    assert served("en")[0][1].startswith(f"# {PLANS['en'][0].title}\n")
