"""Tokens under a shared secret: every process knows them by their signature, and nobody else makes one."""

import re

import pytest

from viz.ui.visit.tokens import LEAST, is_signed, keeper_name, name_in, secret_from, signed_token

SECRET = b"a secret of all servers"


def test_a_token_is_known_under_its_secret_and_no_other() -> None:
    """Nor with any digit changed, nor cut, nor longer, nor in other letters."""
    token = signed_token(SECRET, "visit", "a picture")
    assert is_signed(SECRET, token)
    assert not is_signed(b"another secret, as long", token)
    for place, digit in enumerate(token):
        other = format((int(digit, 16) + 1) % 16, "x")
        assert not is_signed(SECRET, token[:place] + other + token[place + 1 :])
    for forged in ("", token[:-1], token + "0", token.upper(), name_in(token) * 2, "\ud800" * 64, "é" * 64):
        assert not is_signed(SECRET, forged)


def test_a_token_is_that_of_one_visit_and_one_subject() -> None:
    """The same in every process, and telling nothing of either."""
    token = signed_token(SECRET, "visit", "a picture")
    assert token == signed_token(SECRET, "visit", "a picture")
    assert re.fullmatch("[0-9a-f]{64}", token)
    others = {signed_token(SECRET, *about) for about in (("visit", "another"), ("visitor", "a picture"))}
    assert len({token, *others}) == 3
    assert len({name_in(each) for each in (token, *others)}) == 3


def test_what_is_kept_together_is_called_by_the_secret_without_giving_it_away() -> None:
    """So that two installations on one cluster have nothing in common."""
    assert keeper_name(SECRET) == keeper_name(SECRET) != keeper_name(b"another secret, as long")
    assert SECRET.decode() not in keeper_name(SECRET)


def test_a_short_secret_is_not_used(caplog: pytest.LogCaptureFixture) -> None:
    """The log says so, without the secret; everything is as without one."""
    assert secret_from({}) is None
    assert secret_from({"LAYERGLASS_SECRET": ""}) is None
    assert not caplog.records
    assert secret_from({"LAYERGLASS_SECRET": "x" * LEAST}) == b"x" * LEAST
    assert secret_from({"LAYERGLASS_SECRET": "hunter2"}) is None
    assert "LAYERGLASS_SECRET" in caplog.text
    assert "hunter2" not in caplog.text
