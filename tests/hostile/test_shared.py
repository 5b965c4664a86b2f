"""Resources that one page could take from all others: the threads that draw, and the memory for files."""

import select
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from tests.browser.serving import serving
from tests.hostile import pictures
from tests.hostile.visitor import PATIENCE, Visitor, ask
from tests.machine import patience
from tests.viz.ui.door.asgi import answered, coming, http, reader
from viz.ui.door import door
from viz.ui.door.door import Door
from viz.ui.door.limits import DoorLimits

MEGABYTE = 1_000_000
AT_ONCE = 40  # requests; the door lets 48 of one visitor in
LEAST = 0.5  # seconds of drawing one of these files

FIELD = b'--edge\r\nContent-Disposition: form-data; name="filename="\r\n\r\n'
FILE = b'\r\n--edge\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
END = b"\r\n--edge--\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all of these."""
    with serving(tmp_path_factory.mktemp("shared")) as address:
        yield address


@pytest.mark.slow
@pytest.mark.parametrize("file", ["home.gif", "picture.png", "overview.pdf"])
def test_one_visitor_who_asks_for_many_files_holds_up_nobody(server: str, file: str) -> None:
    """One page sends forty requests at once, each half a second of drawing; another page is not held up.

    What the first has not got when it hangs up is not drawn: its next request does not wait for that. Drawing
    has a low priority, so on a busy machine one alone may take half a minute.
    """
    with Visitor(server, model="lenet") as eve, Visitor(server, model="photonet") as ada:
        eve.upload("upload", "a.webp", pictures.webp_of_one_colour(12_000, 3_333))
        path, host = f"/maps/{eve.subject}/{file}", urlsplit(server).netloc
        _, alone = ask(server, path), ask(server, path)  # the first computes what is kept
        lines = [HTTPConnection(host, timeout=PATIENCE) for _ in range(AT_ONCE)]
        for line in lines:
            line.request("GET", path)
        time.sleep(1)
        waits = [ask(server, f"/maps/{ada.subject}/overview.json").seconds for _ in range(3)]
        drawn = [line for line in lines if line is lines[0] or select.select([line.sock], [], [], 0)[0]]
        statuses = {line.getresponse().status for line in drawn}
        for line in lines:
            line.close()
        again, after = ask(server, path), ask(server, path)
    assert len(drawn) < AT_ONCE
    assert (statuses, again.status) == ({200}, 200)
    assert max(waits) < patience(2)
    assert again.seconds < AT_ONCE / 8 * max(alone.seconds, after.seconds, LEAST)


@pytest.mark.slow
def test_a_form_of_two_parts_brings_no_more_than_a_visit_may_hold(server: str) -> None:
    """The first part begins like one kind of file, the second part is of the other kind."""
    with Visitor(server, model="lenet") as eve:
        kind = {"Content-Type": "multipart/form-data; boundary=edge"} | eve.proof
        body = FIELD + b"0" * 100 + FILE + b"\x89PNG\r\n\x1a\n" + b"0" * 150 * MEGABYTE + END
        places = [f"/_stcore/upload_file/{eve.session}/{uuid.uuid4()}" for _ in range(6)]

        def status(place: str) -> int:
            return ask(server, place, "PUT", body=body, headers=kind).status

        with ThreadPoolExecutor() as waiting:  # for room, which nobody makes
            statuses = [*map(status, places[:4]), *waiting.map(status, places[4:])]
    assert statuses == [204] * 4 + [413] * 2


def test_a_file_whose_page_was_closed_meanwhile_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit deletes files with their session; a file that came later would stay as long as it runs."""
    said = iter([True, False])
    monkeypatch.setattr(door, "runtime", _runtime(lambda _: next(said)))
    heard = answered(Door(reader, DoorLimits(back=0)), _upload(), coming([FILE[2:], b"0" * 1000, END]))
    assert heard.status == 410


def test_a_file_waits_for_a_page_whose_line_is_coming_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that wakes sends what was chosen before its websocket is there again."""
    said = iter([False, False, True, False, True])
    monkeypatch.setattr(door, "runtime", _runtime(lambda _: next(said)))
    heard = answered(Door(reader, DoorLimits()), _upload(), coming([FILE[2:], b"0" * 1000, END]))
    assert heard.status == 200
    assert next(said, None) is None


def test_a_page_that_was_away_for_a_moment_may_go_on_uploading(monkeypatch: pytest.MonkeyPatch) -> None:
    """The session is checked when the file begins and when it ends, not in between."""
    asked: list[str] = []
    monkeypatch.setattr(door, "runtime", _runtime(lambda session: not asked.append(session)))
    heard = answered(Door(reader, DoorLimits()), _upload(), coming([FILE[2:], *[b"0" * 1000] * 9, END]))
    assert heard.status == 200
    assert asked == ["ada", "ada"]


def _runtime(is_active: Callable[[str], bool]) -> SimpleNamespace:
    """The part of Streamlit's runtime that the door uses."""
    return SimpleNamespace(
        exists=lambda: True, get_instance=lambda: SimpleNamespace(is_active_session=is_active)
    )


def _upload() -> dict[str, object]:
    return dict(http("/_stcore/upload_file/ada/1", method="PUT", transfer_encoding="chunked"))
