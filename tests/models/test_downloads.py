"""Downloads, from a real server on this machine that can misbehave."""

import hashlib
import threading
import time
from pathlib import Path

import pytest

import models
from models.downloads import checkpoint_path, fetch
from tests.machine import patience
from tests.models.conftest import WeightsServer

CONTENT = bytes(range(256)) * 4000  # a megabyte: several pieces
NAME = f"net-{hashlib.sha256(CONTENT).hexdigest()[:8]}.pth"


@pytest.fixture
def address(server: WeightsServer, checkpoints: Path) -> str:
    """The address of a file that the server has, and that is not here yet."""
    assert not list(checkpoints.iterdir())
    server.files[NAME] = CONTENT
    return f"{server.url}/{NAME}"


def test_a_file_arrives_whole_where_torch_hub_keeps_it(address: str, checkpoints: Path) -> None:
    """The path is torch.hub's, the content the server's."""
    assert fetch(address) == checkpoints / NAME
    assert (checkpoints / NAME).read_bytes() == CONTENT


def test_progress_rises_from_nothing_to_the_whole_size(address: str, checkpoints: Path) -> None:
    """The first report has no bytes, the last has all, and none is smaller than the one before."""
    reports: list[tuple[int, int]] = []
    fetch(address, lambda done, total: reports.append((done, total)))
    assert reports[0] == (0, len(CONTENT))
    assert reports[-1] == (len(CONTENT), len(CONTENT))
    assert len(reports) > 3
    assert reports == sorted(reports)
    assert checkpoints.exists()


def test_a_server_that_does_not_say_the_size_is_fine(address: str, server: WeightsServer) -> None:
    """The total is reported as 0, and the file is whole."""
    server.manner = "no length"
    totals: set[int] = set()
    assert fetch(address, lambda _done, total: totals.add(total)).read_bytes() == CONTENT
    assert totals == {0}


def test_a_file_that_is_here_is_not_fetched_again(address: str, server: WeightsServer) -> None:
    """Two calls, one request."""
    fetch(address)
    fetch(address)
    assert server.requests == [f"/{NAME}"]


def test_threads_that_want_one_file_cause_one_download(address: str, server: WeightsServer) -> None:
    """Eight threads at once: one request, and a whole file for each."""
    sizes: list[int] = []
    threads = [threading.Thread(target=lambda: sizes.append(fetch(address).stat().st_size)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == [len(CONTENT)] * 8
    assert len(server.requests) == 1


def test_a_mirror_is_asked_instead(
    address: str, server: WeightsServer, monkeypatch: pytest.MonkeyPatch, checkpoints: Path
) -> None:
    """With LAYERGLASS_WEIGHTS_URL only the file's name counts, with and without a slash at the end."""
    for slash in ("", "/"):
        server.files[f"weights/{NAME}"] = CONTENT
        monkeypatch.setenv("LAYERGLASS_WEIGHTS_URL", f"{server.url}/weights{slash}")
        fetch(f"https://weights.invalid/models/{NAME}")
        (checkpoints / NAME).unlink()
    assert server.requests == [f"/weights/{NAME}"] * 2
    assert address


@pytest.mark.parametrize("mirror", ["file:///etc", "ftp://x/", "/srv/weights", "http://"])
def test_a_mirror_that_is_no_web_address_is_refused(
    mirror: str, checkpoints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the variable, so that the operator finds it."""
    monkeypatch.setenv("LAYERGLASS_WEIGHTS_URL", mirror)
    with pytest.raises(models.WeightsUnavailableError, match="LAYERGLASS_WEIGHTS_URL"):
        fetch(f"https://weights.invalid/{NAME}")
    assert not list(checkpoints.iterdir())


@pytest.mark.parametrize("manner", ["silent", "stalls"])
def test_a_server_that_falls_silent_is_given_up_soon(
    manner: str, address: str, server: WeightsServer, checkpoints: Path
) -> None:
    """Before the answer or in the middle of it: an error within seconds, and nothing left behind."""
    server.manner = manner
    started = time.monotonic()
    with pytest.raises(models.WeightsUnavailableError, match="untrained weights"):
        fetch(address, patience=0.3)
    assert time.monotonic() - started < patience(3)
    assert not list(checkpoints.iterdir())


def test_a_download_that_breaks_off_leaves_nothing(
    address: str, server: WeightsServer, checkpoints: Path
) -> None:
    """Half of the promised bytes are no file."""
    server.manner = "truncates"
    with pytest.raises(models.WeightsUnavailableError, match="broke off"):
        fetch(address)
    assert not list(checkpoints.iterdir())


def test_a_file_with_another_checksum_is_refused(
    address: str, server: WeightsServer, checkpoints: Path
) -> None:
    """Right size, one bit wrong."""
    server.files[NAME] = CONTENT[:-1] + b"\0"
    with pytest.raises(models.WeightsDamagedError, match="SHA-256"):
        fetch(address)
    assert not list(checkpoints.iterdir())


def test_a_missing_file_is_said_in_one_sentence(server: WeightsServer, checkpoints: Path) -> None:
    """The message names the file, the server, and what can be done instead."""
    with pytest.raises(models.WeightsUnavailableError) as caught:
        fetch(f"{server.url}/other-12345678.pth")
    for part in ("other-12345678.pth", "127.0.0.1", "404", "untrained weights"):
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(checkpoints.iterdir())


def test_no_server_at_all_is_said_at_once(checkpoints: Path) -> None:
    """Nothing listens on the port: one sentence, without a second try."""
    started = time.monotonic()
    with pytest.raises(models.WeightsUnavailableError, match="cannot be fetched"):
        fetch("http://127.0.0.1:9/net-12345678.pth")
    assert time.monotonic() - started < patience(3)
    assert not list(checkpoints.iterdir())


def test_a_folder_that_cannot_be_written_is_said(address: str, checkpoints: Path) -> None:
    """A file stands where the folder should be."""
    checkpoints.rmdir()
    checkpoints.write_text("in the way", encoding="utf-8")
    with pytest.raises(models.WeightsUnavailableError, match="untrained weights"):
        fetch(address)


def test_a_visitor_who_leaves_during_a_download_leaves_nothing(address: str, checkpoints: Path) -> None:
    """The exception from the progress report comes through, and the partial file is deleted."""

    def leave(done: int, _total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(address, leave)
    assert not list(checkpoints.iterdir())
    assert fetch(address).read_bytes() == CONTENT


def test_the_path_is_the_last_part_of_the_address(checkpoints: Path) -> None:
    """Queries and folders do not count."""
    assert checkpoint_path("https://weights.invalid/a/b/net.pth?x=1") == checkpoints / "net.pth"
