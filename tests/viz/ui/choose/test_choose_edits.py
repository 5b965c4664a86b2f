"""Edits between the address, the session and the routes, without a browser."""

import numpy as np
import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.viz.ui.conftest import Opened
from viz.passes.donors import donor_photo
from viz.request.edit_request import edits_from, edits_text
from viz.ui.choose.choose_edits import stacked
from viz.ui.visit.visit import SubjectEntry, Visit

EDIT = "conv1:zero:1;relu1@1:scale:0-2:0.5"


def calm(page: AppTest) -> bool:
    """Whether the page shows no notice."""
    return not (page.exception or page.error or page.warning)


def values(client: TestClient, subject: SubjectEntry, query: str = "") -> np.ndarray:
    """Channel 1 of LeNet's first layer as the browser gets it."""
    answer = client.get(f"/maps/{subject.token}/values?layer=conv1&channel=1{query}")
    return np.frombuffer(answer.content, "<f4")


def test_the_address_keeps_its_edits(opened: Opened) -> None:
    """It always writes them in the same way."""
    page = opened(edit="conv1:zero:5,1-3 ;fc1:mean:2")
    assert calm(page)
    assert page.query_params["edit"] == "conv1:zero:1-3,5;fc1:mean:2"


@pytest.mark.parametrize(("edit", "sentences"), [("", 1), ("conv1:zero:9", 1), ("conv1:zero:1", 0)])
def test_the_difference_that_no_edit_makes_is_not_promised(opened: Opened, edit: str, sentences: int) -> None:
    """One sentence says that there are no edits, or why the address's edit was left out."""
    page = opened(edit=edit, show="difference", model="lenet")
    said = [str(notice.value) for notice in page.warning]
    assert len(said) == sentences
    assert not said or ("show=difference" in said[0]) == (not edit)


@pytest.mark.parametrize("view", ["layer", "layers", "gradients", "course"])
def test_an_edit_that_fails_when_the_model_runs_leaves_the_page_whole(opened: Opened, view: str) -> None:
    """The browser says what is wrong in place of the maps; the page goes on, and the link stays the same."""
    page = opened(edit="conv1:inputs.zero:7", view=view)
    assert calm(page)
    assert page.query_params["edit"] == "conv1:inputs.zero:7"


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
def test_edits_that_cannot_be_are_left_out_with_one_sentence(opened: Opened, edit: str, said: str) -> None:
    """The page works without them, and removes them from its address."""
    page = opened(edit=edit)
    assert not page.exception
    assert not page.error
    assert [said in str(notice.value).replace("\\", "") for notice in page.warning] == [True]
    assert "edit" not in page.query_params


def test_another_model_begins_without_edits(opened: Opened) -> None:
    """Its layers are different ones, even if they have the same names."""
    page = opened(edit="conv1:zero:1", weights="random")
    page.selectbox(key="model").select("resnet18").run()
    assert calm(page)
    assert "edit" not in page.query_params


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("a:zero:3;a:zero:17", "a:zero:3,17"),
        ("a:zero:3,17;a:zero:3", "a:zero:17"),
        ("a:zero:3;a:zero:3", ""),
        ("a:zero:3;a@2:zero:3", "a:zero:3;a@2:zero:3"),
        ("a:scale:3:2;a:scale:4:2", "a:scale:3,4:2"),
        ("a:scale:3:2;a:scale:3:2", "a:scale:3:2;a:scale:3:2"),
        ("a:zero:3;b:zero:3;a:zero:3", "b:zero:3"),
    ],
)
def test_what_can_be_said_in_one_is(asked: str, expected: str) -> None:
    """Removing a channel twice puts it back; doubling twice stays two edits."""
    assert edits_text(stacked(edits_from(asked))) == expected


def test_amounts_are_written_with_their_signs(opened: Opened) -> None:
    """A negative amount has a minus sign, but not after ±."""
    page = opened(edit="conv1:scale:1:-2;conv2:clamp:3:-1", view="layers")
    (said,) = [str(caption.value) for caption in page.caption if "conv1" in str(caption.value)]
    assert "× −2" in said
    assert "±1" in said


