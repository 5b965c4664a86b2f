"""The lessons that come along, as the command checks them: each step in a fresh process."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

import models
from viz.course.alone import each_alone, run_alone
from viz.course.checking import claims_checked, compared, looks_checked, read_all, run_checked
from viz.course.folder import TEXTS, find
from viz.course.lesson import Lesson
from viz.course.setup import setup_code
from viz.course.tasks import StepRun, run_of
from viz.exercises.folder import TEXTS as EXERCISES
from viz.exercises.folder import read_exercises
from viz.hooks.activations import LayerActivations
from viz.passes.forward import survey_subject
from viz.pictures.samples import sample, sample_names
from viz.pictures.subject import Subject
from viz.profile.rows import LayerRow

LESSONS, WRONG = read_all(TEXTS)
IDS = (
    "what-is-a-hook",
    "inputs",
    "calls",
    "in-place",
    "removal",
    "gradients",
    "editing",
    "transformer",
    "silent-hooks",
)


@cache
def rows(net: str) -> tuple[LayerRow, ...]:
    """The layers of a net."""
    card, module = models.describe(net), models.load(net)
    subject = Subject(module, card.preprocessing, card.preprocessing.as_seen, card.classes)
    return survey_subject(LayerActivations(module, device="cpu"), subject)


@pytest.fixture(scope="module")
def cat(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A picture's file."""
    path = tmp_path_factory.mktemp("pictures") / "cat.png"
    sample("cat").save(path)
    return str(path)


def test_every_lesson_is_there_in_both_languages() -> None:
    """By the ids that other parts of the page link to; four to six steps each, and they are the same."""
    assert WRONG == []
    assert sorted(LESSONS) == ["en", "zh"]
    assert [tuple(lesson.id for lesson in lessons) for lessons in LESSONS.values()] == [IDS, IDS]
    assert all(4 <= len(lesson.steps) <= 6 for lesson in LESSONS["en"])
    assert compared(LESSONS) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_lesson_ends_with_three_exercises_about_it(language: str) -> None:
    """In the order of their files, under the lesson's own title; each belongs to one lesson."""
    groups = [(lesson.title, identity) for lesson in LESSONS[language] for identity in lesson.exercises]
    assert groups == [(each.about, each.id) for each in read_exercises(EXERCISES, language)]
    assert [len(lesson.exercises) for lesson in LESSONS[language]] == [3] * len(IDS)


def test_every_look_is_one_that_its_net_has() -> None:
    """Layers, calls, channels and edits."""
    assert looks_checked(LESSONS["en"], rows) == []


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS["en"], ids=IDS)
def test_every_step_makes_what_it_says(lesson: Lesson, cat: str) -> None:
    """In a process of its own, with the lines before it as they are shown."""
    assert run_checked([lesson], [cat], each_alone) == []


@pytest.mark.slow
def test_what_is_said_of_every_picture_is_true_of_every_sample(tmp_path: Path) -> None:
    """As the command checks it; and what the lesson on transformers once said is found on some."""
    pictures = [str(tmp_path / f"{name}.png") for name in sample_names()]
    for name, file in zip(sample_names(), pictures, strict=True):
        sample(name).save(file)
    assert claims_checked(LESSONS["en"], pictures, each_alone) == []
    lesson = find(LESSONS["en"], "transformer")
    once = replace(lesson.steps[2], holds=("last.max() > first.max() and last.std() > first.std()",))
    wrong = claims_checked([replace(lesson, steps=(once,))], pictures[:6], each_alone)
    assert wrong
    assert len(wrong) < len(pictures[:6])


