"""Random messages over the page's own websocket: only what a page sends reaches the script."""

import asyncio
from typing import Any

from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Message
from streamlit.proto.BackMsg_pb2 import BackMsg

from viz.ui.door.limits import DoorLimits
from viz.ui.door.sockets import ASKED, Conversation

LIMITS = DoorLimits(messages_rate=1e9, messages_burst=10_000, message=10_000)
CLOSED = {1002, 1008, 1009}


def _message(kind: str, words: list[str], number: int) -> bytes:
    asked = BackMsg()
    if kind == "rerun_script":
        asked.rerun_script.query_string = "".join(words)
        for word in words:
            asked.rerun_script.widget_states.widgets.add(id=word, int_value=number)
    elif kind == "file_urls_request":
        asked.file_urls_request.file_names.extend(words)
    else:
        setattr(asked, kind, True)
    return asked.SerializeToString()


WORDS = st.lists(st.text(max_size=30), max_size=40)
KINDS = ("rerun_script", "file_urls_request", "stop_script", "clear_cache", "load_git_info", "app_heartbeat")
HONEST = st.builds(_message, st.sampled_from(KINDS), WORDS, st.integers(-(2**31), 2**31 - 1))
DAMAGED = st.builds(
    lambda data, at, by: data[: at % (len(data) + 1)] + by + data[at % (len(data) + 1) :],
    HONEST,
    st.integers(0, 500),
    st.binary(min_size=1, max_size=8),
)
LONG = st.integers(9_990, 10_010).map(bytes)
FRAMES = (HONEST | DAMAGED | LONG | st.binary(max_size=200)).map(lambda data: {"bytes": data})
TEXTS = st.text(max_size=50).map(lambda text: {"text": text})


@given(st.lists(FRAMES | TEXTS, max_size=12))
@settings(max_examples=300, deadline=None)
def test_what_reaches_the_script_is_what_a_page_may_send(frames: list[dict[str, Any]]) -> None:
    """Short, readable messages of the four allowed types; all others are dropped or end the connection."""
    heard, closed = asyncio.run(_conversation(frames))
    assert len(closed) <= 1
    assert {each["code"] for each in closed} <= CLOSED
    for message in heard:
        asked = BackMsg.FromString(message["bytes"])
        assert asked.WhichOneof("type") in ASKED
        assert len(message["bytes"]) <= LIMITS.message
        assert len(asked.file_urls_request.file_names) <= LIMITS.names
    allowed = [frame["bytes"] for frame in _before_the_first_bad_one(frames)]
    assert [message["bytes"] for message in heard] == [data for data in allowed if _is_page_like(data)]


def _before_the_first_bad_one(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for place, frame in enumerate(frames):
        data = frame.get("bytes")
        if data is None or len(data) > LIMITS.message or not _is_readable(data):
            return frames[:place]
    return frames


def _is_readable(data: bytes) -> bool:
    try:
        BackMsg.FromString(data)
    except DecodeError:
        return False
    return True


def _is_page_like(data: bytes) -> bool:
    asked = BackMsg.FromString(data)
    return asked.WhichOneof("type") in ASKED and len(asked.file_urls_request.file_names) <= LIMITS.names


async def _conversation(frames: list[dict[str, Any]]) -> tuple[list[Message], list[Message]]:
    """Return the messages to the script until the visitor leaves, and those to the visitor."""
    coming = iter([{"type": "websocket.receive", **frame} for frame in frames])
    heard, sent = list[Message](), list[Message]()

    async def receive() -> Message:
        return next(coming, {"type": "websocket.disconnect"})

    async def send(message: Message) -> None:
        sent.append(message)

    talk = Conversation(receive, send, LIMITS)
    while (message := await talk.receive())["type"] == "websocket.receive":
        heard.append(message)
    return heard, sent
