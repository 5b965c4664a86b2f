"""The names that this server answers for.

No page elsewhere speaks with it through a visitor's browser. Such a page says so in ``Origin``; or it lets
its own name lead to this machine (DNS rebinding), and then its requests ask for that name. It cannot do so
with an address, so whoever asks for an address has typed it.
"""

import os
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from ipaddress import ip_address

from starlette.types import Scope
from streamlit import config

from ..visit.direct import header, host_of, is_from_elsewhere, origin_of
from .refusal import Refusal

HOSTS = "LAYERGLASS_HOSTS"
EVERY, HERE = "*", "localhost"
_STARTED_FOR = ("server.address", "browser.serverAddress")


class Names:
    """The names under which this server may be asked for.

    Args:
        own: this machine's, and those that the server was started for.
        allowed: what the operator allows beside them: a name, ``*.example.org`` for every name below that
            one, ``*`` for every name.
    """

    def __init__(self, own: set[str], allowed: set[str]) -> None:
        self._own, self._allowed = own, allowed

    def check(self, scope: Scope) -> None:
        """Refuse requests for other names, and from pages of other hosts.

        Raises:
            Refusal: it asks for another name, or a page from elsewhere sent it.
        """
        names = [name.lower() for name, _ in scope["headers"]]
        if names.count(b"host") > 1 or names.count(b"origin") > 1:
            raise Refusal(400, "twice")
        if header(scope, b"host") is not None and not self._is_served(host_of(scope)):  # browsers all say it
            raise Refusal(421, "host")
        if is_from_elsewhere(scope) and not self._is_allowed(origin_of(scope)):
            raise Refusal(403, "origin")

    def _is_served(self, asked: tuple[str, str] | None) -> bool:
        if asked is None:
            return False
        name = asked[0]
        own = name in self._own or name.endswith(f".{HERE}") or _is_address(name)
        return own or EVERY in self._allowed or self._is_allowed(asked)

    def _is_allowed(self, asked: tuple[str, str] | None) -> bool:
        """Return whether the operator allows a name, itself or by a wildcard."""
        if asked is None:
            return False
        labels = asked[0].split(".")
        above = {f"*.{'.'.join(labels[first:])}" for first in range(1, len(labels))}
        return bool(self._allowed & {asked[0], *above})


def names(environment: Mapping[str, str] = os.environ) -> Names:
    """Return this server's names, found without the network.

    They come from its start, its machine and its operator.
    """
    started = (config.get_option(each) for each in _STARTED_FOR)
    allowed = [*environment.get(HOSTS, "").split(","), *config.get_option("server.allowedHosts")]
    machine = socket.gethostname()
    bare = machine.partition(".")[0]
    own = (HERE, machine, bare, f"{bare}.local", *(str(each) for each in started if each))
    return Names(_plain(own), _plain(allowed))


def as_of_this_host(scope: Scope) -> Scope:
    """Return a request with its checked ``Origin`` set to its host.

    Streamlit compares them once more, and looks up this machine's addresses on the internet if they differ.
    """
    origin, host = header(scope, b"origin"), header(scope, b"host")
    headers = [each for each in scope["headers"] if each[0].lower() != b"origin"]
    if origin is not None and host is not None:
        headers.append((b"origin", f"{origin.partition('://')[0]}://{host}".encode("latin-1")))
    return {**scope, "headers": headers}


def _plain(names: Iterable[str]) -> set[str]:
    return {name for each in names if (name := each.strip().lower().rstrip("."))}


def _is_address(name: str) -> bool:
    with suppress(ValueError):
        ip_address(name.strip("[]"))
        return True
    return False
