"""Downloads that break off, from a real server: they go on where they stopped, and never mix two files."""

import hashlib
import random
from email.message import Message
from pathlib import Path

import pytest

import models
from models import downloads
from models.downloads import fetch
from models.ranges import version_of
from tests.models.conftest import WeightsServer

CONTENT = random.Random(0).randbytes(2_000_000)
OTHER = random.Random(1).randbytes(2_000_000)
NAME = f"net-{hashlib.sha256(CONTENT).hexdigest()[:8]}.pth"
ONE, TWO = '"one"', '"two"'
ALWAYS = [400_000] * 20  # bytes after which each answer ends


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for the rest three times, at once."""
    monkeypatch.setattr(downloads, "_PAUSES", (0.01, 0.01, 0.01))


@pytest.fixture
def address(server: WeightsServer, checkpoints: Path) -> str:
    """The address of a file on a server that can send parts of it."""
    assert not list(checkpoints.iterdir())
    server.files[NAME], server.version = CONTENT, ONE
    return f"{server.url}/{NAME}"


def starts(server: WeightsServer) -> list[int]:
    """Return the first byte that each request wanted."""
    return [int(asked[6:-1]) if asked else 0 for asked, _ in server.ranges]


def test_a_connection_that_breaks_off_is_not_noticed(address: str, server: WeightsServer) -> None:
    """The rest is asked for from where it stopped, of the same version; progress never goes back."""
    server.breaks = [900_000, 500_000]
    reports: list[tuple[int, int]] = []
    path = fetch(address, lambda done, total: reports.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert reports == sorted(reports)
    assert {total for _, total in reports} == {len(CONTENT)}
    assert starts(server) == [0, 900_000, 1_400_000]
    assert [version for _, version in server.ranges] == [None, ONE, ONE]


def test_a_download_that_is_given_up_goes_on_when_it_is_asked_for_again(
    address: str, server: WeightsServer, checkpoints: Path
) -> None:
    """The sentence says how much is kept; the next try asks for the rest alone, and nothing is left then."""
    server.breaks = list(ALWAYS)
    with pytest.raises(models.WeightsUnavailableError, match="1 MB that came are kept") as caught:
        fetch(address)
    assert "untrained weights" in str(caught.value)
    server.breaks, before = [], len(server.ranges)
    assert fetch(address).read_bytes() == CONTENT
    assert len(server.ranges) == before + 1
    assert starts(server)[-1] == 1_600_000
    assert list(checkpoints.iterdir()) == [checkpoints / NAME]


def test_a_server_without_parts_is_said_to_have_broken_off(
    address: str, server: WeightsServer, checkpoints: Path
) -> None:
    """One request, one sentence, and nothing is left behind."""
    server.version, server.manner = "", "truncates"
    with pytest.raises(models.WeightsUnavailableError, match="broke off"):
        fetch(address)
    assert len(server.requests) == 1
    assert not list(checkpoints.iterdir())


def test_a_new_version_on_the_server_is_fetched_from_its_beginning(
    address: str, server: WeightsServer, checkpoints: Path
) -> None:
    """The part that was kept of the old one is thrown away: the server itself sees that it is old."""
    server.files[NAME] = OTHER
    server.breaks = list(ALWAYS)
    with pytest.raises(models.WeightsUnavailableError, match="kept"):
        fetch(address)
    server.files[NAME], server.version, server.breaks = CONTENT, TWO, []
    assert fetch(address).read_bytes() == CONTENT
    assert server.ranges[-1][1] == ONE
    assert list(checkpoints.iterdir()) == [checkpoints / NAME]


def test_a_mix_of_two_files_is_never_accepted(address: str, server: WeightsServer, checkpoints: Path) -> None:
    """The server changes a file and says that it is the same: all of it is fetched once more."""
    server.files[NAME] = OTHER
    server.breaks = list(ALWAYS)
    with pytest.raises(models.WeightsUnavailableError, match="kept"):
        fetch(address)
    server.files[NAME], server.breaks = CONTENT, []
    assert fetch(address).read_bytes() == CONTENT
    assert starts(server)[-2] > 0
    assert starts(server)[-1] == 0
    (checkpoints / NAME).unlink()
    server.files[NAME], server.breaks = OTHER, [400_000]
    with pytest.raises(models.WeightsDamagedError, match="another file"):
        fetch(address)
    assert not list(checkpoints.iterdir())


def test_a_file_that_became_shorter_is_fetched_from_its_beginning(
    address: str, server: WeightsServer
) -> None:
    """The server has no such part (416)."""
    server.files[NAME], server.breaks = CONTENT + OTHER, [2_100_000, *ALWAYS]
    with pytest.raises(models.WeightsUnavailableError, match="kept"):
        fetch(address)
    server.files[NAME], server.breaks = CONTENT, []
    assert fetch(address).read_bytes() == CONTENT
    assert starts(server)[-2] >= len(CONTENT)


def test_a_name_without_a_checksum_keeps_nothing_for_later(server: WeightsServer, checkpoints: Path) -> None:
    """Within one try the rest is asked for; after it nothing would tell a mix of two files."""
    server.files["net.pth"], server.version = CONTENT, ONE
    server.breaks = [900_000]
    assert fetch(f"{server.url}/net.pth").read_bytes() == CONTENT
    (checkpoints / "net.pth").unlink()
    server.breaks = list(ALWAYS)
    with pytest.raises(models.WeightsUnavailableError, match="broke off"):
        fetch(f"{server.url}/net.pth")
    assert not list(checkpoints.iterdir())


@pytest.mark.parametrize(
    ("headers", "version"),
    [
        ({"Accept-Ranges": "bytes", "ETag": '"a"', "Last-Modified": "then"}, '"a"'),
        ({"Accept-Ranges": "bytes", "ETag": 'W/"a"', "Last-Modified": "then"}, "then"),
        ({"Accept-Ranges": "none", "ETag": '"a"'}, ""),
        ({"ETag": '"a"'}, ""),
        ({}, ""),
    ],
)
def test_a_version_is_what_tells_bytes_apart(headers: dict[str, str], version: str) -> None:
    """A weak tag does not."""
    message = Message()
    for name, value in headers.items():
        message[name] = value
    assert version_of(message) == version
