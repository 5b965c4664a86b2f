"""Tables of labels for a visitor's own pictures: their classes in the lens, what is refused, and what ends.

Pictures without labels are brought in ``test_routes_folder``, a ZIP file in ``tests/browser/test_lens.py``.
"""

import asyncio
import gc
import threading
import time
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.browser.pictures import photo as noise
from tests.browser.pictures import png
from tests.machine import patience
from tests.models.uploads import saved, state
from tests.viz.ui.wire.folder.test_routes_folder import ask, looked_through
from tests.viz.ui.wire.folder.test_routes_lens import complete
from viz.pictures.photo import Photo
from viz.ui.classroom.lent import StudentAccess
from viz.ui.folders import sources
from viz.ui.folders.passes import Pass
from viz.ui.visit.own_pictures import OwnPictures
from viz.ui.visit.own_weights import own_weights
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.answers import PageQuery
from viz.ui.wire.folder import routes_against, routes_lens
from viz.ui.wire.folder.found_once import Finding
from viz.ui.wire.folder.routes_own import MOST_TABLE

PATHS = ("cats/1.png", "cats/2.png", "dogs/1.png", "dogs/3.png", "5.png")
TABLE = "picture,label\ncats/1.png,tame\n./dogs/1.png,wild\n3.png,wild\n5.png,tame\ngone.png,tame\n"
KINDS = (Pass, Finding)


@pytest.fixture(autouse=True, scope="module")
def _only_what_comes_now() -> None:
    """Let ``held`` walk what these tests make, and not the millions of objects that others left."""
    gc.collect()
    gc.freeze()


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


def held() -> list[Pass | Finding[Any]]:
    """All passes over own pictures in memory, and all findings."""
    gc.collect()
    found = [each for each in gc.get_objects() if issubclass(type(each), KINDS)]
    return [each for each in found if isinstance(each, Finding) or each.source.kind == sources.OWN]


def until(happened: Any) -> None:
    """Wait until it has."""
    end = time.monotonic() + patience(30)
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("way", ["its end", "the end of its session", "pictures.forget"])
def test_what_is_found_in_a_visits_pictures_ends_with_it(
    client: TestClient, subject: SubjectEntry, photo: Photo, way: str
) -> None:
    """Passes, their files, and results with the labels in them; those of another visit stay."""
    routes_lens._findings.clear()
    routes_against._findings.clear()
    bring(client, subject)
    classes(client, subject)
    others = [id(each) for each in held()]
    visit: Visit | None = Visit("that ends")
    assert visit
    entry = visit.subject(photo, "lenet", "pretrained", subject.rows)
    bring(client, entry)
    label(client, entry, TABLE.encode())
    other = visit.subject(photo, "photonet", "pretrained", subject.rows)
    looked_through(client, other, "own")
    ((_, name),) = ((each["title"], each["name"]) for each in complete(client, entry, "own")["others"])
    ask(client, entry, "lens-layer.json?source=own&layer=conv1")
    ask(client, entry, f"lens-against.json?source=own&with={name}")
    mine = [each for each in held() if id(each) not in others]
    assert Counter(type(each) for each in mine) == {Pass: 2, Finding: 3}
    folders = [each.store.folder for each in mine if isinstance(each, Pass)]
    assert all(folder.is_dir() for folder in folders)
    del mine
    if way == "its end":
        visit.end()
    elif way == "pictures.forget":
        ask(client, entry, way, content=b"-")
    else:
        del visit
    assert {id(each) for each in held()} == set(others)
    assert not any(map(Path.exists, folders))
    assert classes(client, subject) == {"cats": 2, "dogs": 2, "all": 1}


def test_a_student_reads_what_to_do_on_the_teachers_subject(
    client: TestClient, visit: Visit, subject: SubjectEntry
) -> None:
    """No visit has ended: what is brought, and what own weights look through, is everybody's own."""
    visit.own = own_weights(saved(state(8)), visit.visitor)
    taught = visit.subject(subject.photo, "lenet", visit.own.id, subject.rows)
    student = StudentAccess("student", OwnPictures())
    entries = [student.subject(each) for each in (subject, taught)]
    for entry in entries:
        for question in ("pictures.add?file=a.png", "pictures.label?file=a.csv", "pictures.forget"):
            answer = client.post(f"/maps/{entry.token}/{question}", content=png(noise(1)))
            assert (answer.status_code, "press “On my own picture”" in answer.json()["error"]) == (422, True)
    (folder,) = ask(client, entries[1], "folders.json")["folders"]
    assert (folder["state"], "press “On my own picture”" in folder["note"]) == ("unfit", True)
    answer = client.get(f"/maps/{entries[1].token}/exemplars.json?source=samples&layer=conv1")
    assert answer.json()["error"] == folder["note"]
    student.end()


def test_what_own_weights_find_in_other_pictures_outlasts_own_ones(
    client: TestClient, visit: Visit, subject: SubjectEntry
) -> None:
    """These passes are the visit's alone, too."""
    visit.own = own_weights(saved(state(7)), visit.visitor)
    entry = visit.subject(subject.photo, "lenet", visit.own.id, subject.rows)
    done = looked_through(client, entry, "samples")
    complete(client, entry, "samples")
    findings = held()
    bring(client, entry)
    complete(client, entry, "own")
    ask(client, entry, "pictures.forget", content=b"-")
    assert ask(client, entry, "folders.json")["folders"] == [done]
    assert done["state"] == "done"
    assert held() == findings
    visit.end()


def test_a_pass_under_way_for_a_visit_ends_with_it(
    client: TestClient, visit: Visit, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its present picture, even if the page comes back; then nothing of it is there."""
    photo, read, go = sources.OwnSource.photo, list[str](), threading.Event()

    def slow(source: sources.OwnSource, name: str, visitor: str) -> Photo:
        read.append(name)
        go.wait(patience(30))
        return photo(source, name, visitor)

    before = {id(each) for each in held()}
    for seed, path in enumerate(PATHS):
        ask(client, subject, f"pictures.add?file=all/{path}", content=png(noise(seed)))
    monkeypatch.setattr(sources.OwnSource, "photo", slow)
    ask(client, subject, "folder.pass?source=own&act=start")
    until(lambda: read)
    visit.end()
    again = visit.subject(subject.photo, "lenet", "pretrained", subject.rows)
    go.set()
    until(lambda: {id(each) for each in held()} == before)
    assert len(read) == 1
    assert [each["source"] for each in ask(client, again, "folders.json")["folders"]] == ["samples"]


def test_the_lens_under_way_for_a_visit_ends_with_it(
    client: TestClient, visit: Visit, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its present piece."""
    before = {id(each) for each in held()}
    bring(client, subject)
    asked, go, apart = list[str](), threading.Event(), PageQuery.apart

    async def slow(query: PageQuery[Any], function: str, *given: Any, **named: Any) -> Any:
        asked.append(function)
        await asyncio.to_thread(go.wait, patience(30))
        return await apart(query, function, *given, **named)

    monkeypatch.setattr(PageQuery, "apart", slow)
    monkeypatch.setattr(routes_lens, "PATIENCE", 0)
    assert not ask(client, subject, "lens.json?source=own")["complete"]
    until(lambda: asked)
    visit.end()
    go.set()
    until(lambda: {id(each) for each in held()} == before)
    assert len(asked) <= 2
