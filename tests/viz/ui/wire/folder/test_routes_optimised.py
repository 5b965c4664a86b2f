"""The address of optimised pictures: asked again until they are finished, or refused in a sentence."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient

from viz.ui.folders import opened
from viz.ui.visit.visit import SubjectEntry
from viz.ui.wire.folder.routes_optimised import LONGEST

ASKED = "optimised.json?layer=conv1&channel=2&length=3"


def told(client: TestClient, subject: SubjectEntry, address: str) -> dict:
    """The answer to the last question, after as many as it took."""
    while True:
        found = client.get(f"/maps/{subject.token}/{address}")
        facts = found.json()
        if found.status_code != 200 or facts["done"] == facts["total"]:
            return facts | {"status": found.status_code}


def test_pictures_come_with_what_they_do(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As large as the net's input; without a folder there is nothing to compare them with."""
    monkeypatch.setattr(opened, "_of_server", {})  # passes of other tests last as long as their process
    monkeypatch.setattr(opened, "kept_in", lambda: tmp_path)
    facts = told(client, subject, f"{ASKED}&count=2")
    assert (facts["status"], facts["done"], len(facts["pictures"]), len(facts["values"])) == (200, 3, 2, 2)
    size = Image.open(io.BytesIO(base64.b64decode(facts["pictures"][0]))).size
    assert min(size) == facts["side"]
    assert (facts["compared"], facts["beaten"], facts["likeness"]) == (0, 0, None)


def test_the_visitors_picture_can_be_the_beginning(client: TestClient, subject: SubjectEntry) -> None:
    """It is one picture then, and another one than from nothing."""
    near, free = (told(client, subject, f"{ASKED}{more}") for more in ("&own=1&count=3", ""))
    assert len(near["pictures"]) == 1
    assert near["pictures"] != free["pictures"]


def test_a_cell_and_a_direction_have_pictures_of_their_own(client: TestClient, subject: SubjectEntry) -> None:
    """Three wishes; the cell's own value is at most that of the channel's strongest cell."""
    whole, cell, apart = (told(client, subject, f"{ASKED}{more}") for more in ("", "&y=9&x=14", "&minus=4"))
    assert len({facts["pictures"][0] for facts in (whole, cell, apart)}) == 3
    assert cell["values"][0] <= cell["peaks"][0]
    assert apart["status"] == 200


@pytest.mark.parametrize(
    "more",
    [
        f"&length={LONGEST + 1}",
        "&count=5",
        "&way=pixels",
        "&y=999&x=0",
        "&minus=99",
        "&length=0",
        "&random=-1",
    ],
)
def test_what_cannot_be_is_refused(client: TestClient, subject: SubjectEntry, more: str) -> None:
    """In one sentence: links and browsers may say anything."""
    facts = told(
        client, subject, ASKED + more if "length" not in more else f"optimised.json?layer=conv1{more}"
    )
    assert facts["status"] == 422
    assert facts["error"]
