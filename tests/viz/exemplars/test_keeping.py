"""The folder of results: whose it is, what lies in it, and what is refused."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.viz.exemplars.test_ranking import looked
from viz.errors import RequestError
from viz.exemplars import keeping as room
from viz.exemplars.keeping import RunFolder
from viz.exemplars.looked import PictureResult
from viz.exemplars.tables import KEPT, maxima_table, pictures_table

ROOT = Path(__file__).parents[3]


def part(begun: int, count: int) -> pa.Table:
    """The rows of so many pictures."""
    return maxima_table([looked(number, 1.0, 2.0, 3.0) for number in range(begun, begun + count)])


@pytest.mark.parametrize("sizes", [(10,), (1, 4, 5), (3, 3, 4)])
def test_where_parts_end_cannot_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...]
) -> None:
    """The joined file is the same, byte for byte, with groups of rows that span parts."""
    monkeypatch.setattr(room, "_GROUP", 7)
    written = []
    for name, each in (("whole", (10,)), ("parts", sizes)):
        keeping, begun = RunFolder(tmp_path / name), 0
        with keeping.opened(resume=False):
            for number, count in enumerate(each):
                keeping.add_part(number, part(begun, count), pictures_table([PictureResult(begun, "a.png")]))
                begun += count
            keeping.finish(KEPT.empty_table(), len(each), {})
        written.append((tmp_path / name / "maxima.parquet").read_bytes())
    assert written[0] == written[1]
    file = pq.ParquetFile(tmp_path / "parts" / "maxima.parquet")
    assert [file.metadata.row_group(n).num_rows for n in range(file.metadata.num_row_groups)] == [
        7,
        7,
        7,
        7,
        2,
    ]
    assert file.read().to_pylist() == part(0, 10).to_pylist()


HOLDING = """
import sys
from pathlib import Path
from viz.exemplars.keeping import RunFolder
with RunFolder(Path(sys.argv[1])).opened(resume=True):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    """The second one is refused for as long as the first one runs, and leaves nothing."""
    command = [sys.executable, "-c", HOLDING, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(RequestError, match="another run is writing"),
            RunFolder(tmp_path).opened(resume=True),
        ):
            pass
        other.communicate("\n")
    with RunFolder(tmp_path).opened(resume=True):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name",
    ["exemplars.parquet", "maxima.parquet", "pictures.parquet", "maps.zarr", "card.json", "unfinished"],
)
def test_results_are_not_written_over(tmp_path: Path, name: str) -> None:
    """Results of any kind count; other files do not matter."""
    (tmp_path / "notes.txt").touch()
    with RunFolder(tmp_path).opened(resume=False):
        pass
    (tmp_path / name).mkdir()
    with pytest.raises(RequestError, match="--resume goes on"), RunFolder(tmp_path).opened(resume=False):
        pass


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    """A state that is no Parquet, one without a state, a card that is no JSON, results without a card."""
    keeping = RunFolder(tmp_path)
    with keeping.opened(resume=True):
        assert keeping.saved() is None
        assert keeping.finished() is None
        kept = tmp_path / "unfinished" / "kept.parquet"
        kept.write_bytes(b"PAR1 or not")
        with pytest.raises(RequestError, match="is not what a run has left"):
            keeping.saved()
        pq.write_table(KEPT.empty_table(), kept)
        with pytest.raises(RequestError, match="is not what a run has left"):
            keeping.saved()
        kept.unlink()
        for text in ("no JSON", "[]"):
            (tmp_path / "card.json").write_text(text)
            with pytest.raises(RequestError, match="is not what a run has left"):
                keeping.finished()
        (tmp_path / "card.json").rename(tmp_path / "maxima.parquet")
        with pytest.raises(RequestError, match="is not what a run has left"):
            keeping.finished()


@pytest.mark.parametrize(
    ("place", "said"), [("file/out", "not a directory"), ("/proc/out", "cannot write /proc/out")]
)
def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, place: str, said: str) -> None:
    """In one sentence."""
    (tmp_path / "file").touch()
    with pytest.raises(RequestError, match=said), RunFolder(tmp_path / place).opened(resume=False):
        pass


def test_a_state_comes_back_with_what_is_kept(tmp_path: Path) -> None:
    """The last one that was saved."""
    keeping = RunFolder(tmp_path)
    with keeping.opened(resume=False):
        keeping.save({"done": 1}, KEPT.empty_table())
        keeping.save({"done": 2, "ünïcode": "图"}, KEPT.empty_table())
    with keeping.opened(resume=True):
        saved = keeping.saved()
        assert saved is not None
        assert saved.state == {"done": 2, "ünïcode": "图"}
        assert saved.kept.schema.names == KEPT.names
        keeping.forget()
    assert not list(tmp_path.iterdir())
