"""The course's text in two languages, held to the scripts, to each other, and to the numbers."""

import re
from pathlib import Path

import pytest
import torch

from tests.lessons.scripts import LESSONS, ROOT

ENGLISH, CHINESE = (
    "\n".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in names)
    for names in (("hooks.md", "hooks-1.md", "hooks-2.md"), ("hooks.zh.md",))
)
SCRIPTS = sorted(path.name for path in LESSONS.glob("*.py"))
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["English", "Chinese"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_has_its_lesson(text: str, script: str) -> None:
    """The lesson is in the section with the script's number."""
    number = int(script[:2])
    section = re.split(r"^## (?:Lesson|第) ?", text, flags=re.MULTILINE)[number + 1]
    assert section.startswith(str(number))
    assert f"`docs/lessons/{script}`" in section


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_has_its_test(script: str) -> None:
    """The test has the same name."""
    assert (Path(__file__).parent / f"test_{script}").exists()


def test_both_languages_have_the_same_code_tables_and_traps() -> None:
    """As many sections, list entries and table rows, the same programs, and the same shapes."""
    for pattern in (r"^## ", r"^- ", r"^\d\. ", r"^\|", r"^\*\*"):
        counts = [len(re.findall(pattern, text, re.MULTILINE)) for text in (ENGLISH, CHINESE)]
        assert counts[0] == counts[1] > 0, pattern
    assert PYTHON.findall(ENGLISH) == PYTHON.findall(CHINESE) != []
    shapes = [sorted(re.findall(r"`\(\d[^`]*\)`", text)) for text in (ENGLISH, CHINESE)]
    assert shapes[0] == shapes[1] != []


def test_the_chinese_text_names_all_code_that_the_english_one_names() -> None:
    """So that a section which is missing there is noticed."""
    english, chinese = (
        set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))
        for text in (ENGLISH, CHINESE)
    )
    assert english - chinese == set()


@pytest.mark.parametrize("number", range(len(PYTHON.findall(ENGLISH))))
def test_the_programs_in_the_text_run(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Each on its own, and each prints something."""
    torch.manual_seed(0)
    exec(compile(PYTHON.findall(ENGLISH)[number], "hooks.md", "exec"), {})
    assert capsys.readouterr().out


def test_hooks_fire_in_the_order_that_the_text_gives(capsys: pytest.CaptureFixture[str]) -> None:
    """We check both halves of the timeline's example."""
    exec(PYTHON.findall(ENGLISH)[1], {})
    order = [line.split(" (")[0] for line in capsys.readouterr().out.splitlines()]
    ahead = [f"{layer} {kind}" for layer in "01" for kind in ("pre-hook", "forward hook")]
    back = ("full backward pre-hook", "tensor hook", "full backward hook")
    assert order == ahead + [f"{layer} {kind}" for layer in "10" for kind in back]
