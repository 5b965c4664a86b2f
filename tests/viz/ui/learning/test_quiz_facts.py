"""The quiz's messages: a question without its answer, the answer apart from it."""

import base64
import json
from dataclasses import replace

import pytest

from tests.viz.quiz.asking import ABOUT, NETS, PHOTOS, asked
from viz.answers.message import as_json
from viz.errors import RequestError
from viz.quiz import CHOICES, QUESTIONS
from viz.ui.learning.quiz_facts import answer_facts, question_facts, quiz_task
from viz.ui.learning.quiz_sentences import choice_in_words, why_in_words
from viz.ui.learning.rendered import rendered

ALL = [(seed, number) for seed in (77, 4711) for number in range(QUESTIONS)]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("seed", "number"), ALL)
def test_a_question_says_nothing_about_its_answer(seed: int, number: int, language: str) -> None:
    """With another choice as the right one, the message is the same to the last byte."""
    question = asked(seed, number)
    messages = {as_json(question_facts(replace(question, right=place), language)) for place in range(CHOICES)}
    assert len(messages) == 1
    assert not {"right", "answer", "why", "kind"} & json.loads(messages.pop()).keys()


@pytest.mark.parametrize(("seed", "number"), ALL)
def test_a_question_comes_with_all_that_is_shown(seed: int, number: int) -> None:
    """Its choices as they are written, its pictures with text and size, and how many questions there are."""
    question, found = asked(seed, number), question_facts(asked(seed, number), "en")
    assert found.questions == QUESTIONS
    assert list(found.choices) == [choice_in_words(question, place, "en") for place in range(CHOICES)]
    pngs = [base64.b64decode(picture.png) for picture in found.pictures]
    assert pngs == [picture.png for picture in question.pictures]
    assert all(picture.text and picture.width for picture in found.pictures)
    assert all(bool(picture.title) == (len(pngs) > 1) for picture in found.pictures)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_only_the_right_choice_is_right(language: str) -> None:
    """Every choice is told which one was right, and why."""
    question = asked(77, 0)
    found = [answer_facts(question, place, language) for place in range(CHOICES)]
    assert [each.right for each in found] == [place == question.right for place in range(CHOICES)]
    assert {each.answer for each in found} == {question.right}
    assert {each.why for each in found} == {rendered(why_in_words(question, language))}


def test_a_choice_that_the_question_does_not_have_is_refused() -> None:
    """One sentence names the last one."""
    with pytest.raises(RequestError, match="the last one is 3, so there is no choice 4"):
        answer_facts(asked(77, 0), CHOICES, "en")


def test_everybody_is_asked_about_the_same_nets_and_pictures() -> None:
    """The pages of one class agree, because the task says all that a question depends on."""
    task = quiz_task(77, 3)
    assert (task.seed, task.number, task.nets) == (77, 3, NETS)
    assert set(ABOUT.photos) < set(task.photos)
    assert all(task.photos[name].fingerprint == PHOTOS[name].fingerprint for name in PHOTOS)
