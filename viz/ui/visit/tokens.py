"""Subject tokens that every process of the page with the same secret can check."""

import hashlib
import hmac
import logging
import os
import re
from collections.abc import Mapping

SECRET = "LAYERGLASS_SECRET"  # noqa: S105  the setting's name
LEAST = 16  # characters: fewer could be guessed
_HALF = 32  # hexadecimal digits of a name, and of the signature behind it: 128 bits each
_TOKEN = re.compile(f"[0-9a-f]{{{2 * _HALF}}}")
log = logging.getLogger(__name__)


def secret_from(environment: Mapping[str, str] = os.environ) -> bytes | None:
    """The secret that the operator's web processes share; None without one, or with one that is too short."""
    said = environment.get(SECRET, "")
    if said and len(said) < LEAST:
        log.error("%s has fewer than %d characters, and is not used", SECRET, LEAST)
        return None
    return said.encode() or None


def signed_token(secret: bytes, visit: str, about: str) -> str:
    """The token of a visit's subject: a name that tells nothing, and its signature.

    Args:
        secret: of all web processes.
        visit: the visit's key, which nobody outside of them knows.
        about: what the subject is.
    """
    name = _digest(secret, f"subject {visit} {about}")
    return name + _digest(secret, f"token {name}")


def is_signed(secret: bytes, token: str) -> bool:
    """Return whether a token was made under this secret."""
    name, signature = token[:_HALF], token[_HALF:]
    return bool(_TOKEN.fullmatch(token)) and hmac.compare_digest(signature, _digest(secret, f"token {name}"))


def name_in(token: str) -> str:
    """The name in a token, under which its subject is kept; nobody can make the token of it."""
    return token[:_HALF]


def keeper_name(secret: bytes) -> str:
    """Return the shared keeper's name for this secret, which it does not reveal."""
    return f"layerglass-visits-{_digest(secret, 'keeper')[:16]}"


def _digest(secret: bytes, text: str) -> str:
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()[:_HALF]
