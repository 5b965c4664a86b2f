"""The page's address: read once, kept up to date, and never able to break the page."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.viz.ui.conftest import Opened

EXACT = {"weights": "random", "layer": "conv2", "channel": "3", "colormap": "hot", "scale": "channel"}
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
    ("present", "yes"),
    ("weights", "good"),
    ("colormap", "jett"),
    ("scale", ""),
    ("order", "\N{PILE OF POO}"),
    ("sample", "dog"),
    ("view", "<b>"),
    ("lang", "klingon"),
]


def _says(page: AppTest) -> list[str]:
    assert not page.exception
    assert not page.error
    return [str(notice.value) for notice in page.warning]


def test_an_exact_address_is_restored_and_kept(opened: Opened) -> None:
    """Every part of it is in the widgets and in the address after the run."""
    page = opened(**EXACT, sample="coffee", order="mean", lang="zh")
    assert _says(page) == []
    assert page.query_params == {"model": "lenet", **EXACT, "sample": "coffee", "order": "mean", "lang": "zh"}
    assert page.selectbox(key="layer").value == "conv2"
    assert page.session_state["channel"] == 3


def test_defaults_are_left_out_of_the_address(opened: Opened) -> None:
    """A plain view has a short address: only model, layer, and what differs from the first screen."""
    page = opened(colormap="auto", scale="layer", order="index", lang="en", view="layer")
    assert set(page.query_params) == {"model", "weights", "layer", "sample"}


@pytest.mark.parametrize(("name", "value"), IN_VAIN)
def test_what_does_not_exist_gets_one_sentence(opened: Opened, name: str, value: str) -> None:
    """The sentence repeats the request; the address no longer asks for it."""
    page = opened(**{name: value})
    (says,) = _says(page)
    assert name in says
    assert page.query_params.get(name) != value
    page.selectbox(key="layer").select("conv2").run()
    assert _says(page) == []


@pytest.mark.parametrize("layer", [{}, {"with_layer": "conv1"}])
def test_a_call_that_the_other_side_of_a_comparison_lacks_gets_one_sentence(
    opened: Opened, layer: dict[str, str]
) -> None:
    """Whether or not that side follows the first one; its first call always exists."""
    (says,) = _says(opened(view="compare", with_call="9", **layer))
    assert "call=9" in says
    assert _says(opened(view="compare", with_call="1", **layer)) == []


def test_a_long_value_is_cut_and_controls_are_left_out(opened: Opened) -> None:
    """So it cannot fill the screen or reverse the text's direction."""
    (says,) = _says(opened(sample="\N{RIGHT-TO-LEFT OVERRIDE}" + "x" * 10_000))
    assert len(says) < 300
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in says


def test_an_unknown_model_on_the_way_keeps_the_one_on_screen(opened: Opened) -> None:
    """A bad address changes nothing, but adds a sentence with a hint."""
    page = opened(layer="conv2")
    page.query_params["model"] = "lenett"
    page.run()
    (says,) = _says(page)
    assert "did you mean lenet" in says
    assert page.selectbox(key="model").value == "lenet"


def test_going_back_restores_what_the_address_leaves_out(opened: Opened) -> None:
    """An address without a colormap means the first one, not the one on screen."""
    page = opened(layer="conv1")
    before = dict(page.query_params)
    page.selectbox(key="colormap").select("magma").run()
    page.selectbox(key="layer").select("conv2").run()
    page.query_params.clear()
    page.query_params.update(before)
    page.run()
    assert page.selectbox(key="colormap").value == "auto"
    assert page.selectbox(key="layer").value == "conv1"


def test_a_choice_wins_over_an_address_that_is_older(opened: Opened) -> None:
    """The browser sends a choice with its older address, which must not undo the choice before."""
    page = opened(layer="conv1")
    older = dict(page.query_params)
    page.selectbox(key="layer").select("conv2").run()
    page.query_params.clear()
    page.query_params.update(older)
    page.selectbox(key="colormap").select("hot").run()
    assert page.selectbox(key="layer").value == "conv2"
    assert (page.query_params["layer"], page.query_params["colormap"]) == ("conv2", "hot")
