"""Numbers of pictures on the disk: what is read is what was written, also after a kill at any moment."""

from pathlib import Path

import numpy as np
import pytest

from viz.errors import RequestError
from viz.exemplars.looked import Channels
from viz.sentences import Sentence, counted
from viz.ui.folders.store import Store, vanishing_folder
from viz.views.folder.tasks import PicturePeaks

CALLS = (Channels("first", 0, 3), Channels("second", 0, 2))


def peaks(seed: int, calls: tuple[Channels, ...] = CALLS) -> PicturePeaks:
    """Made-up numbers of one picture."""
    random, count = np.random.default_rng(seed), sum(call.channels for call in calls)
    maximum, mean = random.normal(size=(2, count)).astype(np.float32)
    row, column = random.integers(0, 50, (2, count), dtype=np.int32)
    return PicturePeaks(calls, maximum, mean, row, column, (8, 8), 0.1)


def filled(folder: Path, count: int) -> Store:
    """A store with so many pictures and one that cannot be read."""
    store = Store(folder)
    with store.writing():
        for number in range(count):
            store.add(f"{number}.png", (9, 7), peaks(number))
        store.leave_out("bad.png", "no picture")
    return store


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    """Each call's numbers, and those of one channel alone, by this store and by one that opens the files."""
    for store in (filled(tmp_path, 4), Store(tmp_path)):
        block = store.block("second", 0)
        assert block is not None
        for number in range(4):
            said = peaks(number)
            np.testing.assert_array_equal(block.maximum[number], said.maximum[3:])
            np.testing.assert_array_equal(block.mean[number], said.mean[3:])
            np.testing.assert_array_equal(block.row[number], said.row[3:])
            np.testing.assert_array_equal(block.column[number], said.column[3:])
        alone = store.block("first", 0, 2)
        assert alone is not None
        np.testing.assert_array_equal(alone.maximum[:, 0], [peaks(number).maximum[2] for number in range(4)])
        assert (store.done, store.unreadable) == (5, {"bad.png": "no picture"})
        assert store.pictures[0] == ("0.png", (9, 7), (8, 8))
    assert store.block("third", 0) is None
    assert store.block("first", 0, 3) is None


def test_a_reason_can_be_translated_also_after_it_was_read(tmp_path: Path) -> None:
    """With the sentences in it; what is no sentence is damage, like a line of another form."""
    reason = Sentence(
        "{file}: {why}", file="a.png", why=counted("one {part}", "{count}", count=1, part="bit")
    )
    for store in (filled(tmp_path, 0), Store(tmp_path)):
        with store.writing():
            store.leave_out("a.png", reason)
    (kept,) = (each for each in (Store(tmp_path).unreadable["a.png"],) if isinstance(each, Sentence))
    assert (kept, kept.english, kept.values["why"].english) == (reason, "{file}: {why}", "one {part}")
    with (tmp_path / "pictures.jsonl").open("ab") as lines:
        lines.write(b'{"picture":"b.png","problem":{"english":"{a.b}","many":"","values":{}}}\n')
    assert Store(tmp_path).unreadable == {"bad.png": "no picture", "a.png": reason}


def test_no_two_write_at_once_in_one_server_either(tmp_path: Path) -> None:
    """A pass may begin beside the one whose place it takes: their records would get mixed."""
    first, second = Store(tmp_path), Store(tmp_path)
    with first.writing():
        first.add("a.png", (9, 7), peaks(1))
        with pytest.raises(RequestError, match="wait for it"), second.writing():
            pass
        first.add("b.png", (9, 7), peaks(2))
    with second.writing():
        assert [each.name for each in second.pictures] == ["a.png", "b.png"]


@pytest.mark.parametrize("lost", [1, 7, 60])
def test_a_pass_that_was_killed_goes_on_behind_the_last_whole_picture(tmp_path: Path, lost: int) -> None:
    """The end of the numbers or of the lines is missing: what is written then stands where it should."""
    filled(tmp_path, 4)
    for name in ("numbers.bin", "pictures.jsonl"):
        path = tmp_path / name
        path.write_bytes(path.read_bytes()[:-lost])
    store = Store(tmp_path)
    before = len(store.pictures)
    assert before < 5
    with store.writing():
        missing = [f"{number}.png" for number in range(4) if f"{number}.png" not in store.seen]
        for name in missing:
            store.add(name, (9, 7), peaks(int(name[0])))
    block = Store(tmp_path).block("first", 0)
    assert block is not None
    order = [int(each.name[0]) for each in Store(tmp_path).pictures]
    assert sorted(order) == [0, 1, 2, 3]
    np.testing.assert_array_equal(block.maximum, [peaks(number).maximum[:3] for number in order])


