"""The views that teach, without a browser: their addresses, what they keep, and the answers behind them."""

from dataclasses import replace

import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.viz.ui.conftest import Opened
from viz.lessons.course import LESSONS
from viz.quiz import QUESTIONS
from viz.ui.locale.words import say
from viz.ui.visit.visit import SubjectEntry, Visit


def calm(page: AppTest) -> bool:
    """Check that the page shows no error and no notice."""
    return not (page.exception or page.error or page.warning)


def headings(page: AppTest) -> list[str]:
    """Every heading on the page."""
    return [text.value.lstrip("# ") for text in page.markdown if text.value.startswith("##")]


def written(page: AppTest) -> str:
    """The HTML that the page itself writes."""
    return "".join(part.proto.body for part in page.get("html"))


@pytest.mark.parametrize("number", range(len(LESSONS)))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_lesson_opens_in_both_languages(opened: Opened, number: int, language: str) -> None:
    """Its title and the headings of its parts; nothing is computed before it is asked for."""
    page = opened(view="course", lesson=str(number), lang=language)
    assert calm(page)
    names = [f"course_title_{number}", *(f"course_part_{part.name}" for part in LESSONS[number].parts)]
    assert headings(page) == [say(language, name) for name in names]
    assert page.query_params.get("lesson", "0") == str(number)


def test_a_lesson_runs_when_the_visitor_asks(opened: Opened) -> None:
    """The documents' numbers at first, and others for another parameter."""
    page = opened(view="course", lesson="4")
    assert "<table" not in written(page)
    page.button(key="course_run").click().run()
    assert "<td>39, 21, 3</td><td>39, 21, 3</td>" in written(page)
    assert calm(page)
    page.selectbox(key="course_4_adds").select(9).run()
    assert not page.button(key="course_run").disabled
    page.button(key="course_run").click().run()
    assert "<td>130, 70, 10</td><td>130, 70, 10</td>" in written(page)
    assert calm(page)


def test_the_way_back_from_the_course_keeps_every_choice(opened: Opened) -> None:
    """Layer, colours, scale and order are as before, although their boxes were not on screen."""
    page = opened(layer="conv2", colormap="magma", scale="channel", order="mean")
    for view in ("course", "quiz", "hooks", "layer"):
        page.session_state["view"] = view
        page.run()
        assert calm(page), view
    assert (page.selectbox(key="layer").value, page.selectbox(key="colormap").value) == ("conv2", "magma")
    assert (page.selectbox(key="scale").value, page.selectbox(key="order").value) == ("channel", "mean")
    for name in ("lesson", "seed"):
        assert name not in page.query_params


def test_the_course_leads_to_the_hooks_of_the_chosen_model(opened: Opened) -> None:
    """We press the button at its end."""
    page = opened(view="course", layer="conv2")
    page.button(key="course_see").click().run()
    assert calm(page)
    assert page.query_params["view"] == "hooks"
    assert page.selectbox(key="layer").value == "conv2"


def test_a_lesson_that_does_not_exist_gets_one_sentence(opened: Opened) -> None:
    """The first lesson is shown."""
    page = opened(view="course", lesson="9")
    (warning,) = page.warning
    assert "lesson=9" in str(warning.value)
    assert headings(page)[0] == say("en", "course_title_0")


def test_a_quiz_is_played_to_its_end(opened: Opened) -> None:
    """An answer is explained and cannot be given twice; the score counts; another quiz has another number."""
    page = opened(view="quiz", seed="77")
    for number in range(QUESTIONS):
        assert calm(page)
        page.button(key=f"quiz_{number}_0").click().run()
        assert [button.key for button in page.button if str(button.key).startswith(f"quiz_{number}")] == []
        page.button(key="quiz_next").click().run()
    answers = page.session_state["quiz"]["answers"]
    assert sorted(answers) == list(range(QUESTIONS))
    right = sum(correct for _, correct in answers.values())
    assert headings(page) == [say("en", "quiz_done", right=right, count=QUESTIONS)]
    page.button(key="quiz_again").click().run()
    assert (page.session_state["quiz"]["seed"], page.session_state["quiz"]["answers"]) == (77, {})


def test_the_address_names_the_quiz(opened: Opened) -> None:
    """Two visitors with one number get the same first question; without one, a number is chosen and said."""
    first, second = opened(view="quiz", seed="4711"), opened(view="quiz", seed="4711", lang="zh")
    shown = [[button.label for button in page.button] for page in (first, second)]
    assert shown[0] == shown[1]
    assert first.query_params["seed"] == "4711"
    anyhow = opened(view="quiz")
    assert calm(anyhow)
    assert "seed" in anyhow.query_params


