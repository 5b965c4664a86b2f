"""Files of the command line: whole or not at all."""

import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from viz.commands.files import checked_target, write_whole
from viz.errors import RequestError


@contextmanager
def files_of_at_most(count: int) -> Iterator[None]:
    """For this process, the disk seems full after this many bytes of a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    """The old file is still there as it was, and nothing else."""
    path = tmp_path / "maps.npz"
    path.write_bytes(b"yesterday's")
    with files_of_at_most(100), pytest.raises(RequestError, match="cannot write"):
        write_whole(path, b"today's" * 100)
    assert path.read_bytes() == b"yesterday's"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_replaces_the_old_one(tmp_path: Path) -> None:
    """Nothing of a longer old file remains."""
    path = tmp_path / "maps.npz"
    path.write_bytes(b"yesterday's" * 10)
    write_whole(path, b"today's")
    assert path.read_bytes() == b"today's"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file that the link points to is written."""
    target, link = tmp_path / "target.png", tmp_path / "link.png"
    link.symlink_to(target)
    write_whole(link, b"maps")
    assert link.is_symlink()
    assert target.read_bytes() == b"maps"


def test_a_written_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    """Others may read it as far as the user lets them: it is not a private temporary file."""
    plain, written = tmp_path / "plain", tmp_path / "maps.png"
    plain.write_bytes(b"")
    write_whole(written, b"maps")
    assert stat.S_IMODE(written.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    """One sentence, not a traceback."""
    first, second = tmp_path / "first.png", tmp_path / "second.png"
    first.symlink_to(second)
    second.symlink_to(first)
    with pytest.raises(RequestError, match="cannot write"):
        checked_target(str(first / "maps.png"), ("png",))


@pytest.mark.parametrize(("name", "form"), [("a.png", "png"), ("b.tar.PDF", "pdf"), ("c d.Npz", "npz")])
def test_the_ending_says_the_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    """The last ending counts, in any case."""
    monkeypatch.chdir(tmp_path)
    assert checked_target(name, ("png", "pdf", "npz")) == (Path(name), form)
