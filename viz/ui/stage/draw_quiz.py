"""The quiz as a page: a question, its answers as buttons, the explanation, the score; a seed names a quiz."""

import html
import re
import secrets
from collections.abc import Mapping
from typing import Any

import streamlit as st

from ...pictures.photo import Photo
from ...quiz import QUESTIONS, SEEDS, FatesTask, Question, Runs, Subjects, question
from ...request.inspection import Inspection
from ...views.hook_tasks import TimelineTask
from ...views.one_layer import Values
from ...views.whole_model import Survey
from ..browser.modules import browser_part
from ..choose.address import acted, in_vain
from ..choose.choose import sample_photo, words
from ..visit.faults import heard
from ..visit.markdown import escaped
from ..visit.service import engine
from ..visit.visit import Visit
from .components import PICTURE_WIDTH, draw_picture
from .quiz_sentences import (
    alternative_in_words,
    asked_in_words,
    choice_in_words,
    title_in_words,
    why_in_words,
)

NETS = ("lenet", "photonet", "patchformer", "signalnet")
PHOTOS = ("cat", "astronaut", "coffee", "rocket", "camera", "coins")
NEW_SEEDS = 10_000  # short enough to be read out
BESIDE, SMALL = 280, 150  # screen pixels: a picture with small ones beside it, and each small one
# Screen pixels, width and height, of heads beside each other, and of channels with a row each.
WIDE = {"attention": (800, 0), "signals": (800, 260)}

_turn = browser_part("quiz", "learning/quiz.js")


def draw_quiz(visit: Visit) -> None:
    """The question that is due, or the result."""
    game, notice = _game()
    if notice:
        st.warning(escaped(notice))
    with st.container(key="quiz"):
        if game["number"] >= QUESTIONS:
            _draw_result(game)
        else:
            _draw_question(game, _question(visit, game["seed"], game["number"]))
        st.caption(words("quiz_share", seed=game["seed"]))
        _draw_turn(game)


def _draw_turn(game: Mapping[str, Any]) -> None:
    """Let the browser scroll to where the quiz goes on."""
    answered = game["number"] in game["answers"]
    turn = f"{game['seed']}-{game['number']}-{answered}"
    _turn(key="quiz_turn", data={"turn": turn, "place": "quiz_why" if answered else "quiz_asked"})


def seed_in_address() -> str:
    """The quiz's seed as the address says it; empty in other views."""
    state = st.session_state
    return str(state["quiz"]["seed"]) if state["view"] == "quiz" and "quiz" in state else ""


def _game() -> tuple[dict[str, Any], str]:
    """This visitor's quiz: its seed, the question, the answers; a sentence for an impossible seed."""
    state = st.session_state
    asked = state.pop("asked_seed", None)
    vain = asked is not None and not re.fullmatch("[0-9]{1,6}", asked)
    if asked is not None and not vain and ("quiz" not in state or state["quiz"]["seed"] != int(asked)):
        _begin(int(asked))
    if "quiz" not in state:
        _begin(secrets.randbelow(NEW_SEEDS))
    game: dict[str, Any] = state["quiz"]
    return game, in_vain("seed", asked, (), game["seed"], most=SEEDS - 1) if vain else ""


def _begin(seed: int) -> None:
    st.session_state["quiz"] = {"seed": seed, "number": 0, "answers": {}}


def _question(visit: Visit, seed: int, number: int) -> Question:
    """The question, made once for this visitor."""
    state = st.session_state
    made: tuple[int, int, Question] | None = state.get("quiz_question")
    if made is None or made[:2] != (seed, number):
        photos = {name: sample_photo(name) for name in PHOTOS}
        about = Subjects(NETS, {name: photo.fingerprint for name, photo in photos.items()})
        runs = _runs(visit.visitor, {photo.fingerprint: photo for photo in photos.values()})
        made = state["quiz_question"] = (seed, number, question(seed, number, about, runs))
    return made[2]


