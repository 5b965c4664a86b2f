"""Keys to a classroom: codes to type, and passes for returning pages."""

import secrets
from collections import OrderedDict
from hashlib import sha256

# Consonants alone make no words, rude ones neither, and none of these looks like a digit.
LETTERS = "BCDFGHJKLMNPQRTVWXZ"
LENGTH = 8  # 17 billion codes: ``Classrooms.join`` says how many of them anybody may try
_SEPARATORS = str.maketrans("", "", " -\u00a0\u2010\u2011\u2012\u2013\u2014.·")
_LONGEST = 40  # characters of what was typed
MOST_SPENT = 4_000


def new_code() -> str:
    """A code that nobody can foresee."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(typed: str) -> str | None:
    """Return the code that somebody typed; None if it is none.

    Case, spaces and dashes do not matter.
    """
    if len(typed) > _LONGEST:
        return None
    code = typed.translate(_SEPARATORS).strip().upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None


class Passes:
    """The secrets with which a class's pages come back, kept as digests.

    A page that comes back gets a new one, so that of two pages with the same secret, as of a tab that was
    duplicated, one comes back and the other one does not. Until that page is heard of, both are good: the
    answer with the new one may have been lost.
    """

    def __init__(self) -> None:
        self._holders: dict[bytes, int] = {}
        self._good: dict[int, tuple[bytes, ...]] = {}
        self._spent: OrderedDict[bytes, None] = OrderedDict()

    def give(self, holder: int, used: str = "") -> str:
        """Return a new pass for a holder, who came back with ``used``."""
        made = secrets.token_hex(16)
        before = [_digest(used)] if self.holder(used) == holder else []
        self._keep(holder, (*before, _digest(made)))
        return made

    def arrived(self, holder: int) -> None:
        """Note that a holder has the newest pass, and spend the others."""
        self._keep(holder, self._good[holder][-1:])

    def holder(self, said: str) -> int | None:
        """Return a pass's holder; None if it is nobody's or spent."""
        return self._holders.get(_digest(said))

    def is_spent(self, said: str) -> bool:
        """Return whether a pass's holder has come back on another page."""
        return _digest(said) in self._spent

    def forget(self, holder: int) -> None:
        """Forget a holder's passes: nobody comes back with them."""
        for each in self._good.pop(holder, ()):
            del self._holders[each]

    def _keep(self, holder: int, good: tuple[bytes, ...]) -> None:
        for each in self._good.pop(holder, ()):
            del self._holders[each]
            if each not in good:
                self._spent[each] = None
        self._good[holder] = good
        self._holders |= dict.fromkeys(good, holder)
        while len(self._spent) > MOST_SPENT:
            self._spent.popitem(last=False)


def _digest(said: str) -> bytes:
    return sha256(said.encode()).digest()
