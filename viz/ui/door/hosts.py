"""The host that a request asks for and the page that sent it, as a browser says them in every request."""

import re

from starlette.types import Scope

_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_.-]{1,253})(?::(\d{1,5}))?", re.ASCII)
_ORIGIN = re.compile(r"https?://(.+)", re.ASCII)
_USUAL_PORTS = {None, "80", "443"}


def header(scope: Scope, name: bytes) -> str | None:
    """Return the first header with a name, or None."""
    return next((value.decode("latin-1") for each, value in scope["headers"] if each.lower() == name), None)


def host_and_port(said: str) -> tuple[str, str] | None:
    """Return the host and the port in text like ``glass.example:8501``, without a usual port; or None."""
    found = _AUTHORITY.fullmatch(said)
    if found is None or not (host := found[1].lower().rstrip(".")):
        return None
    return host, "" if found[2] in _USUAL_PORTS else found[2]


def host_of(scope: Scope) -> tuple[str, str] | None:
    """Return the host and the port that a request asks for; None if it says none, or nonsense."""
    return host_and_port(header(scope, b"host") or "")


def origin_of(scope: Scope) -> tuple[str, str] | None:
    """Return the host and the port of the page that sent a request; None if it says none, or nonsense."""
    origin = _ORIGIN.fullmatch(header(scope, b"origin") or "")
    return host_and_port(origin[1]) if origin else None


def is_from_elsewhere(scope: Scope) -> bool:
    """Return whether a page of another host than the one asked for sent a request, or one without a host."""
    if header(scope, b"origin") is None:
        return False
    origin = origin_of(scope)
    return origin is None or origin != host_of(scope)
