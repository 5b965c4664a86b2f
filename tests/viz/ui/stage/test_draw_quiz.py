"""The quiz on the page, without a browser: every kind of question in both languages, asked and explained."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.viz.ui.conftest import Opened
from viz.quiz import CHOICES, KINDS, QUESTIONS
from viz.ui.locale.words import WORDS, say

# What each kind can ask and explain; the tests of the kinds check that they do.
ASKED = {
    "layer": ("layer", "layer_tokens", "layer_attention", "layer_signals"),
    "shape": ("shape",),
    "channel": ("channel",),
    "edit": ("edit",),
    "fires": ("fires",),
    "sees": tuple(
        f"sees_{hook}"
        for hook in ("pre_hook", "forward_hook", "full_backward_pre_hook", "full_backward_hook")
    ),
    "fate": ("fate_same", "fate_zero"),
    "gate": ("gate",),
}


def texts(page: AppTest) -> list[str]:
    """All text on the page, with its own HTML, but without style sheets."""
    parts = [part.proto.body for part in page.get("html") if "<style>" not in part.proto.body]
    return [text.value for text in page.markdown] + parts


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("seed", ["7", "4711"])
def test_every_question_of_a_quiz_is_asked_and_explained(opened: Opened, seed: str, language: str) -> None:
    """Each has four different answers; no value is missing, and nothing fails."""
    page = opened(view="quiz", seed=seed, lang=language)
    kinds = []
    for number in range(QUESTIONS):
        asked = page.session_state["quiz_question"][2]
        kinds.append(asked.kind)
        labels = [button.label for button in page.button if str(button.key).startswith(f"quiz_{number}_")]
        assert len(set(labels)) == CHOICES
        before = texts(page)
        page.button(key=f"quiz_{number}_{asked.right}").click().run()
        after = texts(page)
        assert [*page.exception, *page.error, *page.warning] == []
        verdict = say(language, "quiz_right")
        assert any(verdict in text for text in after)
        assert not [text for text in before + after if re.search(r"\{\w+\}", text)]
        if language == "zh":  # its own marks between names and shapes
            assert not [text for text in after if verdict in text and ("; " in text or ": " in text)]
        page.button(key="quiz_next").click().run()
    assert sorted(kinds) == sorted(KINDS)
    answers = page.session_state["quiz"]["answers"]
    assert [right for _, (_, right) in sorted(answers.items())] == [True] * QUESTIONS


def test_every_kind_has_its_sentences() -> None:
    """Whatever a kind asks, there is a sentence for it, and none is left over."""
    assert set(ASKED) == set(KINDS)
    asks = {f"quiz_ask_{ask}" for several in ASKED.values() for ask in several}
    assert {key for key in WORDS if key.startswith("quiz_ask_")} == asks


def test_edits_and_hooks_are_named_in_both_languages() -> None:
    """The page does not show the codes from the question's data."""
    assert say("en", "quiz_edit_clamp", amount="0.5") == "cut them off at ±0.5"
    assert "0.5" in say("zh", "quiz_edit_clamp", amount="0.5")
    assert (
        say("zh", "quiz_hook_of", hook=say("zh", "quiz_hook_pre_hook"), layer="conv1") == "conv1 的前置钩子"
    )
