"""A whole capture of a folder: read by others without us, equal however it was interrupted, full disks."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from tests.models.test_partial_file import may_mount
from tests.viz.exemplars.folders import Small, capture_of, contents, noise, outputs, search_of
from viz.__main__ import main
from viz.exemplars.listing import pictures
from viz.exemplars.rawmaps import form
from viz.exemplars.search import exemplars

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several files of each array, also of few pictures."""
    monkeypatch.setattr(form, "_MOST_PICTURES", 8)


def folder_of(path: Path) -> Path:
    """Pictures with two among them that cannot be read."""
    folder = noise(path, 21)
    (folder / "0003.jpg").write_text("no picture")
    (folder / "zero.png").touch()
    return folder


def captured(folder: Path, out: Path, **more: object) -> None:
    """Everything that can be kept of a folder."""
    exemplars(*capture_of(search_of(folder, out, Small(), "first"), "relu", "second"), **more)


READING = """
    import json, sys
    import duckdb, numpy, pandas, zarr

    out, found = sys.argv[1], {}
    maxima = pandas.read_parquet(f"{out}/maxima.parquet")
    found["columns"] = list(maxima.columns)
    found["maxima"] = len(maxima)
    query = f"SELECT picture, maximum FROM '{out}/maxima.parquet' WHERE channel = 3 " \\
        f"ORDER BY maximum DESC LIMIT 3"
    found["strongest"] = duckdb.sql(query).fetchall()
    joined = f"SELECT number, e.picture, row, \\"column\\", value, octet_length(thumbnail) " \\
        f"FROM '{out}/exemplars.parquet' e JOIN '{out}/pictures.parquet' USING (picture) " \\
        f"WHERE channel = 3 AND rank = 0"
    found["best"] = duckdb.sql(joined).fetchall()
    with open(f"{out}/card.json", encoding="utf-8") as file:
        card = json.load(file)
    group = zarr.open_group(f"{out}/maps.zarr", mode="r")
    found["arrays"] = {
        each["array"]: group[each["array"].removeprefix("maps.zarr/")][:].tolist() for each in card["arrays"]
    }
    found["ours"] = [name for name in sys.modules if name.split(".")[0] in {"viz", "models", "layerglass"}]
    json.dump(found, sys.stdout)
"""


def test_pandas_duckdb_and_zarr_read_a_capture_without_us(tmp_path: Path) -> None:
    """In a process that imports nothing of ours; the numbers are those of plain hooks."""
    folder, out, net = folder_of(tmp_path / "pictures"), tmp_path / "out", Small()
    captured(folder, out)
    command = [sys.executable, "-c", textwrap.dedent(READING), str(out)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True)
    found = json.loads(done.stdout)
    assert found["ours"] == []
    names = ["picture", "layer", "call", "channel", "maximum", "mean", "row", "column"]
    assert found["columns"] == [*names, "minimum", "deviation", "positive"]
    assert found["maxima"] == 21 * 5
    listed = list(pictures(folder))
    bad = {"0003.jpg", "zero.png"}
    hooked = outputs_of_good(folder, net, bad)
    strongest = sorted(
        ((path, float(hooked[path, "first", 0][3].max())) for path in listed if path not in bad),
        key=lambda each: -each[1],
    )
    assert [tuple(each) for each in found["strongest"]] == strongest[:3]
    ((number, path, row, column, value, size),) = found["best"]
    assert (listed[number], path) == (strongest[0][0], strongest[0][0])
    assert hooked[path, "first", 0][3, row, column] == np.float32(value)
    assert size > 100
    assert sorted(found["arrays"]) == [
        f"maps.zarr/{name}" for name in ("relu-0-5x6x6", "relu-1-4x6x6", "second-0-4x6x6")
    ]
    for name, rows in found["arrays"].items():
        layer, call = name.removeprefix("maps.zarr/").split("-")[:2]
        for path, row in zip(listed, np.array(rows, np.float32), strict=True):
            if path in bad:
                assert np.isnan(row).all()
            else:
                assert np.array_equal(row, hooked[path, layer, int(call)])


def outputs_of_good(folder: Path, net: Small, bad: set[str]) -> dict[tuple[str, str, int], np.ndarray]:
    """Return the outputs, by plain hooks, of the pictures that can be read."""
    good = folder.parent / "good"
    shutil.copytree(folder, good)
    for name in bad:
        (good / name).unlink()
    return outputs(good, net, ["first", "relu", "second"])


def test_further_statistics_are_those_of_numpy(tmp_path: Path) -> None:
    """For every channel of every picture."""
    folder, net = noise(tmp_path / "pictures", 6), Small()
    captured(folder, tmp_path / "out")
    hooked = outputs(folder, net, ["first"])
    for row in pd.read_parquet(tmp_path / "out" / "maxima.parquet").itertuples():
        maps = hooked[row.picture, "first", 0][row.channel]
        assert (row.minimum, row.maximum) == (maps.min(), maps.max())
        assert row.deviation == pytest.approx(maps.astype(float).std(), rel=1e-5)
        assert row.positive == pytest.approx((maps > 0).mean(), rel=1e-6)


