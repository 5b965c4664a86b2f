"""A plan's file → the plan, or a sentence with its line; the browser's reader passes the same cases."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from viz.course.blocks import LessonError
from viz.plans.reading import plan_from
from viz.ui.locale.english.teaching.plans import BROWSER_WORDS

CASES = json.loads(Path("tests/plan_vectors.json").read_text(encoding="utf-8"))
WHOLE = CASES["plans"][0]["text"]
WRONG = "plan_wrong_"  # how the browser's keys begin
ELSEWHERE = {"at", "long"}  # said of a file that a browser opens


def spoiled(fault: dict[str, Any]) -> str:
    """The text that is wrong: one of its own, or the whole plan with something in it replaced."""
    if "text" in fault:
        return str(fault["text"])
    assert WHOLE.count(fault["old"]) == 1
    return str(WHOLE.replace(fault["old"], fault["new"]))


@pytest.mark.parametrize("case", CASES["plans"], ids=lambda case: case["name"])
def test_a_plan_is_what_its_file_says(case: dict[str, Any]) -> None:
    """Field by field; only where a step begins is nobody's but the checker's."""
    found = json.loads(json.dumps(asdict(plan_from(case["text"], "one", "en/1-one.md"))))
    assert (found.pop("id"), found.pop("path")) == ("one", "en/1-one.md")
    lines = [step.pop("line") for step in found["steps"]]
    assert found == case["plan"]
    rows = case["text"].splitlines()
    assert [rows[line - 1] for line in lines] == [f"## {step['title']}" for step in found["steps"]]


@pytest.mark.parametrize("fault", CASES["faults"], ids=lambda fault: f"{fault['sentence']} {fault['line']}")
def test_what_cannot_be_is_refused_with_its_line(fault: dict[str, Any]) -> None:
    """In the words that the browser has for it."""
    with pytest.raises(LessonError) as refusal:
        plan_from(spoiled(fault), "one", "en/1-one.md")
    assert str(refusal.value) == f"en/1-one.md:{fault['line']}: {fault['english']}"
    parts = re.split(r"\{\w+\}", str(BROWSER_WORDS[WRONG + fault["sentence"]]))
    assert re.fullmatch(".*".join(map(re.escape, parts)), fault["english"])


def test_each_sentence_of_the_browser_has_a_case() -> None:
    """So that none is said of another fault in Python."""
    sentences = {key.removeprefix(WRONG) for key in BROWSER_WORDS if key.startswith(WRONG)}
    assert sentences - ELSEWHERE == {fault["sentence"] for fault in CASES["faults"]}


def test_a_plan_takes_as_long_as_its_steps() -> None:
    """Minutes are added up, not written twice."""
    assert plan_from(WHOLE, "one", "x").minutes == 4 + 10 + 1 + 60 + 2


def test_code_that_is_not_python_names_its_line() -> None:
    """Also in a plan of one language, which nothing else reads twice; the browser knows no Python."""
    assert WHOLE.splitlines()[20] == "print(True)"
    with pytest.raises(LessonError, match=r"^p.md:21: this is not Python"):
        plan_from(WHOLE.replace("print(True)", "print(True"), "one", "p.md")
