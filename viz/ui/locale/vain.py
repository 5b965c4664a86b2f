"""Sentences about values in an address that do not exist."""

import difflib
from collections.abc import Sequence

from ...answers.message import Notice
from .words import say

SUBJECT = ("model", "weights", "sample", "lang")
LONGEST = 80  # characters of an address that are said again


def vain_notice(
    language: str, name: str, value: str, options: Sequence[str], instead: object, **more: object
) -> Notice:
    """The sentence about something in an address that does not exist.

    Args:
        language: the visitor's.
        name: of the address's parameter.
        value: what it says.
        options: what it could say; those that are spelled alike are suggested.
        instead: what is shown.
        more: other values of the sentence.
    """
    value = "".join(filter(str.isprintable, value[:LONGEST]))
    near = difflib.get_close_matches(value, options, n=3, cutoff=0.5)
    hint = say(language, "did_you_mean", names=", ".join(near)) if near else ""
    key = f"address_{name}" if name in ("model", "layer") else "address_other"
    text = say(language, key, name=name, value=value, hint=hint, instead=instead, **more)
    return Notice(text, f"address#the-{'subject' if name in SUBJECT else 'look'}")
