"""The server's folder and a visitor's own pictures: what they are called, and what may be asked of them."""

import os
from pathlib import Path

import pytest

from tests.browser.pictures import photo, png
from viz.errors import ImageError
from viz.ui.folders.named import is_here, is_of_folder, name_in_address, photo_named, title_of
from viz.ui.folders.sources import OwnSource, ServedFolder, served
from viz.ui.visit.visit import Visit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pictures, one of them in a folder below, and what is none."""
    (tmp_path / "below").mkdir()
    (tmp_path / "a.png").write_bytes(png(photo(1)))
    (tmp_path / "below" / "b.png").write_bytes(png(photo(2)))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG nothing")
    return tmp_path


def test_a_served_folder_has_its_pictures_and_no_other_file(folder: Path, tmp_path: Path) -> None:
    """By their paths; what is not listed cannot be read by any name, inside the folder or outside."""
    source = ServedFolder(folder)
    assert sorted(source.names) == ["a.png", "below/b.png", "broken.png"]
    assert source.photo("below/b.png", "me").image.size == photo(2).size
    outside = tmp_path.parent / "outside.png"
    outside.write_bytes(png(photo(3)))
    for name in ("notes.txt", "../outside.png", str(outside), "below/../a.png", "", "c.png"):
        with pytest.raises(ImageError, match="no such picture"):
            source.photo(name, "me")
    with pytest.raises(ImageError):
        source.photo("broken.png", "me")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_with_a_pictures_name_is_not_waited_for(folder: Path) -> None:
    """Reading it would take for ever."""
    os.mkfifo(folder / "pipe.png")
    with pytest.raises(ImageError, match="no file"):
        ServedFolder(folder).photo("pipe.png", "me")


def test_other_pictures_have_another_digest(folder: Path) -> None:
    """Also one that was replaced by another of its name; the same ones have the same."""
    before = ServedFolder(folder).digest
    assert ServedFolder(folder).digest == before
    (folder / "a.png").write_bytes(png(photo(4)) + b"\0")
    assert ServedFolder(folder).digest != before


def test_an_own_picture_is_the_subject_of_its_own_visit_alone(visit: Visit) -> None:
    """Another visit has none of that name, whoever knows it; its title is the file's."""
    name = visit.folder.add("holiday.png", png(photo(5)))
    text = name_in_address("own", name)
    assert is_of_folder(text)
    assert (is_here(text, visit), title_of(text, visit)) == (True, "holiday.png")
    assert photo_named(text, visit).image.size == photo(5).size
    other = Visit("another session")
    assert not is_here(text, other)
    with pytest.raises(ImageError, match="not among yours"):
        photo_named(text, other)
    assert OwnSource(visit.folder).names == (name,)


def test_without_a_setting_there_is_no_folder(monkeypatch: pytest.MonkeyPatch, visit: Visit) -> None:
    """And no address opens one."""
    monkeypatch.delenv("LAYERGLASS_PICTURES", raising=False)
    served.cache_clear()
    assert served() is None
    assert not is_here("folder:a.png", visit)
    with pytest.raises(ImageError, match="no such picture"):
        photo_named("folder:a.png", visit)
