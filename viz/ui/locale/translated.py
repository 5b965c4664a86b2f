"""Sentences from the layers below, which know no languages, in the visitor's language."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ...sentences import ENGLISH, Sentence
from .words_notes import NOTES, SAMPLES
from .words_refusals import REFUSALS
from .words_refusals_views import VIEW_REFUSALS
from .words_sentences import CHINESE

SENTENCES = ("note", "error", "problem", "formula", "reason")
_LONGEST = 600  # no sentence of ours is longer; matching takes more time the longer it is
# An error's text is a plain string, also where a sentence with a key went into it.
_BY_ENGLISH = (
    SAMPLES | REFUSALS | VIEW_REFUSALS | {ENGLISH[key]: chinese for key, chinese in CHINESE.items()} | NOTES
)
Catalogue = tuple[tuple[re.Pattern[str], str], ...]


def translated(sentence: str, language: str) -> str:
    """The sentence in a language of the page; as it is where its Chinese is not known.

    What it quotes is translated as well: a reason, a layout, the name of a kind of file.
    """
    if language == "en":
        return sentence
    if isinstance(sentence, Sentence):
        return CHINESE[sentence.key].format(**sentence.values)
    if len(sentence) > _LONGEST:
        return sentence
    for pattern, chinese in _catalogue():
        found = pattern.fullmatch(sentence)
        if found:
            return chinese.format(
                **{name: translated(value, language) for name, value in found.groupdict().items()}
            )
    return sentence


def with_chinese(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts for the browser, each sentence in them a second time in Chinese: ``note`` and ``note_zh``.

    The browser keeps facts while their reader changes the language.
    """
    both = dict(facts)
    for name in SENTENCES:
        if facts.get(name):
            both[f"{name}_zh"] = translated(facts[name], "zh")
    return both


@lru_cache(maxsize=1)
def _catalogue() -> Catalogue:
    """Every sentence that has a Chinese, in the order in which they are tried."""
    return tuple((_pattern(english), chinese) for english, chinese in _BY_ENGLISH.items())


def _pattern(english: str) -> re.Pattern[str]:
    """Matches the sentence with any values in its braces."""
    parts = re.split(r"\{(\w+)\}", english)
    texts = [re.escape(part) if place % 2 == 0 else _value(part) for place, part in enumerate(parts)]
    return re.compile("".join(texts), re.DOTALL)


def _value(name: str) -> str:
    """Anything; a layer's name has no spaces but those around the sign of an operation."""
    return rf"(?P<{name}>\S+(?: › .+?)?)" if name == "layer" else f"(?P<{name}>.+?)"