def test_a_picture_with_other_calls_has_no_number_for_those_that_it_lacks(tmp_path: Path) -> None:
    """NaN stands there; a call that the first picture had not is passed over."""
    store = Store(tmp_path)
    other = peaks(1, (Channels("second", 0, 2), Channels("third", 0, 1)))
    with store.writing():
        store.add("0.png", (9, 7), peaks(0))
        store.add("1.png", (9, 7), other)
    first, second = store.block("first", 0), store.block("second", 0)
    assert first is not None
    assert second is not None
    assert np.isnan(first.maximum[1]).all()
    np.testing.assert_array_equal(second.maximum[1], other.maximum[:2])


def test_the_summary_is_mean_and_deviation_without_nan(tmp_path: Path) -> None:
    """As NumPy has them, over all channels; a picture that is added changes it."""
    store = filled(tmp_path, 6)
    values = np.array([peaks(number).maximum for number in range(6)], np.float64)
    np.testing.assert_allclose(store.summary().mean, values.mean(0))
    np.testing.assert_allclose(store.summary().deviation, values.std(0))
    odd = peaks(9)
    odd.maximum[:] = np.nan
    with store.writing():
        store.add("nan.png", (9, 7), odd)
    np.testing.assert_allclose(store.summary().deviation, values.std(0))


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    """As on a full disk: the file's place is taken by a folder."""
    store = filled(tmp_path, 1)
    (tmp_path / "numbers.bin").unlink()
    (tmp_path / "numbers.bin").mkdir()
    with pytest.raises(RequestError, match="cannot write into"):
        store.add("1.png", (9, 7), peaks(1))
    assert [each.name for each in store.pictures] == ["0.png"]


@pytest.mark.parametrize("damage", [b"\0\0\0\0", b'{"picture": "\xff\xfe', b'{"picture": 3}', b"{}"])
def test_a_damaged_line_costs_what_stands_behind_it_alone(tmp_path: Path, damage: bytes) -> None:
    """As after a loss of power: pictures before it keep their numbers, also behind the next start."""
    filled(tmp_path, 4)
    path = tmp_path / "pictures.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines[2] = damage
    path.write_bytes(b"\n".join(lines))
    store = Store(tmp_path)
    assert [each.name for each in store.pictures] == ["0.png", "1.png"]
    with store.writing():
        for name in ("2.png", "3.png"):
            store.add(name, (9, 7), peaks(int(name[0]) + 10))
    block = Store(tmp_path).block("first", 0)
    assert block is not None
    np.testing.assert_array_equal(block.maximum, [peaks(seed).maximum[:3] for seed in (0, 1, 12, 13)])


def test_numbers_lie_on_the_disk_before_the_lines_that_speak_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So no line is there without its record after a loss of power; not for each picture: slow."""
    settled: list[str] = []
    monkeypatch.setattr("viz.ui.folders.store.settle_file", lambda path: settled.append(path.name))
    filled(tmp_path, 50)
    assert settled == ["numbers.bin", "pictures.jsonl"]


def test_a_picture_that_has_changed_or_is_gone_does_not_count(tmp_path: Path) -> None:
    """The others keep their numbers; the one that was looked at again has the new ones."""
    stamps = {"0.png": "a", "1.png": "a", "2.png": "a", "bad.png": "a"}
    store = Store(tmp_path, lambda: stamps)
    with store.writing():
        for number in range(3):
            store.add(f"{number}.png", (9, 7), peaks(number), "a")
        store.leave_out("bad.png", "no picture", "a")
    del stamps["0.png"]
    stamps |= {"1.png": "b", "bad.png": "b"}
    again = Store(tmp_path, lambda: stamps)
    assert (again.seen, [each.name for each in again.pictures]) == ({"2.png"}, ["2.png"])
    with again.writing():
        again.add("1.png", (9, 7), peaks(11), "b")
    for each in (again, Store(tmp_path, lambda: stamps)):
        found = each.numbers("maximum", "second", 0)
        np.testing.assert_array_equal(found, [peaks(2).maximum[3:], peaks(11).maximum[3:]])
        np.testing.assert_allclose(each.summary().mean, (peaks(2).maximum + peaks(11).maximum) / 2, rtol=1e-5)


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both where passes are kept, and where those that are not kept lie."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RequestError, match="cannot keep what it finds in pictures: not a directory"):
        Store(tmp_path / "file" / "below")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(RequestError, match="TMPDIR"):
        vanishing_folder(object())


def test_one_number_is_read_alone(tmp_path: Path) -> None:
    """It is that of the block."""
    store = filled(tmp_path, 3)
    block = store.block("second", 0, 1)
    assert block is not None
    for name in ("maximum", "mean", "row", "column"):
        np.testing.assert_array_equal(store.numbers(name, "second", 0, 1), getattr(block, name))
    assert store.numbers("mean", "third", 0) is None
