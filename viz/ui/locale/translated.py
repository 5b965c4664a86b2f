"""Sentences from the layers below, which know no languages, in the visitor's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...sentences import Sentence, Value
from .catalogues import ENGLISH, catalogue, languages

SENTENCES = ("note", "error", "problem", "problems", "formula", "reason")
"""The names under which facts for the browser hold sentences."""


def translated(sentence: str, language: str) -> str:
    """The sentence, and all that it quotes, in a language of the page; in English if it has no translation.

    A string that is not a ``Sentence`` is returned as it is: it is not ours.
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


def in_each_language(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts for the browser, with their sentences' translations by language under ``said``.

    The browser keeps facts even when the visitor changes the language.
    """
    spoken = {name: facts[name] for name in SENTENCES if facts.get(name)}
    if not spoken:
        return dict(facts)
    others = [language for language in languages() if language != ENGLISH]
    return {**facts, "said": {language: _all_in(spoken, language) for language in others}}


def _all_in(spoken: Mapping[str, str | Sequence[str]], language: str) -> dict[str, str | list[str]]:
    return {
        name: translated(said, language)
        if isinstance(said, str)
        else [translated(sentence, language) for sentence in said]
        for name, said in spoken.items()
    }


def _value(value: Value, language: str) -> Value:
    return translated(value, language) if isinstance(value, str) else value
