"""Every sentence that a visitor reads stands in the catalogue, in both languages."""

import ast
import re
from pathlib import Path

import pytest

from viz.sentences import ENGLISH
from viz.ui.locale.words import BROWSER_WORDS, LANGUAGES, WORDS, browser_words, say
from viz.ui.locale.words_sentences import CHINESE

UI = Path(__file__).parents[4] / "viz" / "ui"
SCRIPTS = sorted(UI.glob("browser/*.js"))
MODULES = sorted(path for path in UI.rglob("*.py") if path.name != "words.py")
BRACES = re.compile(r"\{(\w+)\}")
# What a Streamlit call may be given in plain text: names of the page, never sentences.
NOT_SENTENCES = {"Layerglass"}
# What other programs read: the picture's alternative text, and the language by its code.
CONTRACTS = {"alt", "alt_gradient", "language_code"}
SHOWN = ("label", "help", "placeholder", "text", "body")
WRITTEN = re.compile(
    r"""(?:textContent = |element\("\w+", "[^"]*", |setAttribute\("aria-label", )(?:"([^"]*)"|`([^`]*)`)"""
)
DRAWING = re.compile(r"^(st|places|row|place)$")


@pytest.mark.parametrize("catalogue", [WORDS, BROWSER_WORDS], ids=["page", "browser"])
def test_every_sentence_has_both_languages_with_the_same_braces(
    catalogue: dict[str, tuple[str, str]],
) -> None:
    """None is empty, and what is filled in one language is filled in the other."""
    for key, pair in catalogue.items():
        assert len(pair) == len(LANGUAGES), key
        assert all(text.strip() for text in pair), key
        assert len({frozenset(BRACES.findall(text)) for text in pair}) == 1, key


def test_chinese_is_chinese_and_english_is_not() -> None:
    """A pair in the wrong order would show; only abbreviations are the same in both."""
    han = re.compile(r"[\u4e00-\u9fff]")
    for key, (english, chinese) in (WORDS | BROWSER_WORDS).items():
        assert not han.search(english), key
        assert han.search(chinese) or english == chinese or key in CONTRACTS, key


def test_the_scripts_use_words_that_exist_and_no_word_is_idle() -> None:
    """``words.x`` in JavaScript is a key of the browser's catalogue; every key of it is used."""
    used = {key for path in SCRIPTS for key in re.findall(r"\bwords\.(\w+)", path.read_text("utf-8"))}
    assert sorted(used - set(BROWSER_WORDS)) == []
    assert sorted(set(BROWSER_WORDS) - used) == []


def test_the_page_uses_words_that_exist_and_no_word_is_idle() -> None:
    """Keys stand in the modules as plain strings; families of keys by their first part."""
    strings = {text for path in MODULES for text in _strings(path)}
    prefixes = tuple(text for text in strings if text.endswith("_"))
    known = {key for key in WORDS if key in strings or key.startswith(prefixes)}
    assert sorted(set(WORDS) - known) == []
    for path in MODULES:
        for call in _calls(path, "words"):
            if isinstance(call.args[0], ast.Constant):
                assert call.args[0].value in WORDS, ast.unparse(call)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_sentence_is_written_outside_the_catalogue(path: Path) -> None:
    """What Streamlit is given to show is made by ``words``, not written in place."""
    for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and DRAWING.match(ast.unparse(call.func.value)):
            shown = [arg.value for arg in call.args[:1] if isinstance(arg, ast.Constant)]
            shown += [
                k.value.value for k in call.keywords if k.arg in SHOWN and isinstance(k.value, ast.Constant)
            ]
            texts = {text for text in shown if isinstance(text, str)}
            assert texts <= NOT_SENTENCES, f"{path.name}:{call.lineno} {texts}"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_sentence_is_written_in_a_script(path: Path) -> None:
    """Text goes into elements from variables; literals there are signs, not words."""
    for text in map("".join, WRITTEN.findall(path.read_text("utf-8"))):
        assert not re.search(r"[A-Za-z]{2}", re.sub(r"\$\{[^}]*\}", "", text)), f"{path.name}: {text}"


def test_say_fills_the_braces() -> None:
    """And a sentence without braces is itself, in each language."""
    assert say("en", "downloading", model="m", done=1, total=2).endswith("1 of 2 MB")
    assert say("zh", "layer") == WORDS["layer"][1]
    assert browser_words("zh")["eval"] == BROWSER_WORDS["eval"][1]


def test_every_sentence_of_the_engine_has_a_chinese_one_with_the_same_braces() -> None:
    """The page says it in the visitor's language; none is missing, and none is left over."""
    assert CHINESE.keys() == ENGLISH.keys()
    for key, english in ENGLISH.items():
        assert set(BRACES.findall(CHINESE[key])) == set(BRACES.findall(english)), key
        assert not re.search(r"[\u4e00-\u9fff]", english), key


def _strings(path: Path) -> list[str]:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _calls(path: Path, name: str) -> list[ast.Call]:
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    return [
        node
        for node in tree
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and node.args
    ]
