"""Text that may be a visitor's is shown as it is."""

import re

import pytest

from viz.ui.visit.markdown import escaped


@pytest.mark.parametrize(
    "text",
    [
        "**bold** _it_",
        "[x](javascript:1)",
        "<script>",
        "$x^2$",
        ":red[hot]",
        "# big",
        "a|b",
        "`c`",
        "~~d~~",
        "![i](j)",
    ],
)
def test_nothing_that_markdown_knows_is_left_bare(text: str) -> None:
    """Every special character has a backslash before it; without the backslashes, it is the original text."""
    safe = escaped(text)
    assert not re.search(r"(?<!\\)[*_\[\]<>$:#|`~!]", safe)
    assert re.sub(r"\\(.)", r"\1", safe) == text


def test_a_sentence_is_one_line() -> None:
    """Lines could begin a list, a heading or a block of code."""
    assert escaped("one\n\n    two\t\x0bthree") == "one two three"
