"""Messages of a page on its websocket, sent and received; they are carried with or without waiting."""

import json
import uuid
from typing import Any
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState


class Conversation:
    """One page: what it shows, as far as it has heard, and the next thing that it says.

    Attributes:
        session: Streamlit's name of this stay.
    """

    def __init__(self, **view: str) -> None:
        self.session = ""
        self._view, self._files = urlencode(view), dict[str, WidgetState]()
        self._elements: dict[tuple[int, ...], Any] = {}
        self._urls: dict[str, Any] = {}
        self._kept: dict[str, ForwardMsg] = {}

    def ask_for_run(self, query: str | None = None) -> bytes:
        """The message that asks for a run of the page's script, at another address if there is one."""
        asked = BackMsg()
        asked.rerun_script.query_string = self._view if query is None else query
        asked.rerun_script.widget_states.widgets.extend(self._files.values())
        asked.rerun_script.cached_message_hashes.extend(self._kept)
        return bytes(asked.SerializeToString())

    def ask_for_place(self, name: str) -> tuple[str, bytes]:
        """The message that asks where to send a file, and the key to its answer."""
        request = BackMsg()
        request.file_urls_request.request_id = asked = uuid.uuid4().hex
        request.file_urls_request.file_names.append(name)
        request.file_urls_request.session_id = self.session
        return asked, request.SerializeToString()

    def place(self, asked: str) -> Any:
        """Return the address at which the server wants the file; None before it has said so."""
        return self._urls.get(asked)

    def put_into_box(self, key: str, urls: Any, name: str, size: int) -> None:
        """From now on, say that an uploaded file lies in the box with a key.

        Raises:
            LookupError: the page has no such box.
        """
        state = WidgetState(id=self._box(key))
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = urls.file_id, name, size
        info.file_urls.CopyFrom(urls)
        self._files[key] = state

    def hear(self, data: bytes) -> ForwardMsg:
        """Take note of what the server says; in place of a message that it knows we have, it names that."""
        message = ForwardMsg.FromString(data)
        if message.WhichOneof("type") == "ref_hash":
            known = ForwardMsg()
            known.CopyFrom(self._kept[message.ref_hash])
            known.metadata.CopyFrom(message.metadata)
            message = known
        if message.metadata.cacheable:
            self._kept[message.hash] = message
        self._note(message)
        return message

    def part(self, name: str) -> dict[str, Any]:
        """The data of one of the page's parts that live in the browser.

        Raises:
            LookupError: the page has no such part.
        """
        if name in (found := self.parts()):
            return found[name]
        raise LookupError(f"the page has no {name}; it says {self.notices()}")

    def parts(self) -> dict[str, dict[str, Any]]:
        """The data of each of the page's parts that live in the browser; of parts of one name, the first."""
        components = [each.bidi_component for each in self._of_kind("bidi_component")]
        return {each.component_name: json.loads(each.json) for each in reversed(components)}

    def notices(self) -> list[str]:
        """Return the texts of the page's boxes: problems, and what does not exist."""
        return [each.alert.body for each in self._of_kind("alert")]

    def _box(self, key: str) -> str:
        """The id of the upload box with a key."""
        for each in self._of_kind("file_uploader"):
            if each.file_uploader.id.endswith(f"-{key}"):
                return str(each.file_uploader.id)
        raise LookupError(f"the page has no upload box {key}; it says {self.notices()}")

    def _of_kind(self, kind: str) -> list[Any]:
        return [each for each in self._elements.values() if each.WhichOneof("type") == kind]

    def _note(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id or self.session
            self._elements.clear()
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._elements[tuple(message.metadata.delta_path)] = message.delta.new_element
        elif kind == "file_urls_response":
            self._urls[message.file_urls_response.response_id] = message.file_urls_response.file_urls[0]
