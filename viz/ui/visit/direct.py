"""Whether a request comes straight from where its connection comes from, and whether that is this machine."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.types import Scope

from ..door.hosts import header, host_of, is_from_elsewhere

# How proxies, load balancers and content networks name the headers in which they say for whom they ask; a
# browser, a command line and Prometheus send none of these.
_FORWARDED = re.compile(
    r"forwarded|x-forward.*|via|cdn-loop|proxy-.*|.*-proxy(-.*)?|x-proxy.*|(.*-)?(ip|ipv[46]|ip-?addr|addr|port)|"
    r"(cf|cdn|fly|fastly|x-envoy|x-amzn?|x-azure|x-appengine|x-goog|x-original|x-scheme|x-traefik)-.*|"
    r"x-(scheme|host|cluster-.*|request-id|request-start)|front-end-https"
)
_OURS = {"localhost", "127.0.0.1", "[::1]"}
_FROM_OUR_PAGE = {"same-origin", "none", None}  # None: no browser, or an old one


def direct_address(scope: Scope) -> IPv4Address | IPv6Address | None:
    """Return the network address of a request that no proxy has passed on, or None.

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
    """Return whether a request comes from a browser on this machine, and from the page that is served here.

    Another page in that browser may reach this machine as well, even under a name of its own: then it says
    another host, or another origin.
    """
    who = direct_address(scope)
    if who is None or not who.is_loopback:
        return False
    return asks_for_here(scope) and not is_from_elsewhere(scope) and _is_from_our_page(scope)


def asks_for_here(scope: Scope) -> bool:
    """Return whether a request asks for this machine under the name that only it has for itself.

    What comes through a proxy on this machine that keeps the host asks for the name of its page.
    """
    host = host_of(scope)
    return host is not None and host[0] in _OURS


def _is_from_our_page(scope: Scope) -> bool:
    return header(scope, b"sec-fetch-site") in _FROM_OUR_PAGE
