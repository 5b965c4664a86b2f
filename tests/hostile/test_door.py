"""The door of the real server under attack: files, addresses, messages, endless connections."""

import http.client
import select
import socket
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

from tests.browser.serving import serving
from tests.hostile.server_process import files_on_disk, memory, process_of
from tests.hostile.visitor import Visitor, ask, bystander, form
from tests.machine import patience

MEGABYTE = 1_000_000

pytestmark = pytest.mark.slow  # each needs the real server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all of these; whatever they do to it, it writes no traceback."""
    with serving(tmp_path_factory.mktemp("door")) as address:
        yield address


@pytest.fixture
def visitor(server: str) -> Iterator[Visitor]:
    """A visitor who looks at the smallest net."""
    with Visitor(server, model="lenet") as visitor:
        yield visitor


def _connection(server: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(server).netloc, timeout=patience(60))


def _begin(visitor: Visitor, length: int, beginning: bytes) -> http.client.HTTPConnection:
    """An upload that has begun, and continues when the rest is sent."""
    line = _connection(visitor.address)
    line.putrequest("PUT", f"/_stcore/upload_file/{visitor.session}/{uuid.uuid4()}")
    kind = {"Content-Type": "multipart/form-data; boundary=edge", "Content-Length": str(length)}
    for name, value in (kind | visitor.proof).items():
        line.putheader(name, value)
    line.endheaders(beginning)
    return line


def _refused(lines: list[http.client.HTTPConnection], wanted: int) -> int:
    """Return the number of uploads that are refused at once, and not later as too slow."""
    left, found, until = {line.sock for line in lines}, Counter[bytes](), time.monotonic() + patience(60)
    while found[b"503"] < wanted and time.monotonic() < until:
        for sock in select.select(left, [], [], 1)[0]:
            found[sock.recv(12)[9:]] += 1
            left.remove(sock)
    found += Counter(sock.recv(12)[9:] for sock in select.select(left, [], [], 0.2)[0])
    assert set(found) <= {b"503", b"408"}
    return found[b"503"]


def test_an_upload_is_in_no_file_while_it_comes_nor_afterwards(visitor: Visitor) -> None:
    """We look at the process's open files with three quarters of 15 MB sent, and with all of it."""
    process = process_of(visitor.address)
    whole, _ = form("photo.png", b"\x89PNG" + b"0" * 15 * MEGABYTE)
    whole = whole.replace(whole[2:34], b"edge")
    before = files_on_disk(process)
    with closing(_begin(visitor, len(whole), whole[: 12 * MEGABYTE])) as line:
        time.sleep(1)
        assert files_on_disk(process) == before
        line.send(whole[12 * MEGABYTE :])
        assert line.getresponse().status == 204
    assert files_on_disk(process) == before


def test_files_that_nobody_uses_end_at_what_one_visit_may_hold(visitor: Visitor) -> None:
    """Fourteen files of 50 MB, in no box: ten are kept, and another visitor need not wait.

    Waits are compared with what the files take (24 s, and the longest wait 0.25 s), as a machine that
    pauses for some seconds pauses for both.
    """
    process = process_of(visitor.address)
    before = memory(process)
    began = time.perf_counter()
    with bystander(visitor.address) as other:
        answers = [visitor.put(b"\0" * 50 * MEGABYTE) for _ in range(14)]
    took = time.perf_counter() - began
    kept, refused = (
        [each for each in answers if (each.status == 204) is is_kept] for is_kept in (True, False)
    )
    assert len(kept) == 10
    assert {each.status for each in refused} == {413}
    assert refused[0].said["error"].startswith("This visit already holds as many files as it may")
    assert memory(process) - before < 800
    assert other.problems == []
    assert other.longest < took / 4
    assert other.usual < took / 20


