"""Every text of the page is in the tables, and each entry is used."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from viz.ui.locale.words import BROWSER_WORDS, WORDS, browser_words, say

UI = Path(__file__).parents[4] / "viz" / "ui"
SCRIPTS = sorted(UI.glob("browser/**/*.js"))
# The operator's page is in English alone, as the settings, the log and the documents are.
FOR_VISITORS = [path for path in SCRIPTS if path.parent.name not in {"help", "operating"}]
TABLES = UI / "locale" / "english"
MODULES = sorted(path for path in UI.rglob("*.py") if path.name != "words.py" and path.parent != TABLES)
# What a Streamlit call may be given in plain text: names of the page, never sentences.
NOT_SENTENCES = {"Layerglass"}
SHOWN = ("label", "help", "placeholder", "text", "body")
WRITTEN = re.compile(
    r"""(?:textContent = |element\("\w+", "[^"]*", |setAttribute\("aria-label", )(?:"([^"]*)"|`([^`]*)`)"""
)
DRAWING = re.compile(r"^(st|places|row|place)$")


def test_the_scripts_use_words_that_exist_and_no_word_is_idle() -> None:
    """``words.x`` in JavaScript is a key of the browser's catalogue; every key of it is used.

    The offline page has a table of its own, with a test of its own in ``take_home/test_standalone.py``.
    """
    online = [path for path in SCRIPTS if path.parent.name != "offline"]
    text = "\n".join(path.read_text("utf-8") for path in online)
    families = tuple(re.findall(r"\bwords\[`(\w+_)\$\{", text))  # found by their first part
    used = set(re.findall(r"\bwords\.(\w+)", text)) | {
        key for key in BROWSER_WORDS if key.startswith(families)
    }
    used.remove("language_code")
    assert sorted(used - set(BROWSER_WORDS)) == []
    assert sorted(set(BROWSER_WORDS) - used) == []


def test_the_page_uses_words_that_exist_and_no_word_is_idle() -> None:
    """Keys are plain strings in the modules; families of keys are found by their first part."""
    strings = {text for path in MODULES for text in _strings(path)}
    prefixes = tuple(text for text in strings if text.endswith("_"))
    known = {key for key in WORDS if key in strings or key.startswith(prefixes)}
    assert sorted(set(WORDS) - known) == []
    for path in MODULES:
        for call in _calls(path, "words"):
            if isinstance(call.args[0], ast.Constant):
                assert call.args[0].value in WORDS, ast.unparse(call)


def test_no_sentence_is_written_outside_the_catalogue() -> None:
    """The texts that Streamlit shows are made by ``words``, not written in place."""
    assert len(MODULES) > 100
    shown = [(f"{path.relative_to(UI)}:{line}", text) for path in MODULES for line, text in _shown(path)]
    assert [(place, text) for place, text in shown if text not in NOT_SENTENCES] == []


def test_no_sentence_is_written_in_a_script() -> None:
    """Scripts put text into elements from variables; their literals are signs, not words."""
    assert len(FOR_VISITORS) > 100
    written = [
        f"{path.relative_to(UI)}: {text}"
        for path in FOR_VISITORS
        for text in map("".join, WRITTEN.findall(path.read_text("utf-8")))
        if re.search(r"[A-Za-z]{2}", re.sub(r"\$\{[^}]*\}", "", text))
    ]
    assert written == []


def test_say_fills_the_braces() -> None:
    """A sentence without braces stays as it is, in each language."""
    assert say("en", "downloading", model="m", done=1, total=2).endswith("1 of 2 MB")
    assert say("zh", "model") == "模型"
    assert browser_words("zh")["eval"] == "推理模式"


def test_words_with_a_count_are_said_as_the_language_counts() -> None:
    """English tells one from others; Chinese does not."""
    assert say("en", "own_fit", count=1, model="LeNet") == "The only tensor fits LeNet."
    assert say("en", "own_fit", count=10, model="LeNet") == "All 10 tensors fit LeNet."
    assert say("zh", "own_fit", count=1, model="LeNet") == "全部 1 个张量都适用于 LeNet。"
    assert browser_words("en")["sum_others"] == {
        "one": "the other channel",
        "other": "the other {count} channels together",
    }
    assert browser_words("zh")["sum_others"] == {"other": "其余 {count} 个通道合计"}


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def _shown(path: Path) -> Iterator[tuple[int, str]]:
    """The plain texts that calls of Streamlit are given to show, each with its line."""
    for call in (node for node in _nodes(path) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and DRAWING.match(ast.unparse(call.func.value)):
            given = [*call.args[:1], *(each.value for each in call.keywords if each.arg in SHOWN)]
            texts = [each.value for each in given if isinstance(each, ast.Constant)]
            yield from ((call.lineno, text) for text in texts if isinstance(text, str))


def _strings(path: Path) -> list[str]:
    nodes = _nodes(path)
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _calls(path: Path, name: str) -> list[ast.Call]:
    return [
        node
        for node in _nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and node.args
    ]
