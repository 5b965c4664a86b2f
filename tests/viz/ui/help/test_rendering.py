"""Markdown as HTML, with places to link to and addresses that the site has."""

import pytest

from viz.ui.help.rendering import Heading, html_of, passages, place_of

KNOWN = {"see.md": "./see", "one.png": "./one.png"}
TEXT = """\
# See

First words.

## Why is it *grey*?

A `code` word,
and the next line.

```
left out
```

## Why is it *grey*?

| a | b |
|---|---|
| c | d |
"""


@pytest.mark.parametrize(
    ("heading", "place"),
    [
        ("Why is a map blank?", "why-is-a-map-blank"),
        ("`layers`: names", "layers-names"),
        ("Don't, e.g. 3 × 3", "dont-eg-3--3"),
    ],
)
def test_a_heading_has_the_place_that_public_forges_give_it(heading: str, place: str) -> None:
    """So one link works there and here."""
    assert place_of(heading.replace("`", "")) == place


def test_headings_can_be_linked_to_also_where_two_are_alike() -> None:
    """The second has a number."""
    made = html_of(TEXT, KNOWN.get)
    assert '<h2 id="why-is-it-grey">Why is it <em>grey</em>?</h2>' in made
    assert '<h2 id="why-is-it-grey-1">' in made
    assert "<td>c</td>" in made


def test_links_lead_to_what_the_site_has() -> None:
    """Places within a document and other hosts stay; what the site lacks is plain text."""
    made = html_of("[a](see.md#x) [b](#here) [c](https://example.org) [d](gone.md) ![e](one.png)", KNOWN.get)
    assert '<a href="./see#x">a</a>' in made
    assert '<a href="#here">b</a>' in made
    assert '<a href="https://example.org">c</a>' in made
    assert " d " in made
    assert "gone" not in made
    assert '<img src="./one.png" alt="e" loading="lazy"' in made


def test_a_search_looks_through_all_but_code() -> None:
    """Each passage with the heading above it; lines are joined."""
    found = passages(TEXT)
    assert found[0] == (Heading(1, "see", "See"), "First words.")
    assert found[1] == (Heading(2, "why-is-it-grey", "Why is it grey?"), "A code word, and the next line.")
    assert found[2] == (Heading(2, "why-is-it-grey-1", "Why is it grey?"), "a b c d")
