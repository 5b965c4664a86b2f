"""Announcement in the terminal of a page that other machines may open."""

import socket
from collections.abc import Iterable

from .addresses import in_brackets, page_addresses
from .qr import qr_text


def first_words(host: str | None, port: int) -> str:
    """Return what the terminal says before the page is there."""
    said = f"Layerglass: {address_said(host, port)} (in a few seconds; Ctrl-C ends it)\n"
    return said + announcement(host, port)


def address_said(host: str | None, port: int) -> str:
    """Return the page's address to print.

    Other machines reach a public server by this machine's name.
    """
    everywhere = dict.fromkeys(("0.0.0.0", "::", "[::]"), socket.gethostname())  # noqa: S104  # not listened on here
    shown = "localhost" if host is None else everywhere.get(host, in_brackets(host))
    return f"http://{shown}:{port}"


def announcement(host: str | None, port: int, found: Iterable[str] | None = None) -> str:
    """Return the addresses for a class, and the likeliest one's QR code.

    It is empty if only this machine reaches the page.

    Args:
        host: at which the server listens; None for this machine alone.
        port: likewise.
        found: the machine's addresses, by default those that it has.
    """
    if host is None:
        return ""
    addresses = page_addresses(host, port, "", found)
    if not addresses:
        return ""
    first, *others = addresses
    also = f" (also {', '.join(others)})" if others else ""
    return f"For a class: {first}{also}\n{qr_text(first)}"
