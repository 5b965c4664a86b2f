"""A finished capture, opened without its model: the numbers of its tables."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from tests.browser.pictures import png
from tests.viz.exemplars.folders import Small, noise, request_of, search_of
from viz.errors import ImageError, RequestError
from viz.exemplars.asking import pictures_of
from viz.exemplars.keeping import PICTURES_FILE
from viz.exemplars.search import exemplars
from viz.exemplars.tables import MAXIMA
from viz.exemplars.tables import PICTURES as PICTURES_SCHEMA
from viz.home import PICTURES
from viz.ui.folders.captured import opened
from viz.ui.folders.sources import served
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


@pytest.fixture
def unnamed() -> Iterator[None]:
    """Forget what the server was told of its folder, before and after a test."""
    served.cache_clear()
    yield
    served.cache_clear()


@pytest.mark.usefixtures("unnamed")
def test_the_folder_that_a_card_names_is_never_opened(capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A capture may be a stranger's, and its card name a private folder; the operator's --pictures counts."""
    private = capture.parent / "private"
    private.mkdir()
    Image.new("RGB", (8, 8)).save(private / "secret.png")
    card = json.loads((capture / "card.json").read_text())
    (capture / "card.json").write_text(json.dumps(card | {"folder": str(private)}))
    monkeypatch.delenv(PICTURES, raising=False)
    source = opened(capture).source
    assert isinstance(source, Thumbnails)
    assert "0001.png" in source.names
    for name in ("secret.png", "0001.png"):
        with pytest.raises(ImageError, match="--pictures names their folder"):
            source.photo(name, "me")
    served.cache_clear()
    monkeypatch.setenv(PICTURES, card["folder"])
    assert opened(capture).source.photo("0001.png", "me").image.size == (8, 8)


def stranger_pictures(out: Path, width: int, height: int, thumbnail: bytes) -> Thumbnails:
    """A capture's pictures as a stranger may write them: one row that claims a size."""
    row = {"number": 0, "picture": "a.png", "width": width, "height": height, "problem": None}
    out.mkdir()
    pq.write_table(
        pa.Table.from_pylist([{**row, "thumbnail": thumbnail}], PICTURES_SCHEMA), out / PICTURES_FILE
    )
    return Thumbnails(["a.png"], "", out)


@pytest.mark.parametrize("size", [(20_000, 20_000), (12_001, 300), (-5, 5), (8000, 5001), (5000, 2)])
def test_a_picture_that_claims_too_much_is_refused_before_anything_is_made(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As large as the limits of any visitor's picture, whatever the small copy is."""
    source = stranger_pictures(tmp_path / "out", *size, png(Image.new("RGB", (8, 8))))
    monkeypatch.setattr(Image.Image, "resize", None)
    with pytest.raises(ImageError, match=r"pixels"):
        source.photo("a.png", "me")


def test_a_small_copy_that_is_a_bomb_is_refused(tmp_path: Path) -> None:
    """Its own header decides, in the process that reads strangers' files."""
    source = stranger_pictures(tmp_path / "out", 64, 64, png(Image.new("1", (20_000, 20_000))))
    with pytest.raises(ImageError, match="20,000 by 20,000"):
        source.photo("a.png", "me")


def test_tables_that_unpack_to_too_much_are_not_unpacked(
    capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claims of their groups of rows are checked first: of numbers, exemplars and pictures."""
    monkeypatch.setattr("viz.exemplars.finished.tables.MOST_AT_A_TIME", 100)
    with pytest.raises(RequestError, match="unpacks to more than"):
        _ = opened(capture).store
    with pytest.raises(RequestError, match="unpacks to more than"):
        pictures_of(capture)
    assert opened(capture).boxes("second", 0, 1) == {}


def test_a_table_of_more_rows_than_there_is_room_for_is_refused(
    capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table counts, not what the card says of it."""
    card = json.loads((capture / "card.json").read_text())
    (capture / "card.json").write_text(json.dumps(card | {"done": 0}))
    rows = pq.read_metadata(capture / "maxima.parquet").num_rows
    free = shutil.disk_usage(capture)._replace(free=rows)
    monkeypatch.setattr("viz.ui.folders.captured.shutil.disk_usage", lambda _: free)
    with pytest.raises(RequestError, match="folder for temporary files"):
        _ = opened(capture).store


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


def write_table(out: Path, rows: list[tuple[str, str, int]]) -> Path:
    """A capture of these pictures, layers and channels, all of whose numbers are zero."""
    fixed = {"call": 0, "maximum": 0.0, "mean": 0.0, "row": 0, "column": 0}
    found = [{"picture": name, "layer": layer, "channel": channel, **fixed} for name, layer, channel in rows]
    pq.write_table(pa.Table.from_pylist(found, MAXIMA), out / "maxima.parquet", row_group_size=50)
    (out / "card.json").write_text("{}")
    return out


def test_small_pictures_that_take_as_much_as_a_large_first_one_fill_no_disk(tmp_path: Path) -> None:
    """Each takes a place for every channel of the first: a hundred rows may take no more than a hundred."""
    large = [("first.png", "first", channel) for channel in range(60)]
    assert len(opened(write_table(tmp_path, large)).store.pictures) == 1
    small = [(f"{number}.png", "first", 0) for number in range(40)]
    with pytest.raises(RequestError, match="cannot read"):
        _ = opened(write_table(tmp_path, large + small)).store


def test_a_picture_has_no_more_channels_than_memory_has_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of a picture wait for its last one; here for a hundred at most."""
    monkeypatch.setattr("viz.ui.folders.captured._MOST_CHANNELS", 100)
    for count in (100, 101):
        write_table(tmp_path, [("first.png", "first", channel) for channel in range(count)])
        if count == 100:
            assert opened(tmp_path).store.channels == 100
        else:
            with pytest.raises(RequestError, match="cannot read"):
                _ = opened(tmp_path).store


def test_more_pictures_than_memory_has_room_for_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that take turns are a new one in each row; a file of a few bytes can have millions."""
    write_table(tmp_path, [(f"{number % 2}.png", "first", 0) for number in range(300)])
    assert len(opened(tmp_path).store.pictures) == 300
    monkeypatch.setattr("viz.exemplars.finished.tables.MOST_AT_A_TIME", 10_000)
    monkeypatch.setattr("viz.exemplars.finished.tables._KEPT_OF_A_BYTE", 1)
    with pytest.raises(RequestError, match="takes more than"):
        _ = opened(tmp_path).store
