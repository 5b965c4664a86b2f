"""Checks of the address that a server shall listen on."""

import errno
import socket
import sys

from ..errors import RequestError

MOST_PORT = 65_535
_LEAST_FREE = 1024  # Source: ip_unprivileged_port_start of Linux; ports below are the administrator's
_HERE = "localhost"  # as .streamlit/config.toml says it
_NOT_THERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}


def port_of(text: str) -> int:
    """Return the number that a text says.

    Raises:
        RequestError: it says none.
    """
    if not (text.isascii() and text.isdigit()):
        raise RequestError(
            "{text} is not the number of a port: choose one from 1 to {most}", text=repr(text), most=MOST_PORT
        )
    return int(text)


def check_address(host: str | None, port: int) -> None:
    """Refuse an address that no server can listen on now.

    Args:
        host: an address or a name of this machine; None for this machine alone.
        port: likewise.

    Raises:
        RequestError: the port is no port's number, or taken, or for the system alone; or the host is empty,
            or not an address of this machine.
    """
    if host == "":  # Python would listen everywhere, and Streamlit here
        raise _no_address(host)
    if not 1 <= port <= MOST_PORT:
        raise RequestError("there is no port {port}: choose one from 1 to {most}", port=port, most=MOST_PORT)
    try:
        found = socket.getaddrinfo(host or _HERE, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise _no_address(host) from error
    refused = [_refusal(family, place) for family, _, _, _, place in found]
    if errno.EADDRINUSE in refused:
        raise RequestError(
            "something else listens on port {port} already: end it, or choose another port", port=port
        )
    if errno.EACCES in refused:
        raise _not_given(port)
    if set(refused) <= _NOT_THERE:  # of two, one may be missing, as where there is no IPv6
        raise _no_address(host)


def is_free(port: int) -> bool:
    """Return whether the page could listen on a port here now."""
    try:
        check_address(None, port)
    except RequestError:
        return False
    return True


def _refusal(family: int, place: tuple[object, ...]) -> int | None:
    """Return the number of the error with which listening fails, or None."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if (
                sys.platform != "win32"
            ):  # where it would take the port from another; here only from a dead one
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:  # "::" means IPv4 too, as Streamlit binds it
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            probe.bind(place)
    except OSError as error:
        return error.errno
    return None


def _not_given(port: int) -> RequestError:
    if port < _LEAST_FREE:
        return RequestError(
            "the system gives port {port} to nobody but its administrator: choose one above 1023", port=port
        )
    return RequestError("the system does not let you listen on port {port}: choose another port", port=port)


def _no_address(host: str | None) -> RequestError:
    return RequestError(
        "{host} is not an address to listen on: name one of this machine's, or 0.0.0.0 for all of them",
        host=repr(host),
    )