def test_half_of_the_answers_attention_is_counted_on_the_picture(tmp_path: Path) -> None:
    """Of 64 pieces the fewest that hold half of it, one by one from the largest, after plain hooks."""
    sample("coins").save(file := tmp_path / "coins.png")
    lesson = find(LESSONS["en"], "transformer")
    said = [value for _, value in run_alone((lesson.net, run_of(lesson.steps[2]), str(file))).values]
    net, kept = models.load(lesson.net).eval(), []
    for place in (0, 3):
        net.blocks[place].attention.softmax.register_forward_hook(lambda *call: kept.append(call[2]))
    net(models.describe(lesson.net).preprocessing(sample("coins")))
    assert said == [str(fewest(table[0].mean(0)[0, 1:].tolist())) for table in kept]


def fewest(shares: list[float]) -> int:
    """Return the least number of shares that make half of all."""
    return next(n for n in range(1, len(shares) + 1) if sum(sorted(shares)[-n:]) >= sum(shares) / 2)


def test_a_way_back_multiplies_a_few_hundred_million_times() -> None:
    """By PyTorch's own counter of operations, two for each multiplication."""
    net, picture = models.load("efficientnet_lite0").eval(), torch.zeros(1, 3, 224, 224).requires_grad_()
    score = net.requires_grad_(requires_grad=False)(picture)[0].max()
    with FlopCounterMode(display=False) as counter:
        score.backward()
    assert 2e8 < counter.get_total_flops() / 2 < 9e8
    step = next(each for each in LESSONS["en"] if each.id == "gradients").steps[1]
    assert "a few hundred million times" in " ".join(step.after)


def test_no_line_is_wider_than_its_column() -> None:
    """Readers of a projector need not move the code."""
    wide = [
        (lesson.path, line)
        for lesson in LESSONS["en"]
        for step in lesson.steps
        for line in step.code.splitlines()
        if len(line) > 60
    ]
    assert wide == []


def test_the_lines_before_a_step_are_enough_for_it(cat: str, tmp_path: Path) -> None:
    """Written into one file, they run; nothing of the page is imported."""
    step = LESSONS["en"][0].steps[0]
    names: dict[str, object] = {}
    said: list[str] = []
    program = f"{setup_code('efficientnet_lite0', cat)}\n{step.code}"
    exec(compile(program, str(tmp_path / "step.py"), "exec"), names | {"print": said.append})
    assert said == [(1, 1000)]
    assert run_alone(("efficientnet_lite0", run_of(step), cat)).printed == ("(1, 1000)",)
    assert "viz" not in setup_code("efficientnet_lite0").split()


def test_a_process_that_fails_says_so(cat: str) -> None:
    """Code that cannot be evaluated says so, too, and the others go on."""
    fine, broken = StepRun("print(1)"), StepRun("a = 1", "nonsense")
    found = each_alone([("lenet", fine, cat), ("lenet", broken, cat)])
    assert found[0].answer == "1"
    assert found[1].error == "NameError: name 'nonsense' is not defined"


def test_what_the_lessons_say_of_their_nets_is_so() -> None:
    """By plain torch: maps come before tokens, and stages have fewer channels before they have more."""
    stem = models.load("patchformer").eval().stem
    kinds = [type(layer).__name__ for layer in stem]
    assert (kinds.count("Conv2d"), kinds.count("MaxPool2d")) == (3, 2)
    assert stem(torch.zeros(1, 3, 32, 32)).shape[2:] == (8, 8)
    net, channels, maps = models.load("efficientnet_lite0").eval(), [], torch.zeros(1, 3, 224, 224)
    for part in (net.stem, net.stage1, net.stage2, net.stage3, net.stage4, net.stage5, net.stage6):
        maps = part(maps)
        channels.append(maps.shape[1])
    assert channels != sorted(channels)
    lessons = {lesson.id: lesson for lesson in LESSONS["en"]}
    said = " ".join(lessons["what-is-a-hook"].steps[3].after)
    assert all(f"{{kept[net.{name}].shape[1]}}" in said for name in ("stem", "stage2", "stage4", "stage6"))
    assert (
        "three convolutions and two poolings, make maps of 8 × 8" in lessons["transformer"].steps[0].text[0]
    )
