"""Requests for the rest of a file, and checks of responses.

Source: RFC 9110, sections 13.1.5 (If-Range) and 14 (Range, Content-Range).
"""

import re
from email.message import Message

from .partial_file import PartialFile

__all__ = ["check_rest", "rest_of", "version_of"]

_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


def rest_of(part: PartialFile) -> dict[str, str]:
    """Return the headers that request the missing part of a file.

    The whole file comes if it is another version.
    """
    if not (part.size and part.version):
        return {}
    return {"Range": f"bytes={part.size}-", "If-Range": part.version}


def version_of(headers: Message) -> str:
    """Return a server's name for this version of a file.

    It is empty if the server cannot send parts of it. A weak entity tag may be the same for different bytes,
    so it does not count.
    """
    if headers.get("Accept-Ranges", "").strip().lower() != "bytes":
        return ""
    return _named(headers)


def check_rest(headers: Message, part: PartialFile) -> None:
    """Check that a response continues the part, and note it.

    Raises:
        ConnectionError: it does not.
    """
    found = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", "").strip())
    version = _named(headers)
    if found is None or int(found[1]) != part.size or (version and version != part.version):
        part.begin("")  # nothing is known of what this server means
        raise ConnectionError("the server sent another part of the file than it was asked for")
    part.go_on()


def _named(headers: Message) -> str:
    tag = headers.get("ETag", "").strip()
    return tag if tag.startswith('"') else headers.get("Last-Modified", "").strip()
