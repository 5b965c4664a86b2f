"""Reading a run's files as arrays: against what was written, and against a real run."""

import json
import resource
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.viz.exemplars.folders import Small, noise, searched
from tests.viz.lens.made import calls_of, capture_of, write
from viz.errors import RequestError
from viz.exemplars.finished.card import Call, card_of
from viz.lens import capture as module
from viz.lens.capture import read_capture


def test_every_number_is_where_its_row_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a layer with two calls, with a part of the file at a time, and where a picture lacks a call."""
    calls = (Call("a", "ReLU", 0, 3), Call("a", "ReLU", 1, 2), Call("b", "Conv2d", 0, 4))
    mean = np.random.default_rng(0).normal(size=(11, 9)).astype(np.float32)
    mean[4, 3:5] = np.nan
    made = capture_of(mean, calls)
    folder = write(tmp_path / "run", made)
    monkeypatch.setattr(module, "_READ_AT_ONCE", 10)
    found = read_capture(folder)
    assert (found.pictures, found.calls, found.starts) == (made.pictures, calls, (0, 3, 5, 9))
    np.testing.assert_array_equal(found.mean, mean)
    np.testing.assert_array_equal(found.maximum, 2 * mean)
    np.testing.assert_array_equal(read_capture(folder, ["b"]).mean, mean[:, 5:])


def test_what_does_not_fit_into_memory_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies in a file that nobody sees."""
    made = capture_of(np.random.default_rng(0).normal(size=(5, 4)), calls_of(4))
    monkeypatch.setattr(module, "_MOST_IN_MEMORY", 1)
    found = read_capture(write(tmp_path / "run", made))
    assert isinstance(found.mean, np.memmap)
    np.testing.assert_array_equal(found.mean, made.mean)


def test_a_real_run_is_read_as_pandas_reads_it(tmp_path: Path) -> None:
    """Pandas pivots the same table."""
    folder, out = noise(tmp_path / "pictures", 9), tmp_path / "out"
    searched(folder, out, Small(), "first", "relu")
    found = read_capture(out)
    table = pd.read_parquet(out / "maxima.parquet")
    pivoted = table.pivot_table(index="picture", columns=["layer", "call", "channel"], values="maximum")
    assert [(each.layer, each.call, each.channels) for each in found.calls] == [
        ("first", 0, 5),
        ("relu", 0, 5),
        ("relu", 1, 4),
    ]
    assert sorted(found.pictures) == list(pivoted.index)
    columns = [(each.layer, each.call, n) for each in found.calls for n in range(each.channels)]
    np.testing.assert_allclose(found.maximum, pivoted.loc[list(found.pictures), columns].to_numpy())
    assert card_of(out).done == 9


def test_what_is_no_run_is_said_in_one_sentence(tmp_path: Path) -> None:
    """A folder without files, a card of something else, a table that does not fit the card."""
    with pytest.raises(RequestError, match="is no finished capture"):
        read_capture(tmp_path)
    folder = write(tmp_path / "run", capture_of(np.ones((5, 4)), calls_of(4)))
    with pytest.raises(RequestError, match="nothing about these layers"):
        read_capture(folder, ["other"])
    card = json.loads((folder / "card.json").read_text())
    for wrong in ({"done": 3}, {"channels": [{**card["channels"][0], "channels": 2}]}):
        (folder / "card.json").write_text(json.dumps(card | wrong))
        with pytest.raises(RequestError, match=r"has rows of which card\.json knows nothing"):
            read_capture(folder)
    (folder / "card.json").write_text('{"model": 3}')
    with pytest.raises(RequestError, match=r"no readable card\.json"):
        read_capture(folder)
    (folder / "card.json").write_text(json.dumps(card))
    (folder / "maxima.parquet").write_bytes(b"PAR1 no table PAR1")
    with pytest.raises(RequestError, match=r"cannot read .*maxima\.parquet"):
        read_capture(folder)


def test_a_full_disk_is_said_and_ends_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Room for the file is asked for before a number is written: in a map that would end the process."""
    monkeypatch.setattr(module, "_MOST_IN_MEMORY", 1)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(RequestError, match="GB twice in the folder for temporary files: file too large"):
            module._filled(1000, 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []
    assert np.isnan(module._filled(10, 10)).all()


def test_a_system_that_reserves_no_room_has_a_capture_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Windows and macOS have no ``posix_fallocate``; a full disk is said there as well."""
    monkeypatch.delattr("os.posix_fallocate")
    test_a_full_disk_is_said_and_ends_nothing(monkeypatch, tmp_path)
