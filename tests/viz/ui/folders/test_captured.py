"""A finished capture, opened without its model: the numbers of its tables."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from tests.viz.exemplars.folders import Small, noise, request_of, search_of
from viz.errors import ImageError, RequestError
from viz.exemplars.search import exemplars
from viz.ui.folders.captured import opened
from viz.ui.folders.thumbnails import Thumbnails


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """A capture of ten pictures and one that cannot be read."""
    folder = noise(tmp_path / "pictures", 10)
    (folder / "bad.png").write_bytes(b"nothing")
    search = search_of(folder, tmp_path / "out", Small())
    exemplars(search, request_of(search))
    return tmp_path / "out"


def test_the_store_has_every_number_of_the_table(capture: Path) -> None:
    """Each picture, call and channel, as Parquet has them; who could not be read is known."""
    found, rows = opened(capture), pq.read_table(capture / "maxima.parquet").to_pylist()
    store = found.store
    assert len(store.pictures) == 10
    assert list(store.unreadable) == ["bad.png"]
    number = {each.name: place for place, each in enumerate(store.pictures)}
    for row in rows:
        block = store.block(row["layer"], row["call"], row["channel"])
        assert block is not None
        at = number[row["picture"]], 0
        assert (block.maximum[at], block.mean[at]) == (np.float32(row["maximum"]), np.float32(row["mean"]))
        assert (block.row[at], block.column[at]) == (row["row"], row["column"])


def test_its_boxes_are_those_of_the_exemplars(capture: Path) -> None:
    """Of one channel, by picture; a channel that it has not has none."""
    rows = pq.read_table(capture / "exemplars.parquet").to_pylist()
    expected = {
        row["picture"]: tuple(row["box"]) for row in rows if (row["layer"], row["channel"]) == ("second", 1)
    }
    found = opened(capture)
    assert found.boxes("second", 0, 1) == expected
    assert found.boxes("second", 0, 99) == {}


def test_its_pictures_are_those_of_its_folder_if_that_is_here(capture: Path) -> None:
    """Without the folder their names are left, and a sentence says what to do."""
    found = opened(capture)
    assert "0001.png" in found.source.names
    Path(found.card["folder"]).rename(capture.parent / "moved")
    source = opened(capture).source
    assert isinstance(source, Thumbnails)
    assert "0001.png" in source.names
    with pytest.raises(ImageError, match="--pictures names their folder"):
        source.photo("0001.png", "me")


def test_a_small_copy_stands_for_a_picture_that_is_gone(tmp_path: Path) -> None:
    """As large as the picture was, so that a box of the capture is the same part of it."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    halves = Image.new("RGB", (64, 48), "red")
    halves.paste("blue", (32, 0, 64, 48))
    halves.save(folder / "halves.png")
    search = search_of(folder, tmp_path / "out", Small())
    exemplars(search, request_of(search, thumbnails=16))
    folder.rename(tmp_path / "moved")
    source = opened(tmp_path / "out").source
    found = source.photo("halves.png", "me").image
    assert found.size == halves.size
    for column, colour in ((8, 0), (56, 2)):
        pixel = found.getpixel((column, 24))
        assert isinstance(pixel, tuple)
        assert pixel.index(max(pixel)) == colour
    with pytest.raises(ImageError, match="--pictures names their folder"):
        source.photo("other.png", "me")


def test_what_is_no_capture_is_refused(tmp_path: Path) -> None:
    """In a sentence that names the folder."""
    with pytest.raises(RequestError, match=r"no finished capture: it has no readable card\.json"):
        opened(tmp_path)
    (tmp_path / "card.json").write_text("{}")
    with pytest.raises(RequestError, match=r"it has no maxima\.parquet"):
        opened(tmp_path)
