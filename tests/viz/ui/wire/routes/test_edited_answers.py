"""Answers about edited layers: after, before and between, another picture's values, ablations."""

import numpy as np
import pytest
from starlette.testclient import TestClient

from viz.pictures.own_donors import donor_photo
from viz.ui.visit.visit import SubjectEntry, Visit

EDIT = "conv1:zero:1;relu1@1:scale:0-2:0.5"


def values(client: TestClient, subject: SubjectEntry, query: str = "") -> np.ndarray:
    """Channel 1 of LeNet's first layer as the browser gets it."""
    answer = client.get(f"/maps/{subject.token}/values?layer=conv1&channel=1{query}")
    return np.frombuffer(answer.content, "<f4")


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
    channels, logits, first, size, total = [], [], 0, 1, 1
    while first < total:
        query = f"layer=conv1&edit={EDIT}&first={first}&size={size}"
        part = client.get(f"/maps/{subject.token}/ablation.json?{query}").json()
        channels += part["changes"]["channel"]
        logits += part["changes"]["logits"]
        first, size, total = part["next"], part["size"], part["total"]
    assert channels == list(range(6))
    assert len(part["classes"]) == len(logits[0]) == len(part["changes"]["probabilities"][0]) == 5
    assert not any(logits[1])
    assert any(logits[0])


@pytest.mark.parametrize("query", ["first=6", "first=99999&size=5", "first=-1&size=99999", "first=x&size=x"])
def test_an_ablation_asked_for_in_any_way_is_an_answer_or_a_sentence(
    client: TestClient, subject: SubjectEntry, query: str
) -> None:
    """It never causes an error of the server."""
    answer = client.get(f"/maps/{subject.token}/ablation.json?layer=conv1&{query}")
    assert answer.status_code in (200, 422)
    assert ("changes" in answer.json()) is (answer.status_code == 200)


def test_edits_are_said_in_the_visitors_language(client: TestClient, subject: SubjectEntry) -> None:
    """One sentence for each, in their order; those of gradients change nothing else."""
    query = "edit=conv1:zero:1;conv2:gradient.zero:0"
    english, chinese = (
        client.get(f"/maps/{subject.token}/edits.json?{query}&lang={language}").json()["edits"]
        for language in ("en", "zh")
    )
    assert [edit["backward"] for edit in english] == [False, True]
    assert "removed" in english[0]["label"]
    assert english[0]["label"] != chinese[0]["label"]
    refused = client.get(f"/maps/{subject.token}/edits.json?edit=conv9:zero:1")
    assert (refused.status_code, refused.json()["of_edit"]) == (422, True)


def test_classes_come_with_the_most_probable_one(client: TestClient, subject: SubjectEntry) -> None:
    """In the order in which they are counted."""
    found = client.get(f"/maps/{subject.token}/classes.json").json()
    assert found["classes"][3] == "cat"
    assert found["best"] in found["classes"]


def test_a_link_is_answered_with_what_of_it_can_be(client: TestClient, subject: SubjectEntry) -> None:
    """Also one that no other question could read."""
    found = client.get(f"/maps/{subject.token}/look.json?layer=conv2&call=x&view=hooks").json()
    assert found["look"] == "view=hooks&layer=conv2"
    assert len(found["notices"]) == 1