def test_row_n_is_picture_n_also_of_those_left_out(tmp_path: Path) -> None:
    """With its size and a thumbnail, or with the reason."""
    folder = folder_of(tmp_path / "pictures")
    captured(folder, tmp_path / "out")
    rows = pd.read_parquet(tmp_path / "out" / "pictures.parquet")
    assert list(rows.columns) == ["number", "picture", "width", "height", "problem", "thumbnail"]
    assert rows.picture.tolist() == list(pictures(folder))
    assert rows.number.tolist() == list(range(23))
    bad = rows[rows.problem.notna()]
    assert bad.picture.tolist() == ["0003.jpg", "zero.png"]
    assert bad.thumbnail.isna().all()
    good = rows[rows.problem.isna()]
    assert set(zip(good.width, good.height, strict=True)) == {(8, 8)}
    assert all(each.startswith(b"\xff\xd8") for each in good.thumbnail)


@pytest.mark.parametrize("stops", [(1,), (7, 9), (8, 16), (22,)])
def test_a_capture_that_was_stopped_goes_on_with_the_same_bytes(
    tmp_path: Path, stops: tuple[int, ...]
) -> None:
    """All files, the card and raw maps too; before that, what is done can be read."""
    folder = folder_of(tmp_path / "pictures")
    captured(folder, tmp_path / "whole")
    out = tmp_path / "out"
    for stop in stops:
        done: list[int] = []
        captured(
            folder,
            out,
            resume=True,
            advance=done.append,
            stopping=lambda stop=stop, done=done: done[-1] >= stop,
        )
        assert len(pd.read_parquet(out / "pictures.parquet")) == stop
    captured(folder, out, resume=True)
    assert contents(out) == contents(tmp_path / "whole")


FULL = """
    import sys
    from dataclasses import replace
    from pathlib import Path
    from tests.viz.exemplars.folders import Small, capture_of, search_of
    from viz.errors import RequestError
    from viz.exemplars.rawmaps import form
    from viz.exemplars.search import exemplars

    form._MOST_PICTURES = 8
    folder, out, filler = map(Path, sys.argv[1:])
    search, request = capture_of(search_of(folder, out, Small(), "first"), "relu", "second")
    search, done = replace(search, most_seconds=0), []
    def advance(count):
        done.append(count)
        if count == 9:
            try:
                with filler.open("wb", buffering=0) as file:
                    while file.write(bytes(256)):
                        pass
            except OSError:
                pass
    try:
        exemplars(search, request, advance=advance)
    except RequestError as error:
        print(error)
    filler.unlink()
    exemplars(search, request, resume=True, advance=done.append)
    print(max(done), done[done.index(9) + 1:].count(9))
"""


@pytest.mark.slow
@pytest.mark.skipif(not may_mount(), reason="this system does not let us mount a small disk")
def test_a_disk_that_is_full_is_said_and_with_room_again_the_bytes_are_the_same(tmp_path: Path) -> None:
    """A disk of a megabyte that is suddenly full to the last byte, in the midst of raw maps."""
    folder, disk, kept = folder_of(tmp_path / "pictures"), tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    program = (
        f"mount -t tmpfs -o size=1m tmpfs {disk} && "
        f'{sys.executable} -c "$0" {folder} {disk}/out {disk}/filler && cp -r {disk}/out {kept}'
    )
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", program, textwrap.dedent(FULL)]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    said, counted = done.stdout.splitlines()
    assert said.startswith(f"cannot write {disk}/out")
    assert said.endswith(": no space left on device")
    assert counted.startswith("23 ")
    captured(folder, tmp_path / "whole")
    assert contents(kept) == contents(tmp_path / "whole")


def test_what_the_document_tells_to_type_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its first command, with raw maps of one layer, and then each of its programs and queries."""
    text = (ROOT / "docs" / "captures.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(sql|python)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert [kind for kind, _ in blocks] == ["python", "sql", "python", "python", "python"]
    noise(tmp_path / "photos", 5)
    monkeypatch.chdir(tmp_path)
    words = "capture-folder photos --model photonet --layers Conv2d --maps stem.conv --half --out capture"
    assert main(words.split()) == 0
    capsys.readouterr()
    for kind, program in blocks:
        if kind == "sql":
            assert len(duckdb.sql(program).fetchall()) == 5
        else:
            exec(compile(program, "captures.md", "exec"), {})
    said = capsys.readouterr().out
    assert "stem.conv" in said
    assert "(32, 32, 32) (8, 8)" in said
