"""Files that arrive in pieces: on a disk that is full, and with more than one process that fetches them."""

import hashlib
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import models
from models import partial_file
from models.downloads import fetch
from models.partial_file import PartialFile
from tests.models.conftest import WeightsServer

CONTENT = bytes(range(256)) * 8_000  # two megabytes
NAME = f"net-{hashlib.sha256(CONTENT).hexdigest()[:8]}.pth"
ROOM = 1  # megabytes of the disk


def test_it_appears_once_it_is_whole(tmp_path: Path) -> None:
    """Until then only its part does."""
    part = PartialFile(tmp_path / NAME)
    part.begin('"one"')
    part.add(CONTENT)
    assert not (tmp_path / NAME).exists()
    assert part.digest == hashlib.sha256(CONTENT).hexdigest()
    part.finish()
    part.close(keep=True)
    assert [each.name for each in tmp_path.iterdir()] == [NAME]
    assert (tmp_path / NAME).read_bytes() == CONTENT


def test_the_next_one_goes_on_from_there(tmp_path: Path) -> None:
    """With the version, and the sum of what has come."""
    for at in (0, 500):
        part = PartialFile(tmp_path / NAME)
        assert (part.size, part.version) == (at, '"one"' if at else "")
        if not at:
            part.begin('"one"')
        part.add(CONTENT[at : at + 500])
        assert part.digest == hashlib.sha256(CONTENT[: at + 500]).hexdigest()
        part.close(keep=True)
    part = PartialFile(tmp_path / NAME)
    part.close(keep=False)
    assert not list(tmp_path.iterdir())


def test_a_system_without_locks_keeps_no_part_for_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as Windows: what has come is deleted, and the next download begins anew."""
    monkeypatch.setattr(partial_file, "_fcntl", None)
    part = PartialFile(tmp_path / NAME)
    part.begin('"one"')
    part.add(CONTENT[:500])
    part.close(keep=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="every one has a part of its own there")
def test_two_at_once_do_not_write_into_one_file(tmp_path: Path) -> None:
    """The second has a part of its own, which it never keeps."""
    first, second = PartialFile(tmp_path / NAME), PartialFile(tmp_path / NAME)
    for each in (first, second):
        each.begin('"one"')
        each.add(CONTENT)
    assert (first.is_kept, second.is_kept) == (True, False)
    first.finish()
    second.close(keep=True)
    assert [each.name for each in tmp_path.iterdir()] == [NAME]


def test_what_was_left_long_ago_is_deleted(tmp_path: Path) -> None:
    """A process that was killed could not do it; what is new stays."""
    for name, age in (("old.part", 100_000), ("old.part.tag", 100_000), ("new.part", 10)):
        (tmp_path / name).write_bytes(b"x")
        then = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (then, then))
    PartialFile(tmp_path / NAME).close(keep=False)
    assert [each.name for each in tmp_path.iterdir()] == ["new.part"]


TRIES = """
    import sys, models
    from models.downloads import fetch
    for address in sys.argv[1:]:
        try:
            print(fetch(address).stat().st_size)
        except models.WeightsUnavailableError as error:
            print(error)
"""


def on_small_disk(folder: Path, *addresses: str) -> list[str]:
    """Return the outcome of each download, by a process whose weights are on a disk of one megabyte."""
    program = (
        f"mount -t tmpfs -o size={ROOM}m tmpfs {folder} && mkdir {folder}/torch && "
        f'{sys.executable} -c "$0" "$@" && cd {folder} && find . -type f'
    )
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", program, textwrap.dedent(TRIES)]
    done = subprocess.run(
        [*command, *addresses],
        env=os.environ | {"TORCH_HOME": str(folder / "torch")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def may_mount() -> bool:
    """Return whether this system lets us have a disk of our own."""
    tried = ["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return (
        bool(shutil.which("unshare"))
        and subprocess.run(tried, check=False, capture_output=True).returncode == 0
    )


@pytest.mark.slow
@pytest.mark.skipif(not may_mount(), reason="this system does not let us mount a small disk")
@pytest.mark.parametrize("manner", ["well", "no length"])
def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    manner: str, server: WeightsServer, tmp_path: Path
) -> None:
    """Before it comes, or where its length is not known, when it is full; a smaller file still fits."""
    small = CONTENT[:500_000]
    name = f"small-{hashlib.sha256(small).hexdigest()[:8]}.pth"
    server.files |= {NAME: CONTENT, name: small}
    server.manner = manner
    told, size, *left = on_small_disk(tmp_path, f"{server.url}/{NAME}", f"{server.url}/{name}")
    for words in (f"no room for {NAME}", "TORCH_HOME", "untrained weights can be shown"):
        assert words in told
    assert size == str(len(small))
    assert left == [f"./torch/hub/checkpoints/{name}"]


def test_a_file_that_may_not_grow_is_one_sentence_and_leaves_nothing(
    server: WeightsServer, checkpoints: Path
) -> None:
    """The system refuses the write itself, on any disk: the limit on a process's files."""
    resource = pytest.importorskip("resource")
    server.files[NAME] = CONTENT
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
    try:
        with pytest.raises(models.WeightsUnavailableError, match="no room for"):
            fetch(f"{server.url}/{NAME}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(checkpoints.iterdir())
    assert fetch(f"{server.url}/{NAME}").read_bytes() == CONTENT
