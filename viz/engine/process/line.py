"""Messages between the page and a host, over a socket.

Values are pickled, and each picture goes only once. A long message goes in frames, and short ones go between
them: a file of fifty megabytes holds up no map. Both ends are ours, and a host runs the operator's own models
anyway, so that pickles from it are trusted as its code is. Arrays travel beside the pickle as they lie in
memory; pictures travel ahead, and are named by their content from then on.
"""

import contextlib
import io
import itertools
import pickle
import socket
import struct
import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Any

from ...pictures.photo import Photo

PICTURES = 512 << 20  # bytes of pictures that the other end keeps for us
_FRAME = struct.Struct("<IQ")  # which message, and how many bytes of it follow
_HEAD = struct.Struct("<QI")  # how long the pickle is, and how many buffers come behind it
_LENGTH = struct.Struct("<Q")
_PICTURE, _FORGET = "picture", "forget"
_PART = 256 << 10  # bytes of a frame, and of a short message


class Line:
    """One end of a connection. Many threads may send; one receives."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._lock = threading.Lock()  # of what is known of pictures, and of the order in which they go ahead
        self._writing = threading.Condition()
        self._counting = threading.Lock()
        self._short = 0  # messages that are written in one piece, or wait for that
        self._numbers = itertools.count()
        self._arriving: dict[int, _ArrivingMessage] = {}
        self._flying: Counter[str] = Counter()  # pictures that a message on its way names
        self._sent: OrderedDict[str, int] = OrderedDict()  # what the other end has, and its bytes
        self._had: dict[str, Photo] = {}

    def send(self, *message: Any) -> None:
        """Send one message.

        Raises:
            OSError: the other end has gone.
            Exception: a value cannot be pickled; nothing has been sent then but pictures.
        """
        parts, photos = _pickled(message)
        with self._lock:
            for photo in photos.values():
                self._introduce(photo)
            self._flying.update(photos.keys())
            self._drop()
        try:
            self._write(parts)
        finally:
            with self._lock:
                self._flying -= Counter(photos.keys())

    def receive(self) -> tuple[Any, ...]:
        """The next message.

        Raises:
            EOFError: the other end has gone.
            OSError: likewise.
        """
        while True:
            pickled, *buffers = self._read().parts
            message: tuple[Any, ...] = _Unpickler(pickled, buffers, self._had).load()
            if message[0] == _PICTURE:
                self._had[message[1].fingerprint] = message[1]
            elif message[0] == _FORGET:
                for name in message[1]:
                    self._had.pop(name, None)
            else:
                return message

    def close(self) -> None:
        """Hang up, and end the wait of receivers on both ends."""
        with contextlib.suppress(OSError):  # the other end was first
            self._end.shutdown(socket.SHUT_RDWR)
        self._end.close()

    def _introduce(self, photo: Photo) -> None:
        """Send a picture that the other end lacks; called under the lock."""
        if photo.fingerprint in self._sent:
            self._sent.move_to_end(photo.fingerprint)
            return
        if photo.whole:
            self._introduce(photo.whole)
        self._write(_pickled((_PICTURE, photo))[0])
        self._sent[photo.fingerprint] = picture_bytes(photo)

    def _drop(self) -> None:
        """Have the other end forget long-unused pictures; called under the lock."""
        surplus, dropped = sum(self._sent.values()) - PICTURES, []
        for name in list(self._sent):
            if surplus <= 0:
                break
            if name not in self._flying:
                surplus -= self._sent.pop(name)
                dropped.append(name)
        if dropped:
            self._write(_pickled((_FORGET, tuple(dropped)))[0])

    def _write(self, parts: list[memoryview]) -> None:
        """Write a message, in frames if it is long."""
        lengths = b"".join(_LENGTH.pack(part.nbytes) for part in parts[1:])
        head = _HEAD.pack(parts[0].nbytes, len(parts) - 1) + lengths
        number, content = next(self._numbers) & 0xFFFFFFFF, sum(part.nbytes for part in parts)
        if content <= _PART:
            self._write_short(_FRAME.pack(number, content) + head, *parts)
            return
        self._write_short(_FRAME.pack(number, 0) + head)
        for part in parts:
            for start in range(0, part.nbytes, _PART):
                piece = part[start : start + _PART]
                with self._writing:
                    self._writing.wait_for(lambda: not self._short)
                    self._end.sendall(_FRAME.pack(number, piece.nbytes))
                    self._end.sendall(piece)

    def _write_short(self, *pieces: bytes | memoryview) -> None:
        with self._counting:
            self._short += 1
        with self._writing:
            try:
                for piece in pieces:
                    self._end.sendall(piece)
            finally:
                with self._counting:
                    self._short -= 1
                self._writing.notify_all()

    def _read(self) -> "_ArrivingMessage":
        """The next message that is complete."""
        while True:
            number, content = _FRAME.unpack(self._exactly(_FRAME.size))
            if number not in self._arriving:
                length, buffers = _HEAD.unpack(self._exactly(_HEAD.size))
                lengths = [_LENGTH.unpack(self._exactly(_LENGTH.size))[0] for _ in range(buffers)]
                self._arriving[number] = _ArrivingMessage([length, *lengths])
            arriving = self._arriving[number]
            while content:
                got = self._end.recv_into(arriving.room(content))
                if not got:
                    raise EOFError
                arriving.came(got)
                content -= got
            if arriving.complete:
                return self._arriving.pop(number)

    def _exactly(self, length: int) -> bytearray:
        data = bytearray(length)
        view, at = memoryview(data), 0
        while at < length:
            got = self._end.recv_into(view[at:], min(_PART, length - at))
            if not got:
                raise EOFError
            at += got
        return data


class _ArrivingMessage:
    """A message under way: a pickle, and the buffers behind it."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self.parts = [bytearray(length) for length in lengths]
        self._place, self._at = 0, 0
        self._go_on()

    @property
    def complete(self) -> bool:
        """True if all bytes are there."""
        return self._place == len(self.parts)

    def room(self, most: int) -> memoryview:
        """Return the memory for the next bytes, at most so many."""
        return memoryview(self.parts[self._place])[self._at : self._at + most]

    def came(self, count: int) -> None:
        """Note that so many bytes are there now."""
        self._at += count
        self._go_on()

    def _go_on(self) -> None:
        while not self.complete and self._at == len(self.parts[self._place]):
            self._place, self._at = self._place + 1, 0


