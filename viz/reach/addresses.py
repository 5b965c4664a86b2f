"""Where other machines find this page: this machine's addresses on the network, never ``localhost``."""

import socket
from collections.abc import Iterable
from contextlib import closing, suppress
from ipaddress import IPv4Address, ip_address

# Nothing is sent to these: to ask where a packet would leave tells under which address.
_TOWARDS = ("192.168.255.255", "10.255.255.255", "172.31.255.255", "100.64.0.1", "8.8.8.8")
_EVERYWHERE = {"", "0.0.0.0", "::"}  # noqa: S104  # compared with, not listened on
# Source: RFC 6761, section 6.3; the others are names in the hosts files of Linux.
_HERE = {"localhost", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback"}


def network_addresses() -> list[str]:
    """This machine's IPv4 addresses that others on a network can reach, the likeliest first."""
    found = [*map(_leaving_for, _TOWARDS), *_named()]
    reachable = (each for each in found if each and is_reachable(each))
    return sorted(dict.fromkeys(reachable), key=_unlikely)


def is_reachable(host: str) -> bool:
    """Whether a host's name or address can mean this machine to another one."""
    bare = host.strip("[]").lower().rstrip(".")
    try:
        address = ip_address(bare)
    except ValueError:
        labels = bare.split(".")
        return bool(bare) and not {labels[0], labels[-1]} & _HERE  # as in x.localhost, localhost.localdomain
    return not (address.is_loopback or address.is_unspecified or address.is_link_local)


def page_addresses(
    listening: str, port: int, path: str, found: Iterable[str] | None = None, origin: str = ""
) -> tuple[str, ...]:
    """Where students find the page; none if nobody but this machine can reach it.

    Args:
        listening: the address at which the server listens; empty for all.
        port: likewise its port.
        path: of the page, such as ``/glass``; empty for none.
        found: the machine's addresses, by default those that it has.
        origin: under which the teacher's browser has found the page, such as ``https://glass.example.org``.
    """
    theirs = origin.partition("://")[2]
    known = [f"{origin}{path}/"] if theirs and is_reachable(_host_of(theirs)) else []
    if listening.strip("[]") not in _EVERYWHERE:
        hosts = [listening] if is_reachable(listening) else []
    else:
        hosts = list(network_addresses() if found is None else found)
    return tuple(dict.fromkeys([*known, *(f"http://{host}:{port}{path}/" for host in hosts)]))


def _host_of(host_and_port: str) -> str:
    host, colon, port = host_and_port.rpartition(":")
    return host if colon and port.isdigit() else host_and_port


def _leaving_for(target: str) -> str:
    with suppress(OSError), closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as line:
        line.connect((target, 9))
        return str(line.getsockname()[0])
    return ""


def _named() -> list[str]:
    """The addresses that this machine's name leads to."""
    with suppress(OSError):
        return [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


def _unlikely(address: str) -> int:
    """Homes and schools have private networks; those of containers are mostly in 172.16.0.0/12."""
    first = IPv4Address(address)
    if not first.is_private:
        return 2
    return 3 if address.startswith("172.") else 0 if address.startswith("192.168.") else 1
