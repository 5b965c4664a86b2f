"""A page's open connection to its script, with bounded messages.

Their length, rate and kind are bounded.
"""

import asyncio

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import Message, Receive, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from .counting import Rates
from .limits import DoorLimits

UNREADABLE, REFUSED, TOO_LONG = 1002, 1008, 1009  # Source: RFC 6455, section 7.4.1
# What the page's own script needs. Streamlit knows more: emptying everybody's caches, reading the server's
# Git repository, installing programs for the developer.
ASKED = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"}


class Conversation:
    """Both directions of a websocket, with limits on messages.

    A message that is too long ends it; one that comes too fast waits.
    """

    def __init__(self, receive: Receive, send: Send, limits: DoorLimits) -> None:
        self._receive, self._send, self._limits = receive, send, limits
        self._rates = Rates(limits.messages_rate, limits.messages_burst)
        self._over = False

    async def receive(self) -> Message:
        """Return the next message that the page may send."""
        while True:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                return message
            data: bytes | None = message.get("bytes")
            if data is None:
                return await self._end(REFUSED)
            if len(data) > self._limits.message:
                return await self._end(TOO_LONG)
            if wait := self._rates.take(""):
                await asyncio.sleep(wait)
                self._rates.take("")
            try:
                if self._may_ask(data):
                    return message
            except DecodeError:
                return await self._end(UNREADABLE)

    async def send(self, message: Message) -> None:
        """Send a message, unless the conversation was ended here.

        Raises:
            OSError: it was; servers raise this when a connection is gone.
        """
        if self._over:
            raise OSError("the conversation is over")
        await self._send(message)

    def _may_ask(self, data: bytes) -> bool:
        asked = BackMsg.FromString(data)
        names = asked.file_urls_request.file_names
        return asked.WhichOneof("type") in ASKED and len(names) <= self._limits.names

    async def _end(self, code: int) -> Message:
        self._over = True
        await self._send({"type": "websocket.close", "code": code})
        return {"type": "websocket.disconnect", "code": code}
