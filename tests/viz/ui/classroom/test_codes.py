"""Codes are typed by people who read them from a wall."""

from hypothesis import given
from hypothesis import strategies as st

from viz.ui.classroom.codes import LENGTH, LETTERS, Passes, new_code, read_code


def test_a_code_is_read_however_it_is_typed() -> None:
    """In small letters, in halves, with a dash, pasted with a line's end."""
    for _ in range(200):
        code = new_code()
        assert len(code) == LENGTH
        for typed in (code, code.lower(), f"{code[:4]} {code[4:]}", f" {code[:4]}-{code[4:]}\n"):
            assert read_code(typed) == code


def test_no_letter_looks_like_another_sign_or_makes_a_word() -> None:
    """O and 0, I and 1, S and 5, and every vowel are left out."""
    assert not set("AEIOUYS0123456789") & set(LETTERS)
    assert len(LETTERS) ** LENGTH > 10**10


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_code_or_none(typed: str) -> None:
    """No text raises, and none that is longer than a code is cut to one."""
    found = read_code(typed)
    assert found is None or (len(found) == LENGTH and set(found) <= set(LETTERS))


def test_what_is_no_code_is_none() -> None:
    """Too short, too long, with a vowel, empty."""
    for typed in ("", "BCD", "BCDFGHJKB", "BCDFGHJA", "B" * 5_000):
        assert read_code(typed) is None


def test_who_comes_back_gets_another_pass_and_the_one_before_is_spent() -> None:
    """Both are good until the page with the new one is heard of: the answer may have been lost."""
    passes = Passes()
    first, other = passes.give(7), passes.give(8)
    second = passes.give(7, first)
    assert [passes.holder(each) for each in (first, second, other)] == [7, 7, 8]
    passes.arrived(7)
    assert [passes.holder(each) for each in (first, second, other)] == [None, 7, 8]
    assert [passes.is_spent(each) for each in (first, second, other, "")] == [True, False, False, False]


def test_a_pass_of_somebody_else_is_not_kept_beside_ones_own() -> None:
    """Nor is one that was made up; each then opens what it did before."""
    passes = Passes()
    first, other = passes.give(7), passes.give(8)
    second = passes.give(7, other)
    assert [passes.holder(each) for each in (first, second, other, "0" * 32)] == [None, 7, 8, None]


def test_no_pass_is_kept_as_it_is() -> None:
    """Nobody who reads the server's memory can come back as somebody."""
    passes = Passes()
    given_out = [passes.give(number, "") for number in range(3)]
    assert not any(each in repr(vars(passes)) for each in given_out)
