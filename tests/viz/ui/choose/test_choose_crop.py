"""The part of the picture that the model is given: from the address, until another picture is chosen."""

import gc
from weakref import ref

import pytest
from streamlit.testing.v1 import AppTest

from tests.viz.ui.conftest import Opened, told
from viz.ui.choose.address import go_to
from viz.ui.visit.jobs import reading
from viz.ui.visit.visit import find_subject


def go(page: AppTest, **names: str) -> None:
    """Go to a subject, as by the browser's history."""
    import streamlit as st

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "session_state", page.session_state)
        go_to({"model": "lenet", "sample": "cat", **names})
    page.run()


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
    (notice,) = told(page)["notices"]
    says = notice["text"]
    assert says.endswith("The whole picture is shown.")
    assert len(says) < 200
    assert notice["document"] == "your-files#why-does-the-model-see-only-a-part-of-it"
    assert "crop" not in told(page)["address"]
    page.selectbox(key="model").select("photonet").run()
    assert told(page)["notices"] == []


def test_the_way_back_leads_to_the_part_that_was_there(opened: Opened) -> None:
    """The browser says the names of the subject that it goes back to, with or without a part."""
    page = opened(crop="10,20,100,90")
    for names in ({"crop": "5,5,50,50"}, {}):
        go(page, **names)
        assert told(page)["address"].get("crop", "") == names.get("crop", "")


def test_of_a_visits_crops_only_the_last_two_are_held_and_undo_makes_one_again(opened: Opened) -> None:
    """The browser asks about the one before until it is told of the next; what is made again is the same."""
    page, crops = opened(crop="0,0,90,90"), ["0,0,90,90", "0,0,80,80", "0,0,70,70"]
    first = told(page)["subject"]
    parts = []
    for crop in crops:
        go(page, crop=crop)
        parts.append(ref(page.session_state["cropped"]))
    gc.collect()
    held = [part() for part in parts]
    assert [part and str(part.crop) for part in held] == [None, *crops[1:]]
    assert find_subject(first) is None
    go(page, crop=crops[0])
    assert told(page)["subject"] == first
    again, whole = find_subject(first), page.session_state["photo"]
    assert again
    assert again.photo.image.tobytes() == whole.image.crop((0, 0, 90, 90)).tobytes()
    go(page)
    assert "cropped" not in page.session_state


def test_a_crop_that_has_no_room_is_said_to_wait_and_comes_once_there_is_some(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole picture is shown; the visit's own crops are the first to go."""
    monkeypatch.setattr(reading, "_living", type(reading._living)())
    page = opened(crop="0,0,90,90")
    monkeypatch.setattr(reading, "most_of_all", lambda: 90 * 90 * 3)
    go(page, crop="0,0,80,80")
    (notice,) = told(page)["notices"]
    assert notice["text"].endswith("so this crop has to wait: try later. The whole picture is shown.")
    assert "crop" not in told(page)["address"]
    go(page, crop="0,0,80,80")
    assert (told(page)["notices"], told(page)["address"]["crop"]) == ([], "0,0,80,80")
