"""Plain text of bounded length is left of anything that is typed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.ui.classroom.plain_text import LONGEST_NICKNAME, nickname_of, plain


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("小明", "小明"),
        ("Zoë", "Zoë"),
        ("<img src=x onerror=1>", "<img src=x onerror=1>"),  # text, and shown as text
        ("\u202eadA", "adA"),
        ("A\u0000d\u001ba\u200b", "Ada"),
        ("a\nb\tc", "a b c"),
        ("e" + "\u0301" * 50, "é" + "\u0301" * 2),
        ("\u2066\u2069 \u00a0", ""),
        ("x" * 10_000, "x" * LONGEST_NICKNAME),
    ],
)
def test_a_nickname_is_a_short_line_of_plain_text(typed: str, left: str) -> None:
    """Without control characters, turns of direction, towers of accents, and length."""
    assert nickname_of(typed) == left


@given(st.text(max_size=300))
def test_no_nickname_has_anything_else(typed: str) -> None:
    """Names may have anything that Unicode has; the same again leaves them as they are."""
    left = nickname_of(typed)
    assert len(left) <= LONGEST_NICKNAME
    assert left.isprintable()
    assert not {unicodedata.bidirectional(each) for each in left} & {"RLO", "LRO", "RLE", "LRE", "RLI", "PDF"}
    assert nickname_of(left) == left


def test_a_question_keeps_its_lines() -> None:
    """And nothing that cannot be printed."""
    assert plain(" What?\n\u202eNow\u0007! ") == "What?\nNow!"
    assert plain("6\u00a0cm\tor\u202f7") == "6 cm or 7"
