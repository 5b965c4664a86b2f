"""The quiz's messages: a question without its answer, the answer apart from it."""

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import UNSET

import viz
from tests.viz.quiz.asking import ABOUT, EASY_NETS, NETS, PHOTOS, asked
from viz.answers.message import as_json
from viz.errors import RequestError
from viz.quiz import CHOICES, QUESTIONS, Level, level_of
from viz.quiz.subjects import quiz_task
from viz.ui.learning.quiz_facts import answer_facts, question_facts
from viz.ui.learning.quiz_lessons import lesson_of
from viz.ui.learning.quiz_sentences import choice_in_words, why_in_words
from viz.ui.learning.rendered import rendered

LEVELED: tuple[Level, ...] = ("climb", "easy", "middle", "hard")
ALL = [(77, number, level) for level in LEVELED for number in range(QUESTIONS)]


def test_the_browser_counts_as_many_questions() -> None:
    """It has to know where the result is before it has asked for any question."""
    script = (Path(viz.__file__).parent / "ui" / "browser" / "learning" / "games.js").read_text(
        encoding="utf-8"
    )
    assert re.findall(r"export const QUESTIONS = (\d+);", script) == [str(QUESTIONS)]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("seed", "number", "level"), ALL)
def test_a_question_says_nothing_about_its_answer(
    seed: int, number: int, level: Level, language: str
) -> None:
    """With another choice as the right one, the message is the same to the last byte."""
    question = asked(seed, number, level)
    messages = {as_json(question_facts(replace(question, right=place), language)) for place in range(CHOICES)}
    assert len(messages) == 1
    assert not {"right", "answer", "why", "kind"} & json.loads(messages.pop()).keys()


@pytest.mark.parametrize(("seed", "number", "level"), ALL)
def test_what_only_explains_is_not_told_before(seed: int, number: int, level: Level) -> None:
    """The right shape, and the layer that a map is from, stand nowhere but among the choices."""
    question = asked(seed, number, level)
    message = json.loads(as_json(question_facts(question, "en")))
    if question.kind in ("output", "shape", "sees", "layer"):
        del message["choices"]
        said = re.sub("<[^>]+>", "", json.dumps(message, ensure_ascii=False))
        assert question.facts.get("shape", "?") not in said.replace(question.facts.get("given", "?"), "")
    if question.kind in ("depth", "layer"):
        assert question.layer not in json.dumps(message.get("text")) + json.dumps(message["pictures"])
    if question.kind == "depth":
        assert question.layer not in json.dumps(message["choices"])
    if question.kind == "outlines":
        assert "channel" not in json.dumps(message["choices"])


@pytest.mark.parametrize(("seed", "number", "level"), ALL)
def test_a_question_comes_with_all_that_is_shown(seed: int, number: int, level: Level) -> None:
    """Its choices as they are written, its pictures with text and size."""
    question = asked(seed, number, level)
    found = question_facts(question, "en")
    assert found.level == level_of(question.kind)
    assert [each.text for each in found.choices] == [
        choice_in_words(question, place, "en") for place in range(CHOICES)
    ]
    chosen = [each.picture for each in found.choices if each.picture is not UNSET]
    pictures = [*found.pictures, *chosen]
    assert [base64.b64decode(picture.png) for picture in pictures] == [each.png for each in question.pictures]
    assert all(picture.text and picture.width for picture in pictures)
    assert len(chosen) in (0, CHOICES)
    assert all(bool(picture.title) == (len(pictures) > 1) for picture in found.pictures)
    assert not any(picture.title for picture in chosen)


def test_numbers_come_as_rows_and_as_a_text_for_screen_readers() -> None:
    """The question has the numbers that go into a ReLU, and the choices those that may come out of it."""
    question = next(asked(77, number, "easy") for number in range(QUESTIONS) if kind(number) == "relu")
    found = question_facts(question, "en")
    assert found.numbers == question.numbers
    for choice in found.choices:
        assert choice.numbers is not UNSET
        assert choice.text == "; ".join(", ".join(row) for row in choice.numbers)


def kind(number: int) -> str:
    """The kind of a question of the easy quiz."""
    return asked(77, number, "easy").kind


@pytest.mark.parametrize("language", ["en", "zh"])
def test_only_the_right_choice_is_right(language: str) -> None:
    """Every choice is told which one was right, and why."""
    question = asked(77, 0)
    found = [answer_facts(question, place, language) for place in range(CHOICES)]
    assert [each.right for each in found] == [place == question.right for place in range(CHOICES)]
    assert {each.answer for each in found} == {question.right}
    assert {each.why for each in found} == {rendered(why_in_words(question, language))}
    assert {(each.lesson, each.lesson_title) for each in found} == {lesson_of(question.kind, language)}


def test_a_choice_that_the_question_does_not_have_is_refused() -> None:
    """One sentence names the last one."""
    with pytest.raises(RequestError, match="the last one is 3, so there is no choice 4"):
        answer_facts(asked(77, 0), CHOICES, "en")


def test_everybody_is_asked_about_the_same_nets_and_pictures() -> None:
    """The pages of one class agree, because the task says all that a question depends on."""
    task = quiz_task(77, 3)
    assert (task.seed, task.number, task.nets, task.easy) == (77, 3, NETS, EASY_NETS)
    assert (task.level, quiz_task(77, 3, "hard").level) == ("climb", "hard")
    assert set(ABOUT.photos) < set(task.photos)
    assert all(task.photos[name].fingerprint == PHOTOS[name].fingerprint for name in PHOTOS)
