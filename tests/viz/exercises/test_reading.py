"""Exercises are read as they stand in their files, and what cannot be is refused with file and line."""

from pathlib import Path

import pytest

from tests.viz.exercises.files import FILE, changed
from viz.errors import RequestError
from viz.exercises.exercise import HINTS, Goal
from viz.exercises.folder import TEXTS, find, home, read_exercise, served
from viz.exercises.reading import exercise_from
from viz.exercises.refusal import ExerciseError
from viz.text_files import languages

WRONG = {
    "no title": (changed("# Keep the maps\n", ""), 1, "begins with #"),
    "empty": ("", 1, "empty"),
    "three marks": (changed("## Start", "### Start"), 13, "two"),
    "no name": (changed("## Start", "##"), 13, "two"),
    "another section": (changed("## Start", "## Begin"), 13, "no section Begin"),
    "another header": (changed("net: lenet", "nets: lenet"), 3, "no header nets"),
    "no header about": (changed("about: Hooks\n", ""), 1, "about:"),
    "no goal": (changed("same: maps\n", ""), 1, "same:"),
    "no name in the goal": (changed("same: maps", "same: 3x"), 5, "3x"),
    "no number": (changed("hooks: 0", "hooks: none"), 6, "whole number"),
    "an odd guess": (changed("hooks: 0", "guess: scores better"), 6, "guess:"),
    "no start": (changed("## Start\n```python\nmaps = None\n```\n", ""), 1, "## Start"),
    "two starts": (changed("## Solution", "## Start"), 33, "## Start"),
    "two hints": (changed("## Hint\nTwo.\n", ""), 1, "2 sections"),
    "an empty hint": (changed("Two.\n", ""), 21, "sentence"),
    "no code": (changed("```python\nmaps = picture\n```\n", ""), 27, "code"),
    "code without end": (FILE.rstrip("\n").removesuffix("```"), 35, "no line"),
    "two codes": (changed("## Hint\nOne", "```python\nx = 1\n```\n\n## Hint\nOne"), 18, "one piece"),
    "no Python": (changed("maps = None", "maps = ("), 15, "cannot read"),
    "no task": (changed("Keep what `net.conv1`\nreturns.\n\nA second paragraph.\n", ""), 1, "task"),
    "a header too low": (changed("One.", "same: maps"), 19, "below the title"),
}


def test_an_exercise_is_all_that_its_file_says() -> None:
    """Lines of a paragraph are joined; code keeps its lines."""
    found = exercise_from(FILE, "keep", "en/1-keep.md")
    assert (found.id, found.title, found.about, found.net, found.picture) == (
        "keep",
        "Keep the maps",
        "Hooks",
        "lenet",
        "cat",
    )
    assert found.task == ("Keep what `net.conv1` returns.", "A second paragraph.")
    assert found.hints == ("One.", "Two.", "Three.")
    assert found.start == "maps = None\n"
    assert [(each.text, each.code, each.line) for each in found.mistakes] == [
        ("This is the picture.", "maps = picture\n", 27)
    ]
    assert found.solution.endswith("maps = kept[0]\n")
    assert found.goal == Goal(same=("maps",), draw=("maps",))


def test_chinese_lines_are_joined_without_a_space() -> None:
    """As they are written."""
    found = exercise_from(changed("Keep what `net.conv1`\nreturns.", "留住这一层\n的输出。"), "keep", "x")
    assert found.task[0] == "留住这一层的输出。"


@pytest.mark.parametrize(("text", "line", "said"), WRONG.values(), ids=WRONG)
def test_a_file_that_says_too_little_is_refused_at_its_line(text: str, line: int, said: str) -> None:
    """One sentence: where, what, and what to do."""
    with pytest.raises(ExerciseError) as refused:
        exercise_from(text, "keep", "en/1-keep.md")
    assert str(refused.value).startswith(f"en/1-keep.md:{line}: "), str(refused.value)
    assert said in str(refused.value)


def test_a_file_of_another_name_is_refused(tmp_path: Path) -> None:
    """Its name says its place and its id."""
    file = tmp_path / "en" / "keep.md"
    file.parent.mkdir()
    file.write_text(FILE)
    with pytest.raises(ExerciseError, match=r"12-keep\.md"):
        read_exercise(file)


def test_three_exercises_for_each_lesson_are_served_in_every_language() -> None:
    """In the same order, each with three hints; a language without exercises gets English ones."""
    spoken = {language: served(language) for language in languages(TEXTS)}
    assert {"en", "zh"} <= set(spoken)
    assert len({tuple(each.id for each in found) for found in spoken.values()}) == 1
    for found in spoken.values():
        groups = [each.about for each in found]
        assert {groups.count(about) for about in groups} == {3}
        assert len(set(groups)) >= 3
        assert {len(each.hints) for each in found} == {HINTS}
    assert served("xx") == spoken["en"]


def test_an_exercise_is_found_by_its_id() -> None:
    """Another id is refused with those that there are."""
    assert find("keep-maps", "zh").id == "keep-maps"
    with pytest.raises(RequestError, match="keep-maps"):
        find("nothing", "en")


def test_an_operator_may_serve_exercises_of_their_own() -> None:
    """The environment names the folder."""
    assert home({"LAYERGLASS_EXERCISES": "/somewhere"}) == Path("/somewhere")
    assert home({}) == TEXTS
