from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tests.tools.pseudo import borrowed, fill_in, forget
from tools import messages
from viz.errors import RequestError
from viz.ui.locale import catalogues, words
from viz.ui.locale.translated import translated

FOLDER = catalogues.FOLDER


@pytest.fixture(scope="module")
def template() -> Catalog:
    """Every sentence of the sources."""
    return messages.template()


@pytest.fixture
def languages(tmp_path: Path) -> Iterator[Path]:
    """A folder of catalogues that a test may write into."""
    with borrowed(tmp_path) as folder:
        yield folder


def catalogue(text: str) -> Catalog:
    """A Chinese catalogue."""
    return read_po(BytesIO(text.encode()), locale="zh")


def wanted(*texts: str | tuple[str, str]) -> Catalog:
    """The sentences of some sources."""
    found = Catalog()
    for text in texts:
        found.add(text)
    return found


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.po")), ids=lambda path: path.stem)
def test_every_catalogue_says_every_sentence_and_no_other(path: Path, template: Catalog) -> None:
    """Each translation has the same values to fill in."""
    with path.open("rb") as file:
        assert list(messages.faults(read_po(file, locale=path.stem), template)) == []


def test_errors_notes_words_and_counts_are_found_in_the_sources(template: Catalog) -> None:
    """Each is recognised by how the code writes it."""
    assert "there is no batch row {number}: this value has rows 0 to {last}" in template
    assert "the model ran and never called it" in template
    assert template.get("1 number").pluralizable
    assert template.get("Upload a picture", context="upload") is not None
    assert len(template) > 900


FAULTS = {
    "is missing": "",
    "is not translated": 'msgid "no {thing}"\nmsgstr ""\n',
    "leaves out a value": 'msgid "no {thing}"\nmsgstr "没有"\n',
    "fills in what is not there": 'msgid "no {thing}"\nmsgstr "没有 {thing} {other}"\n',
    "is not said any longer": 'msgid "no {thing}"\nmsgstr "没有 {thing}"\n\nmsgid "gone"\nmsgstr "没了"\n',
    "is uncertain": '#, fuzzy\nmsgid "no {thing}"\nmsgstr "没有 {thing}"\n',
}


@pytest.mark.parametrize(("fault", "text"), FAULTS.items(), ids=FAULTS)
def test_each_fault_of_a_catalogue_is_told(fault: str, text: str) -> None:
    """One sentence, which names what it is about."""
    told = list(messages.faults(catalogue(text), wanted("no {thing}")))
    assert len(told) == 1
    assert told[0].startswith(fault)


def test_a_catalogue_without_faults_is_told_nothing() -> None:
    """That includes counts: a text for one thing may leave out the number."""
    text = 'msgid "no {thing}"\nmsgstr "没有 {thing}"\n\n'
    text += 'msgid "one"\nmsgid_plural "{count}"\nmsgstr[0] "{count} 个"\n'
    assert list(messages.faults(catalogue(text), wanted("no {thing}", ("one", "{count}")))) == []


def test_an_update_adds_what_is_new_and_takes_out_what_is_gone(
    languages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries that were translated stay as they were, and nothing else in the file changes."""
    chinese = languages / "zh.po"
    before = chinese.read_text("utf-8")
    entry = 'msgid "the model ran and never called it"\n'
    chinese.write_text(before.replace(entry, 'msgid "the model ran without a call of it"\n'), "utf-8")
    monkeypatch.setattr("sys.argv", ["messages", "--update"])
    assert messages.main() == 1  # what is new is not translated yet
    after = chinese.read_text("utf-8")
    assert "ran without a call of it" not in after
    assert entry in after
    assert len(after.splitlines()) <= len(before.splitlines()) + 1


def test_an_update_without_news_changes_nothing(languages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is kept as an update writes it, so that a change shows only what it is about."""
    before = {path: path.read_text("utf-8") for path in languages.glob("*.po")}
    monkeypatch.setattr("sys.argv", ["messages", "--update"])
    assert messages.main() == 0
    assert {path: path.read_text("utf-8") for path in before} == before


def test_an_update_adds_a_sentence_with_a_count(languages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Untranslated, which is told in one sentence."""
    chinese = languages / "zh.po"
    with chinese.open("rb") as file:
        known = read_po(file, locale="zh")
    known.delete("1 number")
    messages.write(chinese, known)
    monkeypatch.setattr("sys.argv", ["messages", "--update"])
    assert messages.main() == 1
    assert 'msgid_plural "{count} numbers in a row"' in chinese.read_text("utf-8")


def test_a_third_language_is_one_new_file(languages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun by the command, filled in, and the page speaks it: its box, its words, its errors, its counts."""
    monkeypatch.setattr("sys.argv", ["messages", "--new", "pl"])
    assert messages.main() == 0
    begun = languages / "pl.po"
    assert {path.name for path in languages.iterdir()} == {"zh.po", "pl.po"}
    monkeypatch.setattr("sys.argv", ["messages"])
    assert messages.main() == 1  # nothing is translated yet
    fill_in(begun)
    forget()
    assert messages.main() == 0
    assert list(catalogues.languages()) == ["en", "pl", "zh"]
    assert catalogues.best("pl-PL") == "pl"
    assert words.say("pl", "upload") == "«0 Upload a picture»"
    assert translated(str(RequestError("the amount {text} is no number.", text="'x'")), "pl") == (
        "«0 the amount 'x' is no number.»"
    )
    assert set(words.browser_words("pl")["sum_others"]) == {"one", "few", "many"}
    said = [words.say("pl", "own_fit", count=count, model="M") for count in (1, 2, 5)]
    assert [text[:2] for text in said] == ["«0", "«1", "«2"]


def test_a_language_of_one_country_has_a_code_as_browsers_write_it(
    languages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document, the numbers' rules and the answers use the same one."""
    monkeypatch.setattr("sys.argv", ["messages", "--new", "pt-BR"])
    assert messages.main() == 0
    fill_in(languages / "pt-BR.po")
    forget()
    assert messages.main() == 1  # it is there already
    assert catalogues.best("pt-BR") == catalogues.best("pt-br") == "pt-BR"
    assert words.browser_words("pt-BR")["language_code"] == "pt-BR"
    assert words.say("pt-BR", "upload") == "«0 Upload a picture»"
