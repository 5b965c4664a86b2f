"""Nobody outside is asked for anything, and a page elsewhere cannot make the server wait for one."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.serving import serving
from tests.hostile import firewall
from tests.hostile.handshakes import EVIL, answer, begin, handshake
from tests.hostile.pictures import noise, saved
from tests.hostile.visitor import Visitor, ask, bystander
from tests.machine import patience

pytestmark = pytest.mark.slow  # each needs the real server


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which the server's sockets are listed."""
    return tmp_path_factory.mktemp("outside")


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[str]:
    """A server behind a firewall that drops what goes out."""
    with serving(place, settings=firewall.settings(place)) as address:
        yield address


def test_a_foreign_page_makes_nobody_wait(server: str) -> None:
    """Of 120 handshakes with its origin each is refused, while another visitor waits a second at most."""
    with bystander(server, model="lenet") as other:
        time.sleep(0.5)
        other.waits.clear()
        lines = [begin(server) for _ in range(120)]
        heads = [answer(line) for line in lines]
        time.sleep(0.5)
    for line in lines:
        line.close()
    assert {head.partition(b"\r\n")[0] for head in heads} == {b"HTTP/1.1 403 Forbidden"}
    assert other.problems == []
    assert other.longest < patience(1)


@pytest.mark.parametrize("origin", [EVIL, "http://[", "http://a:b@evil.example/%0a", "null"])
def test_a_refused_handshake_has_the_headers_and_leaves_no_line(
    server: str, place: Path, origin: str
) -> None:
    """Handshakes of any origin are covered; a traceback of 6.8 kB stood in the log for 103 bytes."""
    before = (place / "log.txt").stat().st_size
    head = handshake(server, origin=origin).lower()
    assert head.startswith(b"http/1.1 403")
    assert b"\ncontent-security-policy: " in head
    assert b"\nx-content-type-options: nosniff" in head
    assert handshake(server, host="evil.example", origin=origin).startswith(b"HTTP/1.1 421")
    time.sleep(0.2)
    assert (place / "log.txt").stat().st_size == before


def test_no_socket_of_the_server_leads_outside(server: str, place: Path) -> None:
    """Each is listed while a picture is brought, a class opened, and a stranger refused."""
    with Visitor(server, model="lenet") as visitor:
        assert visitor.upload("upload", "photo.png", saved(noise("RGB", (64, 64), 0), "png")).status < 300
        assert visitor.map_json()["shape"]
        told = json.dumps({"look": "", "password": ""}).encode()
        kind = {"Content-Type": "application/json", "Origin": server}
        opened = ask(server, f"/maps/{visitor.subject}/class_open.json", "POST", body=told, headers=kind)
        assert opened.said["code"]
        for path in ("/", "/metrics", "/operator.json", "/_stcore/health", "/_stcore/host-config"):
            assert ask(server, path).status == 200
        deadline = time.monotonic() + patience(60)
        while ask(server, "/health").status != 200:  # a busy machine is well a little later
            assert time.monotonic() < deadline
        handshake(server)
    found = firewall.listed(place)
    assert ("socket.bind", "127.0.0.1") in found
    assert [call for call, _ in found].count(firewall.STARTED) > 1  # the models' processes are watched, too
    assert [each for each in found if firewall.is_outside(*each)] == []
