"""Subject tokens that all processes with the same secret can check."""

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
    """Return the web processes' shared secret; None without a usable one."""
    said = environment.get(SECRET, "")
    if said and len(said) < LEAST:
        log.error("%s has fewer than %d characters, and is not used", SECRET, LEAST)
        return None
    return said.encode() or None


def signed_token(secret: bytes, visit: str, about: str) -> str:
    """Return a subject's token: an opaque name, and its signature.

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
    """Return the name in a token, which does not reveal the token."""
    return token[:_HALF]


def keeper_name(secret: bytes) -> str:
    """Return the shared keeper's name, which does not reveal the secret."""
    return f"layerglass-visits-{_digest(secret, 'keeper')[:16]}"


def _digest(secret: bytes, text: str) -> str:
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()[:_HALF]
