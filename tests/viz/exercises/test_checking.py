"""The command's check: what a teacher is told about a folder of exercises."""

from pathlib import Path

import pytest

from tests.viz.exercises.files import FILE, changed
from viz.__main__ import main
from viz.exercises.checking import faults
from viz.exercises.exercise import Exercise


def judged(_: Exercise, code: str) -> tuple[str, ...]:
    """Say that everything is wrong but what appends."""
    return () if "append" in code else ("wrong",)


def folder_of(tmp_path: Path, **texts: str) -> Path:
    """A folder with one exercise in some languages."""
    for language, text in texts.items():
        (tmp_path / language).mkdir()
        (tmp_path / language / "1-keep.md").write_text(text)
    return tmp_path


def test_nothing_is_said_of_exercises_that_are_in_order(tmp_path: Path) -> None:
    """Texts may differ between languages, and comments in the code."""
    other = changed("maps = None", "maps = None  # hier").replace("One.", "Eins.")
    assert list(faults(folder_of(tmp_path, en=FILE, de=other), judged)) == []


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (changed("maps = None", "maps = 3"), "## Start"),
        (changed("kept[0]", "kept[1]"), "## Solution"),
        (changed("hooks: 0", "hooks: 1"), "headers"),
        (changed("maps = picture", "maps = 1"), "## Mistake"),
        (changed("## Hint\nTwo.", "## Hint"), "sentence"),
    ],
)
def test_languages_must_ask_for_the_same(tmp_path: Path, other: str, said: str) -> None:
    """Code, headers and sections; the file is named."""
    found = list(faults(folder_of(tmp_path, de=FILE, en=other), judged))
    assert any(said in each and each.startswith("en/1-keep.md:") for each in found), found


def test_a_language_that_lacks_an_exercise_is_named(tmp_path: Path) -> None:
    """A folder of a language is a promise."""
    (folder_of(tmp_path, en=FILE) / "zh").mkdir()
    assert list(faults(tmp_path, judged)) == ["en/1-keep.md:1: it is missing in zh/."]


def test_solutions_must_be_right_and_all_else_wrong(tmp_path: Path) -> None:
    """The code to begin with, and each mistake, which is named with its line."""
    text = changed("maps = picture", "x.append(1)").replace("kept.append(output)", "pass")
    found = list(faults(folder_of(tmp_path, en=text), judged))
    assert found == [
        "en/1-keep.md:1: its solution is not right: wrong",
        "en/1-keep.md:27: this mistake is a right answer.",
    ]
    assert "right already" in next(
        faults(folder_of(_made(tmp_path / "b"), en=changed("maps = None", "append")), judged)
    )


def test_a_folder_without_exercises_is_said_to_be_one(tmp_path: Path) -> None:
    """Also one that does not exist."""
    assert "no folder of a language" in next(faults(tmp_path / "nothing", judged))


def test_the_command_says_what_is_wrong_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0 and one sentence if nothing is; the net and the hooks are real."""
    assert main(["exercises", "check", str(folder_of(tmp_path, en=FILE))]) == 0
    assert "can be given to a class" in capsys.readouterr().out
    (tmp_path / "en" / "1-keep.md").write_text(changed("maps = kept[0]", "maps = picture"))
    assert main(["exercises", "check", str(tmp_path)]) == 1
    assert "1-keep.md:27: this mistake is a right answer" in capsys.readouterr().out


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
