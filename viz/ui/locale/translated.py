"""Sentences from the layers below, in the visitor's language.

Those layers know no languages.
"""

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from ...answers.message import Answer
from ...sentences import Sentence, Value
from .catalogues import ENGLISH, catalogue, languages

SENTENCES = ("note", "error", "problem", "problem_left", "problem_right", "formula", "reason")
"""The names under which answers hold sentences."""
Told = TypeVar("Told", bound=Answer)


def translated(sentence: str, language: str) -> str:
    """The sentence in a language, with all that it quotes.

    It is in English if it has no translation. A string that is not a ``Sentence`` is returned as it is: it is
    not ours.
    """
    if language == ENGLISH or not isinstance(sentence, Sentence):
        return sentence
    known, values = catalogue(language), sentence.values
    if sentence.many:
        text = known.ngettext(sentence.english, sentence.many, int(values["count"]))
    else:
        text = known.gettext(sentence.english)
    return (
        text.format(**{name: _value(value, language) for name, value in values.items()}) if values else text
    )


def in_each_language(answer: Told) -> Told:
    """The answer, with its sentences' translations by language under ``said``.

    The browser keeps answers even when the visitor changes the language.
    """
    spoken = {name: sentence for name in SENTENCES if (sentence := getattr(answer, name, ""))}
    if not spoken:
        return answer
    others = [language for language in languages() if language != ENGLISH]
    return replace(answer, said={language: _all_in(spoken, language) for language in others})


def _all_in(spoken: Mapping[str, str], language: str) -> dict[str, str]:
    return {name: translated(said, language) for name, said in spoken.items()}


def _value(value: Value, language: str) -> Value:
    return translated(value, language) if isinstance(value, str) else value
