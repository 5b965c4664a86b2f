"""Promises to operators and reporters of weaknesses are held by tests: both ways, a sentence at a time.

``promises.toml`` says which tests hold each sentence. Pages about trust say it themselves: ``test_trust``.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.test_trust import FOR_OPERATORS, NAMED, functions_in
from viz.engine.process.patience import Patience

ROOT = Path(__file__).parents[1]
PAGES = *FOR_OPERATORS, "SECURITY.md"
TABLE: list[dict[str, Any]] = tomllib.loads((ROOT / "tests/promises.toml").read_text("utf-8"))["promise"]
PROMISES = re.compile(
    r"\b(never|nobody|nothing|no other|only this machine|not logged|replaced|within|at most|costs? one|"
    r"each fix|is served to|cannot|refuses|reaches no|put aside|deleted|leaves? (the|them)|process ends)\b",
    re.IGNORECASE,
)


def sentences(page: str) -> list[str]:
    """The sentences of a document, each on one line, without code, small print, headings and tables."""
    text = re.sub(r"```.*?```|<sub>.*?</sub>", "", page, flags=re.DOTALL)
    blocks = [re.sub(r"\s+", " ", block).strip() for block in re.split(r"\n\n|\n(?=- |\d+\. |\||#)", text)]
    plain = [re.sub(r"^(- |\d+\. )", "", block) for block in blocks if not block.startswith(("#", "|"))]
    return [each for block in plain for each in re.split(r"(?<=[.!?])\s+(?=[A-Z`*])", block) if each]


def said(page: str) -> list[str]:
    """The sentences of one of the pages."""
    return sentences((ROOT / page).read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_each_sentence_that_promises_something_is_in_the_table(page: str) -> None:
    """A new one needs a test, or the reason why there is none."""
    known = {each["says"] for each in TABLE if each["page"] == page}
    promises = {each for each in said(page) if PROMISES.search(each)}
    assert promises - known == set()


@pytest.mark.parametrize("page", PAGES)
def test_each_sentence_of_the_table_is_in_its_document(page: str) -> None:
    """A sentence that is changed is looked at again, together with its tests."""
    assert {each["says"] for each in TABLE if each["page"] == page} - set(said(page)) == set()


def test_each_sentence_of_the_table_is_looked_for() -> None:
    """A page that is renamed takes its promises along."""
    assert {each["page"] for each in TABLE} <= set(PAGES)


def test_each_sentence_on_how_visitors_are_protected_is_in_the_table() -> None:
    """Its words do not matter: this is a page about trust among those for operators."""
    page = (ROOT / "docs/limits.md").read_text("utf-8")
    (protection,) = re.findall(
        r"^## How are visitors protected.*?\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL
    )
    said_there = set(sentences(protection))
    assert len(said_there) > 20
    assert said_there - {each["says"] for each in TABLE} == set()


def test_each_promise_is_held_by_tests_that_exist_or_says_why_by_none() -> None:
    """In the file that the table says."""
    for each in TABLE:
        tests = each.get("tests", [])
        assert bool(tests) != bool(each.get("untested")), each["says"]
        for test in tests:
            file, name = test.split(": ")
            assert NAMED.fullmatch(test), test
            assert name in functions_in(ROOT / "tests" / file), test


def test_a_promise_without_a_test_is_found() -> None:
    """The tests above rely on this."""
    page = (
        "# Never\n\nIt rains. Nobody waits\nfor long.\n- It is replaced.\n| at most | 4 |\n\n```\nnobody\n```"
    )
    assert sentences(page) == ["It rains.", "Nobody waits for long.", "It is replaced."]
    assert [each for each in sentences(page) if PROMISES.search(each)] == [
        "Nobody waits for long.",
        "It is replaced.",
    ]


def test_a_silent_process_has_as_long_as_the_document_says() -> None:
    """Until it is replaced; how that goes is tested with a process that the system has stopped."""
    all_said = [each for page in PAGES for each in said(page)]
    (promise,) = [each for each in all_said if each.startswith("A process that neither works")]
    assert re.findall(r"(\d+) seconds", promise) == [f"{Patience().silent:g}"]
