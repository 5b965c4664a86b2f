"""The beginning of a page's websocket, byte by byte, as another page makes a visitor's browser send it."""

import socket
from urllib.parse import urlsplit

from tests.machine import patience

EVIL = "http://evil.example"


def handshake(server: str, *, origin: str = EVIL, host: str = "", path: str = "/_stcore/stream") -> bytes:
    """Return the server's answer to a handshake that names this page and this host, by default its own."""
    with begin(server, origin=origin, host=host, path=path) as line:
        return answer(line)


def begin(
    server: str, *, origin: str = EVIL, host: str = "", path: str = "/_stcore/stream", address: str = ""
) -> socket.socket:
    """A line with a handshake of some 200 bytes on it; from an address, as a proxy here passes it on."""
    where = urlsplit(server)
    line = socket.create_connection((where.hostname, where.port), timeout=patience(60))
    proxied = f"X-Forwarded-For: {address}\r\n" if address else ""
    head = (
        f"GET {path} HTTP/1.1\r\nHost: {host or where.netloc}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"{proxied}Origin: {origin}\r\n\r\n"
    )
    line.sendall(head.encode("latin-1"))
    return line


def answer(line: socket.socket) -> bytes:
    """The head of the answer."""
    said = b""
    while b"\r\n\r\n" not in said and (more := line.recv(4096)):
        said += more
    return said.partition(b"\r\n\r\n")[0]
