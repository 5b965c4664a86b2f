"""Announcement in the terminal of a page that other machines may open."""

from collections.abc import Iterable

from .addresses import page_addresses
from .qr import qr_text


def announcement(host: str | None, port: int, found: Iterable[str] | None = None) -> str:
    """The addresses for a class, and the likeliest as a QR code; empty if only this machine reaches the page.

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