def test_a_picture_may_not_be_as_large_as_weights(visitor: Visitor) -> None:
    """Its first bytes count, not its name."""
    answer = visitor.put(b"\xff\xd8\xff" + b"0" * 30 * MEGABYTE, "weights.safetensors")
    assert answer.status == 413
    assert answer.said["error"] == "This picture has more than the 20 MB that are read; make it smaller."
    assert "content-security-policy" in answer.headers


def test_uploads_that_trickle_are_four_for_one_visit(visitor: Visitor) -> None:
    """A hundred begin; all but four are refused at once, and the page still works."""
    whole, _ = form("photo.png", b"\x89PNG" + b"0" * MEGABYTE)
    beginning = whole.replace(whole[2:34], b"edge")[:1000]
    with ExitStack() as open_ones:
        lines = [open_ones.enter_context(closing(_begin(visitor, len(whole), beginning))) for _ in range(100)]
        assert _refused(lines, 96) == 96
        assert visitor.map_json()["layer"] == "conv1"


def test_a_long_address_is_refused_and_never_reaches_the_page(server: str) -> None:
    """This is over HTTP, as when a link is opened."""
    answer = ask(server, "/?layer=" + "x" * 40_000)
    assert answer.status == 414
    assert "start from a shorter link" in answer.said["error"]
    assert answer.seconds < patience(2)


def test_a_long_address_over_the_socket_is_one_sentence(server: str) -> None:
    """Half a megabyte is the most that Streamlit lets through; the page ignores it and says so."""
    with Visitor(server):
        pass  # the first one waits for the model to load
    began = time.perf_counter()
    with Visitor(server, layer="x" * 500_000) as visitor:
        assert time.perf_counter() - began < patience(5)
        assert [said for said in visitor.notices() if "32,000 characters" in said]
        assert max(map(len, visitor.notices())) < 500
        assert visitor.map_json()["shape"]


def test_a_message_of_two_megabytes_ends_the_connection(visitor: Visitor) -> None:
    """The connection ends with the code for a message that is too big."""
    asked = BackMsg()
    asked.rerun_script.query_string = "x" * 2 * MEGABYTE
    visitor.line.send(asked.SerializeToString())
    with pytest.raises(ConnectionClosed) as ended:
        list(visitor.line)
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 1009


@pytest.mark.parametrize("path", ["/maps//seen.png", "/maps/a/nothing.png", "/maps/", "/maps", "/maps/a/b/c"])
def test_an_address_of_maps_without_maps_is_no_page(server: str, path: str) -> None:
    """The answer is a sentence, as JSON."""
    answer = ask(server, path)
    assert answer.status == 404
    assert answer.said["error"] == "There is nothing at this address; open the page again."


def test_nobody_outside_learns_how_the_server_is_doing(server: str) -> None:
    """Neither its metrics, through a proxy, nor its interface for programs can be reached."""
    proxied = {"X-Forwarded-For": "198.51.100.1"}
    for path in ("/_stcore/metrics", "/metrics", "/operator", "/operator.json"):
        assert ask(server, path, headers=proxied).status == 404
    assert ask(server, "/_stcore/agent/openapi.json").status == 404
    assert ask(server, "/_stcore/agent/mcp", "POST", body=b"{}").status == 404


def test_an_upload_whose_visitor_goes_away_is_no_error(visitor: Visitor) -> None:
    """The server writes no traceback (the fixture checks that), and the upload's place is free again."""
    whole, _ = form("photo.png", b"\x89PNG" + b"0" * 5 * MEGABYTE)
    whole = whole.replace(whole[2:34], b"edge")
    for _ in range(6):
        line = _begin(visitor, len(whole), whole[:MEGABYTE])
        time.sleep(0.2)
        line.sock.shutdown(socket.SHUT_RDWR)
        line.close()
    until = time.monotonic() + patience(3)  # sooner than an upload is ended that comes too slowly
    while (last := visitor.put(b"\x89PNG" + b"0" * 1000)).status == 503 and time.monotonic() < until:
        time.sleep(0.1)
    assert last.status == 204