def test_values_of_a_sample_are_listed_under_its_name(opened: Opened) -> None:
    """In the visitor's language; the address keeps which one it is."""
    for language, title in (("en", "A cup of coffee"), ("zh", "一杯咖啡")):
        page = opened(edit="conv1:swap:2:coffee", view="layers", lang=language)
        assert calm(page)
        assert page.query_params["edit"] == "conv1:swap:2:coffee"
        assert any(title in str(caption.value) for caption in page.caption)


def test_the_routes_put_another_pictures_channel_in_the_place(
    client: TestClient, visit: Visit, subject: SubjectEntry
) -> None:
    """Channel 1 is that of the sample, which a subject of its own shows."""
    donor = visit.subject(donor_photo("coffee"), subject.model, subject.weights, subject.rows)
    found = values(client, subject, "&edit=conv1:swap:1:coffee")
    np.testing.assert_array_equal(found, values(client, donor))
    assert not np.array_equal(found, values(client, subject))


def test_gradients_are_edited_only_where_they_are_shown(client: TestClient, subject: SubjectEntry) -> None:
    """Earlier layers' gradients change, but not with ``show=before``; values stay the same."""
    edits, back = "&edit=conv2:gradient.zero", "&view=gradients&target=3"
    assert values(client, subject, back).any()
    assert not values(client, subject, back + edits).any()
    np.testing.assert_array_equal(
        values(client, subject, back + edits + "&show=before"), values(client, subject, back)
    )
    facts = client.get(f"/maps/{subject.token}/layer.json?layer=conv1&show=difference{back}{edits}").json()
    assert facts["note"].startswith("gradient of class 'cat'")
    np.testing.assert_array_equal(values(client, subject, edits), values(client, subject))


def test_values_are_not_called_edited_where_only_gradients_are(opened: Opened) -> None:
    """The address keeps such an edit in each view, and the overview has no caption about it."""
    for edit, captions in (("conv2:gradient.zero:1", 0), ("conv1:zero:1;conv2:gradient.zero:1", 1)):
        page = opened(edit=edit, view="layers")
        assert calm(page)
        assert page.query_params["edit"] == edit
        assert sum("Edited" in str(caption.value) for caption in page.caption) == captions


def test_the_routes_show_after_before_and_difference(client: TestClient, subject: SubjectEntry) -> None:
    """Edited maps have other addresses; the plain ones stay the same."""
    plain = values(client, subject)
    edited = f"&edit={EDIT}"
    assert plain.any()
    assert not values(client, subject, edited).any()
    np.testing.assert_array_equal(values(client, subject, edited + "&show=before"), plain)
    np.testing.assert_array_equal(values(client, subject, edited + "&show=difference"), -plain)
    np.testing.assert_array_equal(values(client, subject), plain)


def test_an_ablation_is_told_in_parts_until_all_channels_are_done(
    client: TestClient, subject: SubjectEntry
) -> None:
    """The browser continues where the last part ended; removing a removed channel does nothing."""
    found, first, size, total = [], 0, 1, 1
    while first < total:
        query = f"layer=conv1&edit={EDIT}&first={first}&size={size}"
        part = client.get(f"/maps/{subject.token}/ablation.json?{query}").json()
        found += part["changes"]
        first, size, total = part["next"], part["size"], part["total"]
    assert [channel for channel, *_ in found] == list(range(6))
    assert len(part["classes"]) == len(found[0][1]) == len(found[0][2]) == 5
    assert not any(found[1][1])
    assert any(found[0][1])


@pytest.mark.parametrize("query", ["first=6", "first=99999&size=5", "first=-1&size=99999", "first=x&size=x"])
def test_an_ablation_asked_for_in_any_way_is_an_answer_or_a_sentence(
    client: TestClient, subject: SubjectEntry, query: str
) -> None:
    """It never causes an error of the server."""
    answer = client.get(f"/maps/{subject.token}/ablation.json?layer=conv1&{query}")
    assert answer.status_code in (200, 422)
    assert ("changes" in answer.json()) is (answer.status_code == 200)
