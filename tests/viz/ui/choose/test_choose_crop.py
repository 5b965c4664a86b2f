"""The part of the picture that the model is given: from the address, until another picture is chosen."""

import pytest

from tests.viz.ui.conftest import Opened, told
from viz.ui.choose.address import go_to


def test_the_part_in_an_address_is_what_the_model_is_given(opened: Opened) -> None:
    """The browser is told the same part, for its address and for its frame."""
    facts = told(page := opened(crop="10,20,100,90"))
    assert facts["notices"] == []
    assert facts["address"]["crop"] == facts["frame"]["crop"] == "10,20,100,90"
    whole, part = page.session_state["photo"], page.session_state["cropped"]
    assert part.original is whole
    assert part.image.tobytes() == whole.image.crop((10, 20, 110, 110)).tobytes()


def test_another_picture_is_shown_whole(opened: Opened) -> None:
    """The part of the one before means nothing there; another model keeps it."""
    page = opened(crop="10,20,100,90")
    page.selectbox(key="model").select("photonet").run()
    assert told(page)["address"]["crop"] == "10,20,100,90"
    page.selectbox(key="sample").select("coffee").run()
    assert "crop" not in told(page)["address"]


def test_a_model_of_signals_is_given_all_of_the_picture(opened: Opened) -> None:
    """It has no frame to show a part with; the next model has the part again."""
    page = opened(crop="10,20,100,90")
    page.selectbox(key="model").select("signalnet").run()
    assert "crop" not in told(page)["address"]
    assert told(page)["frame"] is None
    page.selectbox(key="model").select("lenet").run()
    assert told(page)["address"]["crop"] == "10,20,100,90"


@pytest.mark.parametrize("crop", ["all", "1,2,3", "0,0,9999,10", "0,0,200,1", "9" * 5000])
def test_what_is_no_part_gets_one_sentence_once(opened: Opened, crop: str) -> None:
    """The whole picture is shown."""
    page = opened(crop=crop)
    (says,) = told(page)["notices"]
    assert says.endswith("The whole picture is shown.")
    assert len(says) < 200
    assert "crop" not in told(page)["address"]
    page.selectbox(key="model").select("photonet").run()
    assert told(page)["notices"] == []


def test_the_way_back_leads_to_the_part_that_was_there(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser says the names of the subject that it goes back to, with or without a part."""
    import streamlit as st

    page = opened(crop="10,20,100,90")
    for names in ({"crop": "5,5,50,50"}, {}):
        monkeypatch.setattr(st, "session_state", page.session_state)
        go_to({"model": "lenet", "sample": "cat", **names})
        monkeypatch.undo()
        page.run()
        assert told(page)["address"].get("crop", "") == names.get("crop", "")
