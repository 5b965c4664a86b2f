"""Senders of requests, by visitor or network address.

The sender is a visitor if the address names one.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

from ..visit.direct import asks_for_here, direct_address, header
from ..visit.visit import find_subject

METRICS = "LAYERGLASS_METRICS"
OPERATORS = {"/metrics", "/operator", "/operator.json"}  # below whatever path the page stands at
_SUBJECT = re.compile("/maps/([0-9a-f]{40}|[0-9a-f]{64})/")
_UPLOAD = re.compile("/_stcore/upload_file/([^/]+)/[^/]+$")
_NETWORK = 64  # bits of an IPv6 address that a provider gives to one household


def address_of(scope: Scope) -> str:
    """Return the network address behind a request.

    For IPv6 it is the /64 network, since one household has all of it.
    """
    host = (scope.get("client") or ("",))[0]
    try:
        address = ip_address(host)
    except ValueError:  # a socket file, or a test's client
        return str(host)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((address, _NETWORK), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


def visitor_of(scope: Scope) -> str | None:
    """Return the visitor whose living subject a request is about, or None."""
    named = _SUBJECT.match(scope["path"])
    subject = find_subject(named.group(1)) if named else None
    return subject.visitor if subject else None


def uploading_session(scope: Scope) -> str | None:
    """Return the session of a file upload; None for other requests."""
    named = _UPLOAD.search(scope["path"]) if scope["method"] == "PUT" else None
    return named and named.group(1)


def is_closed(scope: Scope, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether an address is not for visitors.

    Streamlit's metrics and ours count visitors and memory: only this machine sees them, and who else
    ``LAYERGLASS_METRICS`` names. Streamlit's interface for programs would be a second way in.
    """
    path = scope["path"].rstrip("/")
    if "/_stcore/agent" in path:
        return True
    counts = path.endswith("/_stcore/metrics") or path in OPERATORS
    return counts and not _may_see_counts(scope, environment.get(METRICS, ""))


def _may_see_counts(scope: Scope, said: str) -> bool:
    """Return whether a request may see the counts, as the setting says.

    With ``1`` it may; else it has to come directly from here or from a network in the setting. A proxy may be
    in such a network as well; what comes through it has headers that say so.
    """
    if said == "1":
        return True
    who = direct_address(scope)
    if who is None:
        return False
    if who.is_loopback and _asks_for_here(scope):
        return True
    return any(who in network for network in _networks(said))


def _asks_for_here(scope: Scope) -> bool:
    return asks_for_here(scope) or header(scope, b"host") is None  # no browser and no proxy leaves it out


def _networks(said: str) -> Iterator[IPv4Network | IPv6Network]:
    for part in said.split(","):
        with suppress(ValueError):  # one that is misspelt opens nothing
            yield ip_network(part.strip(), strict=False)
