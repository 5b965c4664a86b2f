"""Origins of requests: network address, requested host and sending page."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.types import Scope

# How proxies, load balancers and content networks name the headers in which they say for whom they ask; a
# browser, a command line and Prometheus send none of these.
_FORWARDED = re.compile(
    r"forwarded|x-forward.*|via|cdn-loop|proxy-.*|.*-proxy(-.*)?|x-proxy.*|(.*-)?(ip|ipv[46]|ip-?addr|addr|port)|"
    r"(cf|cdn|fly|fastly|x-envoy|x-amzn?|x-azure|x-appengine|x-goog|x-original|x-scheme|x-traefik)-.*|"
    r"x-(scheme|host|varnish|served-by|cluster-.*|request-id|request-start)|front-end-https"
)
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_.-]{1,253})(?::(\d{1,5}))?", re.ASCII)
_ORIGIN = re.compile(r"https?://(.+)", re.ASCII)
_USUAL_PORTS = {None, "80", "443"}
_OURS = {"localhost", "127.0.0.1", "[::1]"}
_FROM_OUR_PAGE = {"same-origin", "none", None}  # None: no browser, or an old one


def direct_address(scope: Scope) -> IPv4Address | IPv6Address | None:
    """Return the network address of a direct request; None for others.

    A proxy says so in headers, if it is set up as the manual says.
    """
    if any(_FORWARDED.fullmatch(name.decode("latin-1").lower()) for name, _ in scope["headers"]):
        return None
    try:
        who = ip_address((scope.get("client") or ("",))[0])
    except ValueError:  # a socket file
        return None
    return getattr(who, "ipv4_mapped", None) or who


def is_of_this_machine(scope: Scope) -> bool:
    """Return whether a request comes from this machine's browser and our page.

    Another page in that browser may reach this machine as well, even under a name of its own: then it says
    another host, or another origin.
    """
    who = direct_address(scope)
    if who is None or not who.is_loopback:
        return False
    return asks_for_here(scope) and not is_from_elsewhere(scope) and _is_from_our_page(scope)


def asks_for_here(scope: Scope) -> bool:
    """Return whether a request is for this machine's local name.

    What comes through a proxy on this machine that keeps the host asks for the name of its page.
    """
    host = host_of(scope)
    return host is not None and host[0] in _OURS


def _is_from_our_page(scope: Scope) -> bool:
    return header(scope, b"sec-fetch-site") in _FROM_OUR_PAGE


def header(scope: Scope, name: bytes) -> str | None:
    """Return the first header with a name, or None."""
    return next((value.decode("latin-1") for each, value in scope["headers"] if each.lower() == name), None)


def host_and_port(said: str) -> tuple[str, str] | None:
    """Return the host and port in text like ``glass.example:8501``; else None.

    A usual port is left empty.
    """
    found = _AUTHORITY.fullmatch(said)
    if found is None or not (host := found[1].lower().rstrip(".")):
        return None
    return host, "" if found[2] in _USUAL_PORTS else found[2]


def host_of(scope: Scope) -> tuple[str, str] | None:
    """Return the requested host and port; None if absent or malformed."""
    return host_and_port(header(scope, b"host") or "")


def origin_of(scope: Scope) -> tuple[str, str] | None:
    """Return the sending page's host and port; None if absent or malformed."""
    origin = _ORIGIN.fullmatch(header(scope, b"origin") or "")
    return host_and_port(origin[1]) if origin else None


def is_from_elsewhere(scope: Scope) -> bool:
    """Return whether a page of another or no host sent a request."""
    if header(scope, b"origin") is None:
        return False
    origin = origin_of(scope)
    return origin is None or origin != host_of(scope)
