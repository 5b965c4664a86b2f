"""The languages of the page: English, and others as ``.po`` files.

English is in the sources.
"""

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent
ENGLISH = "en"
NAME = ("language_name", "EN")  # context and English of what a language calls itself in the box


@cache
def languages() -> Mapping[str, str]:
    """Return the languages' own names, by code; English comes first."""
    codes = [ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.po"))]
    return {code: catalogue(code).pgettext(*NAME) for code in codes}


@cache
def catalogue(language: str) -> NullTranslations:
    """The translations into a language.

    Raises:
        KeyError: the page does not speak it.
    """
    if language == ENGLISH:
        return NullTranslations()
    path = FOLDER / f"{language}.po"
    if not path.is_file():
        raise KeyError(language)
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=locale(language)))
    compiled.seek(0)
    return GNUTranslations(compiled)


def locale(language: str) -> Locale:
    """Return the Unicode CLDR's data on a language.

    ``language`` is a browser's code, such as ``pt-BR``.
    """
    return Locale.parse(language, sep="-")


@cache
def counts(language: str) -> Mapping[str, int]:
    """An example number for each of a language's plural forms.

    The keys are the names that browsers give the forms. ``{"one": 1, "other": 0}`` in English. The forms are
    those of the Unicode CLDR.
    """
    rule = locale(language).plural_form
    found: dict[str, int] = {}
    for number in (*range(200), 1_000, 1_000_000):
        found.setdefault(rule(number), number)
    return found


def best(asked: str) -> str:
    """The page's language that suits a browser's, or else English.

    The browser's is a code such as ``zh-Hant-TW``.
    """
    spoken = {code.lower(): code for code in languages()}
    return spoken[negotiate_locale([asked.lower()], list(spoken), sep="-") or ENGLISH]
