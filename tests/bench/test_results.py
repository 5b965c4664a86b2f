"""Tables of measurements: rows with their commits, marks of age, and a history that a program can read."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench import results

ROOT = Path(__file__).parents[2]
TABLE = "| what | ms |\n|---|---:|\n| pick | 3 |\n| flip | 1 |"
TITLE = "Drawing a layer"


def test_each_row_of_each_table_is_stamped() -> None:
    """A head, a line below it, rows; words between two tables stay."""
    lines = results.stamped(f"{TABLE}\n\nwords\n\n{TABLE}", "abcdef12").splitlines()
    assert lines[:3] == ["| what | ms | commit |", "|---|---:| --- |", "| pick | 3 | abcdef12 |"]
    assert (lines[5], lines[-1]) == ("words", "| flip | 1 | abcdef12 |")


@pytest.mark.parametrize(("after", "mark"), [(0, ""), (200, ""), (201, ", old"), (None, ", old")])
def test_a_row_of_more_than_two_hundred_commits_ago_is_marked(after: int | None, mark: str) -> None:
    """So is one that is not in the history; a mark is not set twice, and one that is wrong goes."""
    text = results.stamped(TABLE, "abcdef12+")
    for _ in range(2):
        text = results.marked(text, lambda _: after)
        assert text.splitlines()[-1] == f"| flip | 1 | abcdef12+{mark} |"
    assert results.marked(text, lambda _: 0) == results.stamped(TABLE, "abcdef12+")


def test_a_section_is_replaced_and_the_others_stay() -> None:
    """A section that a run does not measure keeps its place; a new section comes last."""
    text = "# Results\n\nhead\n\n## a\n\nold\n\n## b\n\nkept\n"
    text = results.replaced(results.replaced(text, "a", "new\n"), "c", "first")
    assert text == "# Results\n\nhead\n\n## a\n\nnew\n\n## b\n\nkept\n\n## c\n\nfirst\n"


def test_a_line_of_history_has_every_row_by_its_columns(tmp_path: Path) -> None:
    """One line for each run; empty cells keep their place."""
    history = tmp_path / "history.jsonl"
    for commit in ("a", "b"):
        results.append(history, {"commit": commit}, {TITLE: TABLE + "\n| hover |  |\n"})
    first, second = map(json.loads, history.read_text("utf-8").splitlines())
    assert (first["commit"], second["commit"]) == ("a", "b")
    assert first["rows"][TITLE] == [
        {"what": "pick", "ms": "3"},
        {"what": "flip", "ms": "1"},
        {"what": "hover", "ms": ""},
    ]


def test_a_run_stamps_what_it_measured_and_marks_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A section measured now, and one of a commit that is not in the history; a second run adds a line."""
    document, history = tmp_path / "RESULTS.md", tmp_path / "history.jsonl"
    document.write_text(f"# R\n\n## Kept\n\n{results.stamped(TABLE, 'f' * 8)}\n", "utf-8")
    for name, value in (("RESULTS", document), ("HISTORY", history), ("SCRIPTS", {"a.py": TITLE})):
        monkeypatch.setattr(bench, name, value)
    monkeypatch.setattr(bench, "measured", lambda _: TABLE)
    monkeypatch.setattr(results, "commit", lambda: "abcdef12")
    monkeypatch.setattr(results, "age", {"abcdef12": 0}.get)
    for runs in (1, 2):
        bench.main()
        assert [row["commit"] for row in results.rows(document.read_text("utf-8"))] == [
            *["ffffffff, old"] * 2,
            *["abcdef12"] * 2,
        ]
        lines = history.read_text("utf-8").splitlines()
        assert len(lines) == runs
        assert json.loads(lines[-1])["rows"] == {
            TITLE: [{"what": "pick", "ms": "3"}, {"what": "flip", "ms": "1"}]
        }


def test_the_age_of_a_commit_is_how_many_came_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a repository of three commits; a file that differs is a plus, a commit of elsewhere has no age."""

    def git(*command: str) -> str:
        own = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", *own, *command], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "-q")
    (tmp_path / "file").write_text("", "ascii")
    git("add", "file")
    for turn in range(3):
        git("commit", "-q", "--allow-empty", "-m", str(turn))
    monkeypatch.setattr(results, "HERE", tmp_path)
    results.age.cache_clear()
    first, head = git("rev-list", "HEAD").splitlines()[-1], results.commit()
    assert git("rev-parse", "HEAD").startswith(head)
    assert (results.age(head), results.age(first), results.age("f" * 40)) == (0, 2, None)
    (tmp_path / "file").write_text("other", "ascii")
    assert results.commit() == f"{head}+"
    results.age.cache_clear()


def test_every_row_of_the_results_says_of_which_commit_it_is() -> None:
    """And each line of the history is JSON with a day, a commit and rows."""
    found = results.rows((ROOT / "bench/RESULTS.md").read_text("utf-8"))
    assert found
    assert all(re.fullmatch(r"[0-9a-f]{7,40}\+?(, old)?", row[results.COLUMN]) for row in found)
    for line in (ROOT / "bench/history.jsonl").read_text("utf-8").splitlines():
        assert json.loads(line).keys() == {"date", "commit", "machine", "rows"}
