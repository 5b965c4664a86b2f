"""A classroom's code: short, typed by anybody, and no word."""

import secrets

# Consonants alone make no words, rude ones neither, and none of these looks like a digit.
LETTERS = "BCDFGHJKLMNPQRTVWXZ"
LENGTH = 6  # 47 million codes: ``Guesses`` says how many of them anybody may try
_SEPARATORS = str.maketrans("", "", " -\u00a0\u2010\u2011\u2012\u2013\u2014.·")
_LONGEST = 40  # characters of what was typed


def new_code() -> str:
    """A code that nobody can foresee."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(typed: str) -> str | None:
    """The code that somebody typed, in any case, with spaces or dashes or without; None if it is none."""
    if len(typed) > _LONGEST:
        return None
    code = typed.translate(_SEPARATORS).strip().upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None