class NamingPickler(pickle.Pickler):
    """Pickler that names pictures, and collects those it has named.

    The one that is ``carried`` is pickled itself. Without ``buffers`` arrays are pickled with the rest
    instead of beside it.
    """

    def __init__(
        self, file: io.BytesIO, carried: object, buffers: list[pickle.PickleBuffer] | None = None
    ) -> None:
        super().__init__(file, 5, buffer_callback=None if buffers is None else buffers.append)
        self._carried = carried
        self.photos: dict[str, Photo] = {}

    def persistent_id(self, value: Any) -> str | None:
        """The name of a picture; None for anything else."""
        if not isinstance(value, Photo) or value is self._carried:
            return None
        self.photos[value.fingerprint] = value
        return value.fingerprint


class _Unpickler(pickle.Unpickler):
    """Unpickler that finds pictures by name; its arrays are read-only."""

    def __init__(self, text: bytearray, buffers: list[bytearray], photos: dict[str, Photo]) -> None:
        super().__init__(io.BytesIO(text), buffers=[memoryview(each).toreadonly() for each in buffers])
        self._photos = photos

    def persistent_load(self, name: str) -> Photo:
        return self._photos[name]


def _pickled(message: tuple[Any, ...]) -> tuple[list[memoryview], dict[str, Photo]]:
    """The message as bytes and buffers, and the pictures that it names."""
    file, buffers = io.BytesIO(), list[pickle.PickleBuffer]()
    carried = message[1] if message[0] == _PICTURE else None
    pickler = NamingPickler(file, carried, buffers)
    pickler.dump(message)
    return [file.getbuffer(), *(each.raw() for each in buffers)], pickler.photos


def picture_bytes(photo: Photo) -> int:
    """Return the bytes of a picture, without those of its ``whole``."""
    return photo.image.width * photo.image.height * len(photo.image.getbands())
