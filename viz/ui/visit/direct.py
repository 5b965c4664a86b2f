"""Whether a request comes straight from where its connection comes from, and whether that is this machine."""

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.types import Scope

_FORWARDED = {
    b"forwarded",
    b"x-forwarded-for",
    b"x-forwarded-host",
    b"x-forwarded-proto",
    b"x-real-ip",
    b"via",
}
_OURS = {"localhost", "127.0.0.1", "[::1]"}
_FROM_OUR_PAGE = {b"same-origin", b"none"}


def direct_address(scope: Scope) -> IPv4Address | IPv6Address | None:
    """Return the network address of a request that no proxy has passed on, or None.

    A proxy says so in headers, if it is set up as the manual says.
    """
    if any(name.lower() in _FORWARDED for name, _ in scope["headers"]):
        return None
    try:
        who = ip_address((scope.get("client") or ("",))[0])
    except ValueError:  # a socket file
        return None
    return getattr(who, "ipv4_mapped", None) or who


def is_of_this_machine(scope: Scope) -> bool:
    """Return whether a request comes from a browser on this machine, and from the page that is served here.

    Another page in that browser may reach this machine as well, even under a name of its own: then it says
    another host, or another origin.
    """
    who = direct_address(scope)
    if who is None or not who.is_loopback:
        return False
    said = {name.lower(): value for name, value in scope["headers"]}
    host = said.get(b"host", b"").decode("latin-1")
    with suppress(ValueError):
        host = host[: host.rindex(":")] if not host.endswith("]") else host
    return host.lower() in _OURS and said.get(b"sec-fetch-site", b"none") in _FROM_OUR_PAGE
