"""Every sentence for visitors, compared with each language's catalogue.

The sentences are found in the sources.

``python -m tools.messages`` checks: it fails if a sentence has no translation, if a translation belongs to
no sentence, or if the two do not fill in the same values. ``--update`` adds new sentences to the catalogues
and removes old ones; ``--new fr`` begins a language.
"""

import argparse
import inspect
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

import models.errors
import viz.errors
from viz.ui.locale import catalogues, words
from viz.ui.locale.words_table import Words

ROOT = Path(__file__).parents[1]
SOURCES = ("viz", "models")
ERRORS = [
    name
    for module in (viz.errors, models.errors)
    for name, found in vars(module).items()
    if inspect.isclass(found) and issubclass(found, Exception)
]
# The calls that take English text, and which of their arguments it is.
KEYWORDS = dict.fromkeys(("Sentence", *ERRORS)) | {"counted": (1, 2)}
TABLES: dict[str, Words] = {
    "said by the page's script": words.WORDS,
    "said in the browser": words.BROWSER_WORDS,
    "said in a file to take home": words.FILE_WORDS,
}
HEADER = """# Layerglass in {name}; docs/add-a-language.md says how to change it.
msgid ""
msgstr ""
"Language: {code}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plurals}\\n"

"""
BRACES = re.compile(r"\{(\w+)\}")
Key = tuple[str, str]


def template() -> Catalog:
    """Every sentence of the sources, in English, with its files."""
    found = Catalog(project="Layerglass", fuzzy=False)
    for folder in SOURCES:
        for path, line, text, _, _ in extract_from_dir(
            ROOT / folder, [("**.py", "python")], keywords=KEYWORDS
        ):
            found.add(text, locations=[(f"{folder}/{path}", line)])
    for place, table in TABLES.items():
        for key, text in table.items():
            found.add(text, context=key, auto_comments=[place])
    found.add(
        catalogues.NAME[1],
        context=catalogues.NAME[0],
        auto_comments=["what the language calls itself, in two or three letters"],
    )
    return found


def faults(known: Catalog, wanted: Catalog) -> Iterator[str]:
    """Yield the faults of a catalogue, one sentence each."""
    there = {_key(message): message for message in known if message.id}
    for key in sorted({_key(message) for message in wanted if message.id} - there.keys()):
        yield f"is missing: {_shown(key)}"
    for key in sorted(there.keys() - {_key(message) for message in wanted if message.id}):
        yield f"is not said any longer: {_shown(key)}"
    for key, message in there.items():
        if message.fuzzy:
            yield f"is uncertain; read it, then delete its line '#, fuzzy': {_shown(key)}"
        elif not all(_texts(message.string)):
            yield f"is not translated: {_shown(key)}"
        elif any(_filled(text) - _filled(*_texts(message.id)) for text in _texts(message.string)):
            yield f"fills in what is not there: {_shown(key)}"
        elif _filled(*_texts(message.id)) - _filled(*_texts(message.string)):
            yield f"leaves out a value: {_shown(key)}"


def main() -> int:
    """Check, update or begin catalogues; return the exit status.

    It is 1 if there is a fault.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write what is new, take out what is gone")
    parser.add_argument("--new", metavar="CODE", help="begin a language, such as fr or pt-BR")
    options = parser.parse_args()
    wanted, wrong = template(), 0
    if options.new:
        return _begin(options.new, wanted)
    for path in sorted(catalogues.FOLDER.glob("*.po")):
        with path.open("rb") as file:
            known = read_po(file, locale=catalogues.locale(path.stem))
        if options.update:
            known.update(wanted)
            known.obsolete.clear()
            write(path, known)
        for fault in faults(known, wanted):
            print(f"{path.name}: {fault}", file=sys.stderr)
            wrong += 1
    return min(wrong, 1)


def _begin(code: str, wanted: Catalog) -> int:
    path = catalogues.FOLDER / f"{code}.po"
    if path.exists():
        print(f"{path} is there already", file=sys.stderr)
        return 1
    begun = Catalog(locale=catalogues.locale(code), project="Layerglass", fuzzy=False)
    begun.update(wanted)
    write(path, begun)
    print(f"Translate {path}, then run make lint.")
    return 0


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue without dates and line numbers.

    So the file changes only where its texts do.
    """
    written = BytesIO()
    write_po(written, catalogue, width=100, omit_header=True, include_lineno=False, sort_by_file=True)
    header = HEADER.format(
        name=catalogue.locale.english_name, code=catalogue.locale_identifier, plurals=catalogue.plural_forms
    )
    path.write_text(header + written.getvalue().decode(), "utf-8")


def _key(message: Message) -> Key:
    return message.context or "", "\n".join(_texts(message.id))


def _texts(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return all texts of a message.

    In Babel's eyes, a count that is not translated yet has none.
    """
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def _filled(*texts: str) -> set[str]:
    return {name for text in texts for name in BRACES.findall(text)}


def _shown(key: Key) -> str:
    context, text = key
    return f"{text!r}" + (f" ({context})" if context else "")


if __name__ == "__main__":
    sys.exit(main())
