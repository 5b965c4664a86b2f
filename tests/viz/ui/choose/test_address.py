"""The subject in the page's address: read on arrival and on the way back, never able to break the page."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.machine import patience
from tests.viz.ui.conftest import APP, Opened, told
from viz.errors import RequestError
from viz.ui.choose.address import go_to

EXACT = {"model": "lenet", "weights": "random", "sample": "coffee", "lang": "zh"}
IN_VAIN = [("weights", "good"), ("sample", "dog"), ("lang", "klingon"), ("model", "lenett")]


def _says(page: AppTest) -> list[str]:
    assert not page.exception
    assert not page.error
    assert not page.warning
    return [notice["text"] for notice in told(page)["notices"]]


def test_an_exact_address_is_restored_and_said_to_the_browser(opened: Opened) -> None:
    """Every part of it is in the widgets, and in what the browser writes into the address."""
    page = opened(**EXACT)
    assert _says(page) == []
    assert told(page)["address"] == EXACT
    assert page.selectbox(key="model").value == "lenet"


def test_defaults_are_left_out_of_the_address(opened: Opened) -> None:
    """The browser's own language needs no parameter."""
    assert set(told(opened(lang="en"))["address"]) == {"model", "weights", "sample"}


def test_the_script_never_writes_the_address(opened: Opened) -> None:
    """It would replace what the browser has written there."""
    asked = {"model": "lenet", "layer": "conv2", "view": "hooks", "unknown": "1"}
    page = opened(**asked)
    page.selectbox(key="sample").select("coffee").run()
    assert page.query_params == asked


@pytest.mark.parametrize(("name", "value"), IN_VAIN)
def test_what_does_not_exist_gets_one_sentence(opened: Opened, name: str, value: str) -> None:
    """The sentence repeats the request, once; the browser is told what is shown instead."""
    page = opened(**{name: value})
    (says,) = _says(page)
    assert value in says
    assert told(page)["notices"][0]["document"] == "address#the-subject"
    assert told(page)["address"].get(name) != value
    page.selectbox(key="sample").select("coffee").run()
    assert _says(page) == []


def test_a_long_value_is_cut_and_controls_are_left_out(opened: Opened) -> None:
    """So it cannot fill the screen or reverse the text's direction."""
    (says,) = _says(opened(sample="\N{RIGHT-TO-LEFT OVERRIDE}" + "x" * 10_000))
    assert len(says) < 300
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in says


def test_an_unknown_model_on_the_way_keeps_the_one_on_screen(opened: Opened) -> None:
    """A bad address changes nothing, but adds a sentence with a hint."""
    page = opened()
    page.session_state["asked_subject"] = {"model": "lenett"}
    page.run()
    (says,) = _says(page)
    assert "did you mean lenet" in says
    assert page.selectbox(key="model").value == "lenet"


def test_going_back_restores_what_the_address_leaves_out(opened: Opened) -> None:
    """The stage's word of a former address wins over the widgets; no weights means trained ones."""
    page = opened(weights="random", sample="coffee")
    page.session_state["asked_subject"] = {"model": "photonet"}
    page.run()
    assert _says(page) == []
    assert told(page)["address"] == {"model": "photonet", "weights": "pretrained", "sample": "cat"}


def test_a_choice_wins_over_the_address_of_the_arrival(opened: Opened) -> None:
    """Streamlit goes on showing it; it must not undo the choice before."""
    page = opened(sample="cat")
    page.selectbox(key="sample").select("coffee").run()
    page.selectbox(key="model").select("photonet").run()
    assert (told(page)["address"]["sample"], told(page)["model"]) == ("coffee", "photonet")


@pytest.mark.parametrize(
    "said",
    ["model", ["lenet"], {"model": 3}, {"sample": None}, "\ud800", {"model": "\ud800"}, {"\ud800": ""}],
)
def test_a_way_back_to_no_subject_is_passed_over(
    said: object, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A browser may send anything; nothing but a subject's names is taken from it."""
    state: dict[str, object] = {}
    monkeypatch.setattr("streamlit.session_state", state)
    go_to(said)
    assert state == {}
    assert "went back to no subject" in caplog.text
    go_to({"model": "photonet", "lang": "zh", "layer": "conv1", "unknown": 1})
    assert state == {"asked_subject": {"model": "photonet", "lang": "zh"}}


def test_a_choice_wins_over_the_address_that_the_browser_has_written(opened: Opened) -> None:
    """If that of the arrival was bare, Streamlit shows what the browser has written since."""
    page = opened()
    page.query_params.update({"model": "lenet", "weights": "pretrained", "sample": "cat"})
    page.selectbox(key="sample").select("coffee").run()
    assert told(page)["address"]["sample"] == "coffee"


def test_a_run_that_ended_half_way_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer run may end it as it waits for the engine: the next one reads the address again."""
    page = AppTest.from_file(APP, default_timeout=patience(60))
    page.query_params.update({"model": "lenet", "sample": "coffee"})

    def ends(*_: object) -> str:
        raise RequestError("not now.")

    monkeypatch.setattr("viz.ui.choose.address._restore_choice", ends)
    page.run()
    assert page.error
    monkeypatch.undo()
    page.run()
    assert not page.error
    assert page.session_state["source"] == "sample"
    assert page.session_state["sample"] == "coffee"
