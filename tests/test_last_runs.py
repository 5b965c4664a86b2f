"""The tests that may be left out of a run in CI were run not long ago."""

import json
import subprocess
from pathlib import Path

import pytest

from tests import last_runs
from tests.conftest import measured
from tests.last_runs import MOST_COMMITS, commits_since, record, recorded


@pytest.mark.parametrize("name", ["models", "ray"])
def test_what_may_be_left_out_has_been_run_within_a_hundred_commits(name: str) -> None:
    """If not: ``make test-models`` or ``make test-ray``, and commit the record that it writes."""
    since = commits_since(name)
    if since is None:
        pytest.skip("there is no history here to count the commits in")
    assert since <= MOST_COMMITS


def test_a_run_is_recorded_with_its_commit_and_grows_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a repository of its own, where two commits follow; without one there is nothing to count."""

    def git(*words: str) -> None:
        named = ("-c", "user.name=Reader", "-c", "user.email=reader@example.org")
        subprocess.run(["git", *named, *words], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setattr(last_runs, "ROOT", tmp_path)
    monkeypatch.setattr(last_runs, "RECORDS", tmp_path / "runs.json")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    record("models", 0, 0)
    assert commits_since("models") is None
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "-m", "First")
    record("ray", 12, 90)
    written = json.loads((tmp_path / "runs.json").read_text("utf-8"))
    assert written == recorded()
    assert written["ray"] | {"commit": "", "date": ""} == {
        "commit": "",
        "date": "",
        "cases": 12,
        "minutes": 1.5,
    }
    assert written["models"]["cases"] == 0
    assert commits_since("ray") == 0
    for subject in ("Second", "Third"):
        git("commit", "--quiet", "--allow-empty", "-m", subject)
    assert commits_since("ray") == 2
    for date, commits in (("2000-01-01T00:00:00+00:00", 3), ("2099-01-01T00:00:00+00:00", 0)):
        unknown = written["ray"] | {"commit": "0" * 40, "date": date}  # as after a rebase
        (tmp_path / "runs.json").write_text(json.dumps({"ray": unknown}), "utf-8")
        assert commits_since("ray") == commits


def test_the_seconds_of_some_files_leave_those_of_others() -> None:
    """A function that ran is measured anew; what is quick by now, or gone, is not listed."""
    here, other, gone = (
        "tests/test_last_runs.py::test_a",
        "tests/test_machine.py::test_b",
        "tests/gone.py::test_c",
    )
    known = {here: 9.0, f"{here}_now_quick": 1.0, f"{here}_renamed": 4.0, other: 2.0, gone: 3.0}
    run = {here: 0.456, f"{here}_now_quick": 0.01}
    assert json.loads(measured(known, run, whole=True)) == {here: 0.46, other: 2.0}
    kept = {here: 0.46, f"{here}_renamed": 4.0, other: 2.0}
    assert json.loads(measured(known, run, whole=False)) == kept  # the slow ones of the file did not run