def _runs(visitor: str, photos: Mapping[str, Photo]) -> Runs:
    """The engine's answers about runs; each waits its turn in the queue of all requests."""

    def task(kind: type[TimelineTask | FatesTask], wanted: Inspection) -> Any:
        return engine().do(kind(wanted, photos[wanted.image]), visitor=visitor).result()

    return Runs(
        rows=lambda net: engine().do(Survey(net, "pretrained"), visitor=visitor).result(),
        values=lambda wanted: engine().do(Values(wanted, photos[wanted.image]), visitor=visitor).result(),
        events=lambda wanted: task(TimelineTask, wanted),
        fates=lambda wanted: task(FatesTask, wanted),
    )


def _draw_question(game: Mapping[str, Any], asked: Question) -> None:
    number, answers = game["number"], game["answers"]
    chosen = answers.get(number)
    right = sum(correct for _, correct in answers.values())
    with st.container(key="quiz_asked"):
        st.caption(words("quiz_progress", number=number + 1, count=QUESTIONS, right=right))
        st.markdown(asked_in_words(asked))
        _draw_pictures(asked)
    if chosen is None:
        _draw_choices(number, asked)
    else:
        _draw_answered(asked, chosen[0])
        label = words("quiz_result" if number + 1 == QUESTIONS else "quiz_next")
        st.button(label, key="quiz_next", type="primary", on_click=_go_on)


def _draw_choices(number: int, asked: Question) -> None:
    with st.container(key="quiz_choices", horizontal=True):
        for place in range(len(asked.choices)):
            given = (number, place, place == asked.right)
            st.button(
                escaped(choice_in_words(asked, place)),
                key=f"quiz_{number}_{place}",
                on_click=_answer,
                args=given,
            )


def _draw_answered(asked: Question, chosen: int) -> None:
    """The choices, with the right one and a wrongly chosen one marked; then the explanation."""
    marked = {chosen: ("quiz_mark_wrong", "lg-chosen"), asked.right: ("quiz_mark_right", "lg-answer")}
    items = []
    for place in range(len(asked.choices)):
        key, kind = marked.get(place, ("quiz_mark_none", "lg-other"))
        text = words(key, choice=choice_in_words(asked, place))
        items.append(f'<li class="{kind}">{html.escape(text)}</li>')
    st.html(f'<ul class="lg-answers">{"".join(items)}</ul>')
    answer = escaped(choice_in_words(asked, chosen))
    verdict = words("quiz_right") if chosen == asked.right else words("quiz_wrong", chosen=answer)
    with st.container(key="quiz_why"):
        st.markdown(f"**{verdict}** {why_in_words(asked)}")


def _draw_pictures(asked: Question) -> None:
    """The maps, one pixel per value, enlarged by whole numbers."""
    beside = any(picture.small for picture in asked.pictures)
    with st.container(key="quiz_pictures", horizontal=True):
        for picture in asked.pictures:
            width = SMALL if picture.small else BESIDE if beside else PICTURE_WIDTH
            draw_picture(
                picture.png,
                alternative_in_words(asked, picture),
                title=title_in_words(asked, picture),
                viewport=WIDE.get(picture.role, (width, 0)),
            )


def _draw_result(game: Mapping[str, Any]) -> None:
    right = sum(correct for _, correct in game["answers"].values())
    with st.container(key="quiz_asked"):
        st.markdown(f"## {words('quiz_done', right=right, count=QUESTIONS)}")
    with st.container(horizontal=True):
        st.button(words("quiz_new"), key="quiz_new", type="primary", on_click=_restart, args=(None,))
        st.button(words("quiz_again"), key="quiz_again", on_click=_restart, args=(game["seed"],))


@heard
def _answer(number: int, place: int, right: bool) -> None:
    acted()
    st.session_state["quiz"]["answers"].setdefault(number, (place, right))


@heard
def _go_on() -> None:
    acted()
    st.session_state["quiz"]["number"] += 1


@heard
def _restart(seed: int | None) -> None:
    acted()
    _begin(secrets.randbelow(NEW_SEEDS) if seed is None else seed)
