"""A document's page: the contents beside it, where one is, and ways on."""

import re
from pathlib import Path

import pytest

from viz.ui.help.site import Place, page, searched


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, the second with three parts and a link of each kind."""
    (tmp_path / "index.md").write_text("# Top\n\n## Look\n\n- [See & be seen](see.md)\n- [Find](find.md)\n")
    (tmp_path / "see.md").write_text(
        "# See\n\n[Show me](/?model=lenet)\n[Find](find.md#two) [code](../x.py)\n"
    )
    (tmp_path / "find.md").write_text("# Find\n\nHow.\n\n## One\n\na\n\n## Two\n\nb\n\n## Three\n\nc\n")
    return tmp_path


def test_a_page_says_where_one_is_and_where_to_go(folder: Path) -> None:
    """Titles are text, whatever is in them; the document on screen is marked for screen readers too."""
    made = page("see", Place("<script></script>", folder=folder)) or ""
    assert "<title>See &amp; be seen · Layerglass</title>" in made
    assert '<a href="./see" aria-current="page">See &amp; be seen</a>' in made
    assert '<a rel="next" href="./find">Find</a>' in made
    assert '<a rel="prev" href="./">Contents</a>' in made
    assert "<script></script>" in made
    assert "<!-- " not in made


def test_links_to_a_look_lead_to_the_page_of_the_same_server(folder: Path) -> None:
    """Below whatever path it stands; and from files, to where the page usually is."""
    assert 'href="../?model=lenet"' in (page("see", Place("", folder=folder)) or "")
    made = page("see", Place("", "http://localhost:8501/", ".html", "./index.html", folder)) or ""
    assert 'href="http://localhost:8501/?model=lenet"' in made
    assert 'href="./find.html#two"' in made
    assert '<a rel="prev" href="./index.html">' in made


def test_what_stands_on_a_long_page_is_listed_beside_it(folder: Path) -> None:
    """A short one needs no list."""
    assert re.findall(r'<a href="\./find#(\w+)">', page("find", Place("", folder=folder)) or "") == [
        "one",
        "two",
        "three",
    ]
    assert "On this page" not in (page("see", Place("", folder=folder)) or "")


def test_there_is_no_page_of_another_name(folder: Path) -> None:
    """The address may say anything."""
    assert page("../see", Place("", folder=folder)) is None


def test_a_search_finds_passages_with_their_addresses(folder: Path) -> None:
    """A document's beginning has no place of its own."""
    assert searched(Place("", folder=folder))[1:3] == [
        {"page": "Find", "heading": "", "address": "./find", "text": "How.", "aside": False},
        {"page": "Find", "heading": "One", "address": "./find#one", "text": "a", "aside": False},
    ]