@pytest.mark.parametrize("seed", ["-1", "1e3", "9999999", "\N{SUPERSCRIPT TWO}", "<b>"])
def test_a_number_that_no_quiz_has_gets_one_sentence(opened: Opened, seed: str) -> None:
    """The sentence says which numbers there are, and which quiz is shown instead."""
    page = opened(view="quiz", seed=seed)
    (warning,) = page.warning
    shown = page.query_params["seed"]
    assert "seed=" in str(warning.value)
    assert "from 0 to 999999" in str(warning.value)
    assert f"Showing quiz {shown}" in str(warning.value)
    assert not page.exception
    assert shown != seed


def test_the_address_keeps_the_step_of_the_timeline(opened: Opened) -> None:
    """It does so only for the step's layer, and only in that view."""
    page = opened(view="hooks", layer="conv2", step="12")
    assert not page.exception
    assert not page.warning
    assert page.query_params["step"] == "12"
    page.selectbox(key="layer").select("conv1").run()
    assert "step" not in page.query_params
    assert "step" not in opened(view="layer", layer="conv2", step="12").query_params


@pytest.mark.parametrize("step", ["0", "-3", "x", "9999999"])
def test_a_step_that_cannot_be_is_left_out_with_one_sentence(opened: Opened, step: str) -> None:
    """The timeline begins as usual."""
    page = opened(view="hooks", layer="conv2", step=step)
    (warning,) = page.warning
    assert "step=" in str(warning.value)
    assert not page.exception
    assert "step" not in page.query_params


def test_hooks_of_a_model_without_classes_go_one_way(opened: Opened) -> None:
    """No warning, and no class to choose."""
    page = opened(model="fcn_resnet50", weights="random", view="hooks")
    assert not page.exception
    assert [box.key for box in page.selectbox if box.key == "target"] == []


def test_the_timeline_is_answered_with_and_without_the_way_back(
    client: TestClient, subject: SubjectEntry
) -> None:
    """Two hooks a layer on the way there, five in all with a class; shapes are those of the layers."""
    there = client.get(f"/maps/{subject.token}/timeline.json?layer=conv2").json()
    assert {event["kind"] for event in there["events"]} == {"pre-hook", "forward hook"}
    both = client.get(f"/maps/{subject.token}/timeline.json?layer=conv2&back=1&target=3").json()
    assert (there["total"], both["total"]) == (2 * 12, 5 * 12)
    event = next(e for e in both["events"] if e["layer"] == "conv2" and e["kind"] == "full backward hook")
    assert (event["input_gradients"], event["output_gradients"]) == ([[1, 6, 14, 14]], [[1, 16, 10, 10]])


def test_memory_is_answered_for_a_layer(client: TestClient, subject: SubjectEntry) -> None:
    """LeNet's layers only write to their own memory; a call that does not exist gets a sentence."""
    found = client.get(f"/maps/{subject.token}/memory.json?layer=conv2").json()
    assert (found["layer"], found["shape"], found["writes"]) == ("conv2", [1, 16, 10, 10], 0)
    assert [kept["shares"] for kept in found["kept"]] == [True, True, True, False]
    missing = client.get(f"/maps/{subject.token}/memory.json?layer=conv2&call=8")
    assert missing.status_code == 422
    assert "no call 7" in missing.json()["error"]


def test_their_addresses_die_with_the_visit(client: TestClient, visit: Visit, subject: SubjectEntry) -> None:
    """The same holds for every address of a visitor's picture."""
    visit.end()
    for form in ("timeline", "memory"):
        assert client.get(f"/maps/{subject.token}/{form}.json?layer=conv2").status_code == 410


def test_a_part_that_the_server_cannot_bear_says_so_and_the_others_go_on(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence in its place; the numbers of the other parts and the hints stand below."""
    large = replace(LESSONS[4].parts[2], cost=10**15)
    monkeypatch.setitem(vars(LESSONS[4]), "parts", (*LESSONS[4].parts[:2], large, LESSONS[4].parts[3]))
    page = opened(view="course", lesson="4")
    page.selectbox(key="course_4_a").select(1).run()
    page.button(key="course_run").click().run()
    (warning,) = page.warning
    assert "this part of the lesson would take about" in str(warning.value)
    assert not page.error
    assert written(page).count("<table") == 4  # three parts, and the visitor's own layer
