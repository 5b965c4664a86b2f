"""Server-sent events, as a browser's line hears them.

Source: HTML Living Standard, section 9.2.6, Interpreting an event stream.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit


async def events(address: str, path: str) -> AsyncIterator[tuple[str, Any]]:
    """Yield each event's name and JSON, until the connection ends.

    Raises:
        ConnectionError: the server does not open one.
    """
    where = urlsplit(address)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nhost: {where.netloc}\r\n\r\n".encode())
        status = (await reader.readline()).split()[1:2]
        if status != [b"200"]:
            raise ConnectionError(f"{path} is answered with {status}")
        name = ""
        async for line in reader:
            if line.startswith(b"event: "):
                name = line[7:].strip().decode()
            elif line.startswith(b"data: "):
                yield name, json.loads(line[6:])
    finally:
        writer.close()
