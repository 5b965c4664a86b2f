"""Questions of the quiz that cannot be answered are found; those that are asked can be."""

from dataclasses import replace

import pytest

import models
from tests.viz.quiz.asking import asked
from viz.commands.plans import quiz_checked
from viz.pictures.subject import Subject
from viz.quiz.checking import CHECKED, question_wrong, subject_wrong
from viz.quiz.computing import computed
from viz.quiz.question import Question
from viz.request.look import Level


def test_a_choice_that_stands_twice_is_found() -> None:
    """By its text."""
    found = replace(asked(0, 0, "middle"), choices=("1", "2", "1", "3"), pictures=())
    assert list(question_wrong(found)) == ["two choices are the same: 1."]


def test_a_wrong_picture_that_looks_like_the_right_one_is_found() -> None:
    """The right one put in the place of another."""
    found = next(each for number in range(8) if (each := asked(0, number, "easy")).kind == "depth")
    other = (found.right + 1) % 4
    small = [place for place, picture in enumerate(found.pictures) if picture.small]
    pictures = list(found.pictures)
    pictures[small[other]] = replace(pictures[small[other]], png=pictures[small[found.right]].png)
    assert list(question_wrong(found)) == []
    wrong = list(question_wrong(replace(found, pictures=tuple(pictures))))
    assert wrong == [f"the pictures of {found.choices[other]} and of the right answer look alike."]


@pytest.mark.slow
def test_the_quizzes_that_are_asked_can_be_answered() -> None:
    """As ``plans check`` makes them, of each level."""
    count, wrong = quiz_checked(_subject)
    assert (count, wrong) == (3 * 8 * CHECKED, [])


def _subject(net: str, weights: str) -> Subject:
    card = models.describe(net)
    return Subject(models.load(net, weights), card.preprocessing, card.preprocessing.as_seen, card.classes)


def first_of(kind: str, level: Level) -> Question:
    """The first question of a kind."""
    made = (asked(seed, number, level) for seed in range(9) for number in range(8))
    return next(each for each in made if each.kind == kind)


@pytest.mark.parametrize("kind", ["relu", "pool", "output", "shape"])
def test_a_wrong_answer_is_found_where_what_is_shown_makes_the_right_one(kind: str) -> None:
    """By the numbers, or by the layer's settings."""
    found = first_of(kind, "middle" if kind == "shape" else "easy")
    assert computed(found) == found.choices[found.right]
    other = (found.right + 1) % len(found.choices)
    (why,) = question_wrong(replace(found, right=other, pictures=()))
    assert why == f"the answer is {found.choices[found.right]}, not {found.choices[other]}."


@pytest.mark.parametrize(
    "settings", ["Conv2d 32→1152, 3×3, stride 1, padding 1", "Conv2d 8→32, 1×1, stride 1"]
)
def test_an_easy_question_that_nobody_works_out_is_found(settings: str) -> None:
    """A thousand filters, or a window of one value."""
    shape = f"{settings.partition('→')[2].partition(',')[0]} × 8 × 8"
    found = replace(first_of("output", "easy"), choices=(shape,), right=0, pictures=())
    easy = replace(found, type=settings, facts={"given": "32 × 8 × 8"})
    assert list(question_wrong(easy)) == [f"nobody works out {settings} by looking and counting."]


def test_a_net_that_is_given_what_it_does_not_read_is_found() -> None:
    """A photo for a net of signals, or a waveform for any other."""
    found = asked(0, 0, "middle")
    photo, wave = (replace(found, model="a net", sample=each) for each in ("astronaut", "sine"))
    assert list(subject_wrong(photo, of_signals=True)) == ["a net does not read astronaut."]
    assert list(subject_wrong(wave, of_signals=False)) == ["a net does not read sine."]
    assert not [*subject_wrong(photo, of_signals=False), *subject_wrong(wave, of_signals=True)]
