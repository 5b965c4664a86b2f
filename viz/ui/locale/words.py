"""The page's words in the visitor's language, by their keys.

Their English stands in ``english``.
"""

import hashlib
import json
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

from . import english
from .catalogues import catalogue, counts
from .words_table import Words


def _joined(table: str) -> Words:
    """Return the words of all tables of this name.

    Raises:
        ValueError: two have the same key.
    """
    joined: Words = {}
    for module in _modules():
        words = getattr(module, table, {})
        if twice := joined.keys() & words.keys():
            raise ValueError(f"{module.__name__} has words that another has: {', '.join(sorted(twice))}")
        joined |= words
    return joined


@cache
def _modules() -> tuple[ModuleType, ...]:
    names = [each.name for each in walk_packages(english.__path__, f"{english.__name__}.")]
    return tuple(map(import_module, names))


WORDS, BROWSER_WORDS, FILE_WORDS = map(_joined, ("WORDS", "BROWSER_WORDS", "FILE_WORDS"))


def say(language: str, key: str, **values: object) -> str:
    """The words with this key in a language, braces filled in."""
    return _text(language, key, WORDS[key], values.get("count")).format(**values)


@cache
def browser_words(language: str) -> dict[str, str | dict[str, str]]:
    """Return the words of the browser's parts.

    Those with a count are by plural form.
    """
    return {"language_code": language} | _table(language, BROWSER_WORDS)


@cache
def words_file(language: str) -> tuple[str, bytes]:
    """Return the browser's words as JSON, and a name for it.

    The name changes with the content.
    """
    text = json.dumps(browser_words(language), ensure_ascii=False, separators=(",", ":")).encode()
    return hashlib.sha256(text).hexdigest()[:16], text


def words_named(language: str) -> dict[str, str | dict[str, str]]:
    """Return the language of the words, and the name of their file."""
    return {"language_code": language, "file": words_file(language)[0]}


@cache
def file_words(language: str) -> dict[str, str]:
    """The words in a file to take home."""
    return {key: _text(language, key, texts) for key, texts in FILE_WORDS.items()}


def _table(language: str, table: Words) -> dict[str, str | dict[str, str]]:
    return {
        key: _text(language, key, texts)
        if isinstance(texts, str)
        else {kind: _text(language, key, texts, number) for kind, number in counts(language).items()}
        for key, texts in table.items()
    }


def _text(language: str, key: str, texts: str | tuple[str, str], count: object = None) -> str:
    known = catalogue(language)
    if isinstance(texts, str):
        return known.pgettext(key, texts)
    return known.npgettext(key, *texts, count if isinstance(count, int) else 2)
