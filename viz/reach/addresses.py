"""The page's addresses for other machines, never ``localhost``."""

import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import IPv4Address, ip_address

from ..system.optional import optional

_fcntl = optional("fcntl")
# The system's request for an interface's address: SIOCGIFADDR of its <sys/ioctl.h>.
_ADDRESS_OF = {"linux": 0x8915, "darwin": 0xC0206921}
_REQUEST, _ADDRESS = "32s", slice(20, 24)  # of a struct ifreq, which begins with the interface's name
_EVERYWHERE = {"", "0.0.0.0", "::"}  # noqa: S104  # compared with, not listened on
# Source: RFC 6761, section 6.3; the others are names in the hosts files of Linux.
_HERE = {"localhost", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback"}


def network_addresses() -> list[str]:
    """Return this machine's IPv4 addresses for others, the likeliest first."""
    found = _of_interfaces() if _fcntl is not None and sys.platform in _ADDRESS_OF else _named()
    reachable = filter(is_reachable, found)
    return sorted(dict.fromkeys(reachable), key=_unlikely)


def is_reachable(host: str) -> bool:
    """Check whether a host can mean this machine to another one."""
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
    """Return the page's addresses for students.

    There are none if only this machine can reach it.

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
    return tuple(dict.fromkeys([*known, *(f"http://{in_brackets(host)}:{port}{path}/" for host in hosts)]))


def in_brackets(host: str) -> str:
    """Return a host as addresses write it, with IPv6 in brackets.

    Source: RFC 3986, section 3.2.2.
    """
    bare = host.strip("[]")
    return f"[{bare}]" if ":" in bare else host


def _host_of(host_and_port: str) -> str:
    host, colon, port = host_and_port.rpartition(":")
    return host if colon and port.isdigit() else host_and_port


def _of_interfaces() -> Iterator[str]:
    """Yield the addresses that the system itself knows.

    A name server out of reach would hold up the page.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # it has no address
                asked = struct.pack(_REQUEST, name.encode())
                told = _fcntl.ioctl(line, _ADDRESS_OF[sys.platform], asked)
                yield socket.inet_ntoa(told[_ADDRESS])


def _named() -> Iterable[str]:
    """Return the addresses that this machine's name leads to.

    Windows finds them without a name server.
    """
    with suppress(OSError):
        return [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


def _unlikely(address: str) -> int:
    """Return a rank that is higher for less likely addresses.

    Homes and schools have private networks; those of containers are mostly in 172.16.0.0/12.
    """
    first = IPv4Address(address)
    if not first.is_private:
        return 2
    return 3 if address.startswith("172.") else 0 if address.startswith("192.168.") else 1
