"""The page's port, its addresses, and the browser that tests it."""

import subprocess
import sys
from collections.abc import Callable, Sequence

from ...home import INSTALLED, PAGE
from ...reach.addresses import network_addresses, page_addresses
from ...reach.listening import is_free
from ...sentences import Sentence
from .facts import Fact
from .pasting import ours

USUAL_PORT = 8501
_OTHERS = range(USUAL_PORT + 1, USUAL_PORT + 100)
_FIND = "from tests.browser.chromium import find; print(find() or '')"


def port(usual: int = USUAL_PORT, free: Callable[[int], bool] = is_free) -> Fact:
    """Return whether the page's port is free, or which one is."""
    if free(usual):
        return Fact(name="port", grade="good", said=Sentence("port {port} is free", port=usual))
    said = Sentence("port {port} is taken", port=usual)
    if other := next(filter(free, _OTHERS), None):
        advice = Sentence(
            "End what listens there, or begin the page with another one: {command}",
            command=ours("serve", "--port", str(other)),
        )
    else:
        advice = Sentence("End what listens there.")
    return Fact(name="port", grade="lacking", said=said, advice=advice)


def network(found: Sequence[str] | None = None) -> Fact:
    """Return the address under which a phone would reach the page."""
    addresses = page_addresses("", USUAL_PORT, "", network_addresses() if found is None else found)
    if not addresses:
        return Fact(
            name="network",
            grade="lacking",
            said=Sentence("no other device can reach this machine"),
            advice=Sentence("To show the page on a phone, connect both to one network."),
        )
    return Fact(
        name="network",
        grade="good",
        said=Sentence(
            "a phone on the same network may reach the page at {address} if you begin it with {command}",
            address=addresses[0],
            command=ours("serve", "--host", "0.0.0.0"),  # noqa: S104  # said, not listened on
        ),
    )


def browser() -> Fact | None:
    """Return whether the tests find a Chromium.

    It is None for an installation, which has no tests.
    """
    if INSTALLED:
        return None
    done = subprocess.run(  # noqa: S603  # this interpreter, with a module of ours
        [sys.executable, "-c", _FIND], cwd=PAGE.parent, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:  # it imports what only the tests need
        said = Sentence("Chromium for the tests: known once 'make test' has installed its tools")
        return Fact(name="chromium", grade="good", said=said)
    if path := done.stdout.strip():
        return Fact(name="chromium", grade="good", said=Sentence("Chromium for the tests: {path}", path=path))
    return Fact(
        name="chromium",
        grade="lacking",
        said=Sentence("no Chromium for the tests"),
        advice=Sentence("Only 'make test' needs one, and installs it if it may."),
    )
