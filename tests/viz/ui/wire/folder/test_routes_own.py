"""Tables of labels for a visitor's own pictures: their classes in the lens, what is refused, and what ends.

Pictures without labels are brought in ``test_routes_folder``, a ZIP file in ``tests/browser/test_lens.py``.
"""

from collections import Counter
from itertools import product

import pytest
from starlette.testclient import TestClient

from tests.browser.pictures import photo as noise
from tests.browser.pictures import png
from tests.viz.ui.wire.folder.test_routes_folder import ask, looked_through
from tests.viz.ui.wire.folder.test_routes_lens import complete
from viz.pictures.photo import Photo
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.folder.routes_own import MOST_TABLE

PATHS = ("cats/1.png", "cats/2.png", "dogs/1.png", "dogs/3.png", "5.png")
TABLE = "picture,label\ncats/1.png,tame\n./dogs/1.png,wild\n3.png,wild\n5.png,tame\ngone.png,tame\n"


def bring(client: TestClient, subject: SubjectEntry) -> None:
    """Take the pictures in, and look through them."""
    for seed, path in enumerate(PATHS):
        ask(client, subject, f"pictures.add?file=all/{path}", content=png(noise(seed)))
    looked_through(client, subject, "own")


def label(client: TestClient, subject: SubjectEntry, table: bytes) -> tuple[int, str]:
    """Return the number of pictures that got a class, and what is wrong."""
    answer = client.post(f"/maps/{subject.token}/pictures.label?file=labels.csv", content=table).json()
    return answer.get("count", 0), answer.get("error", "")


def classes(client: TestClient, subject: SubjectEntry) -> dict[str, int]:
    """The classes that the lens compares, with their pictures."""
    told = complete(client, subject, "own")
    return {each["name"]: each["pictures"] for each in told["classes"]}


def test_a_table_says_the_classes_of_own_pictures(client: TestClient, subject: SubjectEntry) -> None:
    """By their paths, whole or not; before it came, and once they are forgotten, it is their folders."""
    bring(client, subject)
    assert classes(client, subject) == Counter(path.split("/")[-2] for path in map("all/{}".format, PATHS))
    assert label(client, subject, TABLE.encode("utf-8-sig")) == (4, "")
    assert classes(client, subject) == {"tame": 2, "wild": 2}
    assert complete(client, subject, "own")["unlabelled"] == 1
    assert ask(client, subject, "lens-layer.json?source=own&layer=conv1")["classes"]
    assert label(client, subject, b"label,picture\nother,5.png\n") == (1, "")
    assert classes(client, subject) == {"tame": 1, "wild": 2, "other": 1}
    ask(client, subject, "pictures.forget", content=b"-")
    bring(client, subject)
    assert set(classes(client, subject)) == {"cats", "dogs", "all"}


def test_another_visit_with_the_same_pictures_keeps_its_own_classes(
    client: TestClient, subject: SubjectEntry, photo: Photo
) -> None:
    """Neither sees the other's table, in whatever order they ask."""
    other_visit = Visit("another session")
    other = other_visit.subject(photo, "lenet", "pretrained", subject.rows)
    for each in (subject, other):
        bring(client, each)
    before = classes(client, other)
    label(client, subject, TABLE.encode())
    assert classes(client, subject) == {"tame": 2, "wild": 2}
    assert classes(client, other) == before == {"cats": 2, "dogs": 2, "all": 1}
    other_visit.end()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (b"picture,class\n5.png,a\n", "labels.csv has no column label: its first line is picture,label"),
        (b"", "labels.csv has no column picture or label"),
        (b"\x89PNG\xff\xfe", "cannot read labels.csv as a table of labels: it is not text in UTF-8"),
        (b"picture,label\n" + bytes(MOST_TABLE), "labels.csv is too large for a table of labels"),
        (b"picture,label\n5.png,a\n5.png,b\n", "labels.csv gives 5.png two labels, a and b"),
        (b"picture,label\nno.png,a\n", "none of one label in labels.csv is of a picture of yours"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_and_changes_nothing(
    client: TestClient, visit: Visit, subject: SubjectEntry, table: bytes, said: str
) -> None:
    """One sentence, in each language; the pictures stay, and so do the classes that they have."""
    for file, seed in product(("5.png",), range(2)):
        ask(client, subject, f"pictures.add?file={seed}{file}", content=png(noise(seed)))
    label(client, subject, b"picture,label\n05.png,kept\n")
    answer = client.post(f"/maps/{subject.token}/pictures.label?file=labels.csv", content=table)
    found = answer.json()
    assert (answer.status_code, found["error"][: len(said)]) == (422, said)
    assert found["said"]["zh"]["error"] != found["error"]
    assert [each.label for each in visit.folder.files.values()] == ["kept", ""]
