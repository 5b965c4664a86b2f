"""Rendering of our Markdown: emphasis and code, for every text of course and quiz in every language."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.ui.learning.rendered import rendered, said_in_html
from viz.ui.locale.catalogues import languages
from viz.ui.locale.words import WORDS, say

HOSTILE = "<img src=x onerror=alert(1)> **bold** `code` [link](javascript:alert(1)) {braces} & ![i](http://e)"
TEXTS = [key for key in WORDS if re.match("course_(text|part|try|traps|line|live)|quiz_(ask|why)_", key)]
TAGS = re.compile("</?(?:strong|em|code)>")


def filled(key: str, language: str) -> str:
    """A text with its braces filled in, each value by its own name as code."""
    names = set(re.findall(r"\{(\w+)\}", "".join(WORDS[key])))
    return say(language, key, **{name: 2 if name == "count" else f"`{name}`" for name in names})


def test_emphasis_and_code_become_html() -> None:
    """As CommonMark has them; signs that mean nothing stay."""
    assert rendered("**a** `b*c*d` *e* 2 * 3") == ("<strong>a</strong> <code>b*c*d</code> <em>e</em> 2 * 3")


def is_rendered(text: str) -> bool:
    """Return whether nothing of a text's Markdown is left, and nothing else has become of it."""
    found = rendered(text)
    left = "`" in found or "**" in found or re.search("<(?!/?(?:strong|em|code)>)", found)
    return not left and html.unescape(TAGS.sub("", found)) == re.sub(r"\*\*|`", "", text)


@pytest.mark.parametrize("language", languages())
def test_nothing_of_the_markdown_is_left(language: str) -> None:
    """No asterisk pair or backtick is shown as it is written, also beside Chinese punctuation."""
    texts = {key: filled(key, language) for key in TEXTS}
    assert len(texts) > 100
    assert {key: rendered(text) for key, text in texts.items() if not is_rendered(text)} == {}


def test_a_value_from_outside_stays_what_it_is() -> None:
    """A model of one's own may be called anything: its name is neither HTML nor Markdown."""
    found = said_in_html("en", "course_live_text", model=HOSTILE, layer="a`b**c<")
    assert f"<strong>{html.escape(HOSTILE)}</strong>" in found
    assert "<code>a`b**c&lt;</code>" in found


@given(st.text(alphabet="<>&\"'*`_[]()!\\{}#-ab \n:/", max_size=60))
def test_no_text_becomes_another_tag(text: str) -> None:
    """The only tags of any text are those of emphasis and code."""
    assert "<" not in TAGS.sub("", rendered(text))
