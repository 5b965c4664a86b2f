"""The pictures below a folder: in order, each once, and never without end."""

import os
import time
from pathlib import Path

import pytest

from tests.machine import took_less
from viz.errors import RequestError
from viz.exemplars.listing import Entry, entries, listed, pictures, text_of


def made(folder: Path, *names: str) -> Path:
    """A folder with these files."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"some")
    return folder


def test_pictures_come_in_the_order_of_their_names_folder_by_folder(tmp_path: Path) -> None:
    """The order in which the system lists them does not matter; endings count in any case."""
    made(tmp_path, "z.png", "b/2.JPG", "b/10.webp", "a.bmp", "b/c/1.gif", "k.jpeg")
    assert list(pictures(tmp_path)) == ["a.bmp", "b/10.webp", "b/2.JPG", "b/c/1.gif", "k.jpeg", "z.png"]


def test_a_file_without_an_ending_is_a_picture_if_it_begins_like_one(tmp_path: Path) -> None:
    """Other endings of JPEG count too; a pipe is not waited for, and a text is none."""
    made(tmp_path, "a.jfif", "b.jpe", "c.avif", "readme", "long.name")
    (tmp_path / "d").write_bytes(b"\xff\xd8\xff\xe0" + bytes(20))
    os.mkfifo(tmp_path / "pipe")
    assert list(pictures(tmp_path)) == ["a.jfif", "b.jpe", "c.avif", "d"]


def test_other_files_are_counted_and_hidden_ones_are_not(tmp_path: Path) -> None:
    """A label file is no picture; a name that begins with a dot is the system's own."""
    made(tmp_path, "a.png", "labels.csv", "b/readme", ".DS_Store", "._a.png", ".git/a.png")
    found = listed(tmp_path)
    assert (found.count, found.others) == (1, 2)


def test_the_digest_tells_names_and_sizes_apart(tmp_path: Path) -> None:
    """It is the same at another place, and another one when a file changes its name or its size."""
    one, other = (made(tmp_path / name, "a.png", "b/c.png") for name in ("one", "other"))
    assert listed(one) == listed(other)
    (other / "a.png").write_bytes(b"other")
    assert listed(one).digest != listed(other).digest
    (other / "a.png").write_bytes(b"same")
    assert listed(one) == listed(other)
    (other / "a.png").rename(other / "d.png")
    assert listed(one).digest != listed(other).digest


def test_links_are_followed_once_and_never_in_circles(tmp_path: Path) -> None:
    """A link out of the folder is followed; into it, around it, to itself, or a second time it is not."""
    outside = made(tmp_path / "outside", "far.png")
    folder = made(tmp_path / "around" / "folder", "a.png", "b/c.png")
    (folder / "b" / "up").symlink_to(folder)
    (folder / "top").symlink_to(folder.parent)
    (folder / "inside").symlink_to(folder / "b")
    (folder / "first").symlink_to(outside)
    (folder / "second").symlink_to(outside)
    (outside / "back").symlink_to(folder)
    (outside / "round").symlink_to(outside)
    (folder / "me.png").symlink_to("me.png")
    assert list(pictures(folder)) == ["a.png", "b/c.png", "first/far.png", "me.png"]
    assert [entry.size for entry in entries(folder) if entry.path == "me.png"] == [-1]


def test_a_folder_can_be_left_out(tmp_path: Path) -> None:
    """That of the results, by whatever name."""
    made(tmp_path, "a.png", "out/sheet.png")
    assert list(pictures(tmp_path, tmp_path / "." / "out")) == ["a.png"]


def test_a_folder_that_cannot_be_listed_counts_as_a_picture_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may list everything, so the system's answer is given here."""
    made(tmp_path, "a.png", "shut/b.png")
    listing = os.scandir

    def scandir(folder: str | Path) -> object:
        if str(folder).endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return listing(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    assert list(entries(tmp_path))[1] == Entry("shut", -1, picture=True)


@pytest.mark.parametrize(("name", "said"), [("nothing", "there is no picture"), ("gone", "no such file")])
def test_a_folder_without_pictures_is_refused(tmp_path: Path, name: str, said: str) -> None:
    """Also one that is not there."""
    made(tmp_path / "nothing", "labels.csv")
    with pytest.raises(RequestError, match=said):
        listed(tmp_path / name)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """A picture in place of a folder is said to be none."""
    made(tmp_path, "a.png")
    with pytest.raises(RequestError, match="not a directory"):
        listed(tmp_path / "a.png")


def test_folders_may_lie_deep(tmp_path: Path) -> None:
    """Deeper than Python calls functions."""
    here = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in range(700):
            os.mkdir("d", dir_fd=here)
            inner = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        os.close(os.open("a.png", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    finally:
        os.close(here)
    assert list(pictures(tmp_path)) == ["d/" * 700 + "a.png"]


def test_a_name_that_is_no_text_is_written_as_escapes(tmp_path: Path) -> None:
    """Such a name reaches its file as it is."""
    path = os.fsencode(tmp_path) + b"/p\xff.png"
    Path(os.fsdecode(path)).write_bytes(b"some")
    (found,) = pictures(tmp_path)
    assert os.fsencode(found) == b"p\xff.png"
    assert text_of(found) == "p\\xff.png"
    assert listed(tmp_path).count == 1


@pytest.mark.slow
def test_a_hundred_thousand_files_are_listed_in_seconds(tmp_path: Path) -> None:
    """Half of them in one folder."""
    for number in range(50_000):
        os.close(os.open(tmp_path / f"{number:06}.png", os.O_CREAT))
    for folder in range(50):
        (tmp_path / f"f{folder}").mkdir()
        for number in range(1000):
            os.close(os.open(tmp_path / f"f{folder}" / f"{number:06}.png", os.O_CREAT))
    begun = time.process_time()
    assert listed(tmp_path).count == 100_000
    assert took_less(time.process_time() - begun, 10)
