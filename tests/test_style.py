"""Small things stay small: sizes, docstrings and names, read from the source."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("viz", "models", "layerglass", "tests", "bench", "tools")
PYTHON = [ROOT / "app.py", *(path for name in FOLDERS for path in sorted((ROOT / name).rglob("*.py")))]
BROWSER = [path for ending in ("js", "css") for path in sorted((ROOT / "viz").rglob(f"*.{ending}"))]
LONGEST_FUNCTION = 40
LONGEST_SUMMARY = 12  # words
EMPTY_WORDS = {"utils", "util", "helpers", "helper", "manager", "managers", "base", "core", "common", "misc"}
CLAUSES = {"What", "Whatever", "When", "Where", "Whether", "Which", "Who", "Whoever", "Why", "How"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def trees() -> dict[str, ast.Module]:
    """Every source, parsed once: only where a test asks, since each run collects this file."""
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in PYTHON}


def test_no_function_is_long() -> None:
    """None is over 40 lines, its docstring included."""
    lengths = {
        f"{path}: {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, Function)
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def public(body: list[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """The functions, classes and their methods that others may use."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body)


def is_overload(node: Function | ast.ClassDef) -> bool:
    """Return whether it is one of several signatures; the docstring stands with the function itself."""
    return any(ast.unparse(decorator).endswith("overload") for decorator in node.decorator_list)


def test_what_is_public_says_what_it_is() -> None:
    """Every public class, function and method has a docstring."""
    silent = [
        f"{path}: {node.name}"
        for path, tree in trees().items()
        if not path.startswith(("tests", "bench"))
        for node in public(tree.body)
        if not ast.get_docstring(node) and not is_overload(node)
    ]
    assert silent == []


@cache
def summaries() -> list[tuple[str, str]]:
    """Every docstring's first line, with its file."""
    return [
        (path, summary)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | Function)
        for summary in (ast.get_docstring(node) or "").splitlines()[:1]
    ]


def test_docstrings_name_their_thing() -> None:
    """The first line opens with a verb or a noun that one would search for, never with a clause."""
    assert [each for each in summaries() if each[1].split(" ")[0] in CLAUSES] == []


def test_docstrings_say_it_in_a_dozen_words() -> None:
    """A literal counts as one; those of tests are sentences about what is shown."""
    long = [
        (path, summary)
        for path, summary in summaries()
        if not path.startswith("tests")
        and len(re.sub(r"``[^`]*``", "literal", summary).split()) > LONGEST_SUMMARY
    ]
    assert long == []


def test_every_test_says_what_it_shows() -> None:
    """Its name is a sentence of several words, and its docstring says why one may believe it."""
    tests = [
        (path, node)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, Function) and path.startswith("tests") and node.name.startswith("test_")
    ]
    assert [f"{path}: {test.name}" for path, test in tests if not ast.get_docstring(test)] == []
    assert [f"{path}: {test.name}" for path, test in tests if test.name.count("_") < 3] == []


def test_no_test_has_text_evaluated_inside_the_page() -> None:
    """The content policy forbids it if the first look is too early: ``until`` asks from outside."""
    calls = (node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    assert [node.lineno for node in calls if node.attr == "wait_for_function"] == []


def test_files_are_named_after_their_idea() -> None:
    """No file or folder has a catch-all name such as ``utils``."""
    words = {
        path.relative_to(ROOT): {word for part in path.relative_to(ROOT).parts for word in part.split("_")}
        for path in (each.with_suffix("") for each in PYTHON + BROWSER)
    }
    assert [path for path, found in words.items() if found & EMPTY_WORDS] == []


def test_classes_and_functions_are_named_after_what_they_are() -> None:
    """The same for what is in the files: no ``ModelManager``, no ``photo_utils``."""
    named = [
        f"{path}: {node.name}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, Function | ast.ClassDef) and has_empty_word(node.name)
    ]
    assert named == []


def has_empty_word(name: str) -> bool:
    """Return whether a name, in either case style, contains a word that says nothing."""
    parts = "".join(f"_{letter}" if letter.isupper() else letter for letter in name)
    return bool(set(parts.lower().split("_")) & EMPTY_WORDS)


def test_empty_words_are_found_in_both_ways_of_writing() -> None:
    """The test above relies on this."""
    assert has_empty_word("ModelManager")
    assert has_empty_word("photo_utils")
    assert not has_empty_word("based_on_score")
