"""Codes are typed by people who read them from a wall."""

from hypothesis import given
from hypothesis import strategies as st

from viz.ui.classroom.codes import LENGTH, LETTERS, new_code, read_code


def test_a_code_is_read_however_it_is_typed() -> None:
    """In small letters, in halves, with a dash, pasted with a line's end."""
    for _ in range(200):
        code = new_code()
        assert len(code) == LENGTH
        for typed in (code, code.lower(), f"{code[:3]} {code[3:]}", f" {code[:3]}-{code[3:]}\n"):
            assert read_code(typed) == code


def test_no_letter_looks_like_another_sign_or_makes_a_word() -> None:
    """O and 0, I and 1, S and 5, and every vowel are left out."""
    assert not set("AEIOUYS0123456789") & set(LETTERS)
    assert len(LETTERS) ** LENGTH > 40_000_000


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_code_or_none(typed: str) -> None:
    """No text raises, and none that is longer than a code is cut to one."""
    found = read_code(typed)
    assert found is None or (len(found) == LENGTH and set(found) <= set(LETTERS))


def test_what_is_no_code_is_none() -> None:
    """Too short, too long, with a vowel, empty."""
    for typed in ("", "BCD", "BCDFGHB", "BCDFGA", "B" * 5_000):
        assert read_code(typed) is None
