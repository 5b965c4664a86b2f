"""The page's words in the visitor's language, by their keys; their English stands in ``english``."""

from functools import cache

from .catalogues import catalogue, counts
from .english import (
    compare,
    door,
    edits,
    folders,
    guide,
    hooks,
    lens,
    methods,
    number,
    optimised,
    page,
    units,
)
from .english.teaching import asking, classroom, course, exercises, lessons, plans, questions, quiz
from .words_table import Words

WORDS: Words = (
    page.WORDS
    | edits.WORDS
    | hooks.WORDS
    | compare.WORDS
    | course.WORDS
    | lessons.WORDS
    | quiz.WORDS
    | questions.WORDS
    | door.WORDS
    | asking.WORDS
    | lens.WORDS
)
BROWSER_WORDS: Words = (
    page.BROWSER_WORDS
    | edits.BROWSER_WORDS
    | number.BROWSER_WORDS
    | hooks.BROWSER_WORDS
    | lens.BROWSER_WORDS
    | compare.BROWSER_WORDS
    | guide.BROWSER_WORDS
    | methods.BROWSER_WORDS
    | course.BROWSER_WORDS
    | exercises.BROWSER_WORDS
    | quiz.BROWSER_WORDS
    | classroom.BROWSER_WORDS
    | plans.BROWSER_WORDS
    | asking.BROWSER_WORDS
    | folders.BROWSER_WORDS
    | optimised.BROWSER_WORDS
    | units.BROWSER_WORDS
)
FILE_WORDS = guide.FILE_WORDS


def say(language: str, key: str, **values: object) -> str:
    """The words with this key in a language, with their braces filled in."""
    return _text(language, key, WORDS[key], values.get("count")).format(**values)


@cache
def browser_words(language: str) -> dict[str, str | dict[str, str]]:
    """Return the words of the browser's parts; those with a count by plural form."""
    return {"language_code": language} | _table(language, BROWSER_WORDS)


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
