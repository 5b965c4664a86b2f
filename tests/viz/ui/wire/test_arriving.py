"""Requests of links, and the one sentence for each thing that a subject does not have."""

import pytest

from viz.answers.message import Notice
from viz.request.look import Look, look_to_query
from viz.ui.locale.words import say
from viz.ui.visit.visit import SubjectEntry
from viz.ui.wire.arriving import possible_look

IN_VAIN = [
    ("layer", "conv3"),
    ("call", "2"),
    ("call", "0"),
    ("call", "\N{SUPERSCRIPT TWO}"),
    ("channel", "6"),
    ("channel", "-1"),
    ("channel", "1" * 100),
    ("row", "-1"),
    ("row", "999999"),
    ("index", "\N{SUPERSCRIPT TWO}"),
    ("index", "2.5"),
    ("show", "beside"),
    ("show", "difference"),
    ("present", "yes"),
    ("colormap", "jett"),
    ("scale", ""),
    ("order", "\N{PILE OF POO}"),
    ("view", "<b>"),
    ("target", "10"),
    ("target", "cat"),
    ("cell", "4"),
    ("cell", "28,0"),
    ("cell", "0,28,1"),
    ("lesson", "9"),
    ("lesson", "no-such-lesson"),
    ("lesson", "9" * 150),
    ("lesson_step", "0"),
    ("quiz_question", "0"),
    ("seed", "9999999"),
    ("step", "0"),
]
EXACT = (
    "layer=conv2&channel=3&cell=9%2C9&colormap=hot&scale=channel&order=mean&edit=conv1%3Azero%3A1"
    "&show=before&target=3"
)


def _told_once(asked: str, subject: SubjectEntry, language: str = "en") -> tuple[Look, Notice]:
    """Return the look of a link, and the one notice about what it asks for in vain."""
    look, (notice,) = possible_look(asked, subject, language)
    return look, notice


def test_what_can_be_is_kept_without_a_word(subject: SubjectEntry) -> None:
    """A link of ours is its own answer."""
    look, notices = possible_look(EXACT, subject, "en")
    assert notices == []
    assert look_to_query(look) == EXACT


@pytest.mark.parametrize(("name", "value"), IN_VAIN)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_does_not_exist_gets_one_sentence(
    subject: SubjectEntry, name: str, value: str, language: str
) -> None:
    """The sentence repeats the request; the look is the one at first, as far as this goes."""
    look, notice = _told_once(f"{name}={value}", subject, language)
    assert name in notice.text or value in notice.text
    assert notice.document == "address#the-look"
    assert getattr(look, name) == getattr(Look(), name)


@pytest.mark.parametrize("name", ["lesson_step", "quiz_question"])
def test_what_the_browser_remembers_is_shown_instead(subject: SubjectEntry, name: str) -> None:
    """There is no number 0 of either."""
    _, notice = _told_once(f"{name}=0", subject)
    assert "the one where you were" in notice.text


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("channel=99", "the channel that the page chooses"),
        ("channel=-1", "the channel that the page chooses"),
        ("cell=1,99", "the maps without a number"),
        ("top=0", "8"),
        ("steps=0", "50"),
        ("window=0", "a seventh of the picture's shorter side"),
        ("stride=0", "half of the window"),
        ("training=-1", "evaluation mode"),
        ("target=-1", "the most probable class"),
        ("step=0", "the step of the layer"),
        ("call=0", "1"),
        ("row=-1", "0"),
        ("present=yes", "0"),
        ("order=best", "index"),
        (f"leaf={'x' * 201}", "what the page itself chooses"),
    ],
)
def test_a_notice_names_what_is_shown_instead(subject: SubjectEntry, asked: str, shown: str) -> None:
    """Not the number 0 where the page has another usual value."""
    _, notice = _told_once(asked, subject)
    name, _, value = asked.partition("=")
    assert notice.text == f"The address says {name}={value[:80]}, which does not exist. Showing {shown}."


def test_a_layer_that_is_misspelt_gets_a_hint(subject: SubjectEntry) -> None:
    """The nearest names of this model, and which layer is shown instead."""
    _, notice = _told_once("layer=conv22", subject)
    assert "did you mean conv2" in notice.text
    assert "Showing conv1" in notice.text


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("conv1:zero:6", "channel 6"),
        ("conv9:zero:0", "did you mean"),
        ("conv1:melt:0", "melt"),
        ("conv1:noise:0:1e400", "finite"),
        ("\N{PILE OF POO}" * 500, "is no edit"),
    ],
)
def test_edits_that_cannot_be_are_left_out_with_one_sentence(
    subject: SubjectEntry, edit: str, said: str
) -> None:
    """The maps are shown without them."""
    look, notice = _told_once(f"edit={edit}", subject)
    assert said in notice.text
    assert notice.document == "change-the-model#how-do-i-write-an-edit-in-an-address"
    assert look.edit == ""


def test_an_edit_whose_picture_another_visit_holds_is_left_out(subject: SubjectEntry) -> None:
    """A link does not open it, even for someone who knows its name; the other edits stay."""
    look, notice = _told_once(f"edit=conv1:swap:1:own_{'a' * 32};fc1:mean", subject)
    assert look.edit == "fc1:mean"
    assert say("en", "missing_picture") in notice.text
    assert notice.document == "change-the-model#which-pictures-can-values-come-from"
