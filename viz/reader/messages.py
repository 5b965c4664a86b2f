"""Messages between the page and a reading process: JSON and plain bytes.

Nothing is unpickled. A message is two lengths of 8 bytes each, little-endian, then the JSON text, then the
bytes.
"""

import json
import socket
import struct
from collections.abc import Iterable
from typing import Any

HEARD = b"!"  # before the first message: the nursery has heard that there is a file
LONGEST_FACTS = 64_000_000  # bytes of JSON: the names and shapes of 100,000 tensors take a third of that
_LENGTHS = struct.Struct("<QQ")
_PART = 1 << 20


def send(line: socket.socket, facts: dict[str, Any], length: int = 0, body: Iterable[bytes] = ()) -> None:
    """Send one message whose body has ``length`` bytes.

    Raises:
        OSError: the other side has gone.
    """
    text = json.dumps(facts).encode()
    line.sendall(_LENGTHS.pack(len(text), length) + text)
    for part in body:
        line.sendall(part)


def receive(line: socket.socket, longest: int) -> tuple[dict[str, Any], bytearray]:
    """The next message, with a body of at most ``longest`` bytes.

    Raises:
        EOFError: the other side ended in the middle of its message.
        ValueError: it is too long, or not JSON.
    """
    facts, body = _LENGTHS.unpack(_exactly(line, _LENGTHS.size))
    if facts > LONGEST_FACTS or body > longest:
        raise ValueError(f"a message of {facts} and {body} bytes is longer than it may be")
    said: dict[str, Any] = json.loads(_exactly(line, facts))
    return said, _exactly(line, body)


def _exactly(line: socket.socket, length: int) -> bytearray:
    data = bytearray(length)
    view, at = memoryview(data), 0
    while at < length:
        got = line.recv_into(view[at:], min(_PART, length - at))
        if not got:
            raise EOFError
        at += got
    return data
