"""An invented language: English between marks; text without marks was not translated."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from babel.messages.pofile import read_po

from tools import messages
from viz.ui.locale import catalogues, words


def fill_in(path: Path) -> None:
    """Translate every sentence of a catalogue that was just begun."""
    with path.open("rb") as file:
        known = read_po(file, locale=catalogues.locale(path.stem))
    for message in known:
        if message.id:
            message.string = pseudo(message.id, known.num_plurals)
    messages.write(path, known)


@contextmanager
def borrowed(folder: Path) -> Iterator[Path]:
    """Make the page and the command use copies of its catalogues in this folder."""
    own = catalogues.FOLDER
    for path in own.glob("*.po"):
        shutil.copy(path, folder)
    catalogues.FOLDER = folder
    forget()
    try:
        yield folder
    finally:
        catalogues.FOLDER = own
        forget()


def forget() -> None:
    """Make the page read its catalogues again."""
    for known in (
        *(catalogues.languages, catalogues.catalogue, catalogues.counts),
        *(words.browser_words, words.words_file, words.file_words),
    ):
        known.cache_clear()


def pseudo(text: str | tuple[str, ...], plurals: int) -> str | tuple[str, ...]:
    """The English with the number of its plural form, marked."""
    if isinstance(text, str):
        return f"«0 {text}»"
    return tuple(f"«{number} {text[-1]}»" for number in range(plurals))
