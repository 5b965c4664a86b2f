"""Messages between the page and a host, over a socket: pickled values, and each picture only once.

Both ends are ours, and a host runs the operator's own models anyway, so that pickles from it are trusted as
its code is. Arrays travel beside the pickle as they lie in memory; pictures travel ahead, and are named by
their content from then on.
"""

import contextlib
import io
import pickle
import socket
import struct
import threading
from collections import OrderedDict
from typing import Any

from ...pictures.photo import Photo

PICTURES = 512 << 20  # bytes of pictures that the other end keeps for us
_HEAD = struct.Struct("<QI")
_LENGTH = struct.Struct("<Q")
_PICTURE, _FORGET = "picture", "forget"
_PART = 1 << 20


class Line:
    """One end of a connection. Many threads may send; one receives."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._lock = threading.Lock()
        self._sent: OrderedDict[str, int] = OrderedDict()  # what the other end has, and its bytes
        self._had: dict[str, Photo] = {}

    def send(self, *message: Any) -> None:
        """Send one message.

        Raises:
            OSError: the other end has gone.
            Exception: a value cannot be pickled; nothing has been sent then but pictures.
        """
        with self._lock:
            parts, photos = _pickled(message)
            for photo in photos.values():
                self._introduce(photo)
            self._drop(keep=photos)
            self._write(parts)

    def receive(self) -> tuple[Any, ...]:
        """The next message.

        Raises:
            EOFError: the other end has gone.
            OSError: likewise.
        """
        while True:
            message: tuple[Any, ...] = _Unpickler(*self._read(), self._had).load()
            if message[0] == _PICTURE:
                self._had[message[1].fingerprint] = message[1]
            elif message[0] == _FORGET:
                for name in message[1]:
                    self._had.pop(name, None)
            else:
                return message

    def close(self) -> None:
        """Hang up: whoever receives, here or there, is told that the other end has gone."""
        with contextlib.suppress(OSError):  # the other end was first
            self._end.shutdown(socket.SHUT_RDWR)
        self._end.close()

    def _introduce(self, photo: Photo) -> None:
        """Send a picture that the other end does not have; called under the lock."""
        if photo.fingerprint in self._sent:
            self._sent.move_to_end(photo.fingerprint)
            return
        if photo.whole:
            self._introduce(photo.whole)
        self._write(_pickled((_PICTURE, photo))[0])
        self._sent[photo.fingerprint] = _bytes(photo)

    def _drop(self, keep: dict[str, Photo]) -> None:
        """Have the other end forget the pictures that were not used for longest; called under the lock."""
        surplus, dropped = sum(self._sent.values()) - PICTURES, []
        for name in list(self._sent):
            if surplus <= 0:
                break
            if name not in keep:
                surplus -= self._sent.pop(name)
                dropped.append(name)
        if dropped:
            self._write(_pickled((_FORGET, tuple(dropped)))[0])

    def _write(self, parts: list[memoryview]) -> None:
        lengths = b"".join(_LENGTH.pack(part.nbytes) for part in parts[1:])
        self._end.sendall(_HEAD.pack(parts[0].nbytes, len(parts) - 1) + lengths)
        for part in parts:
            self._end.sendall(part)

    def _read(self) -> tuple[bytearray, list[bytearray]]:
        length, buffers = _HEAD.unpack(self._exactly(_HEAD.size))
        lengths = [_LENGTH.unpack(self._exactly(_LENGTH.size))[0] for _ in range(buffers)]
        return self._exactly(length), [self._exactly(each) for each in lengths]

    def _exactly(self, length: int) -> bytearray:
        data = bytearray(length)
        view, at = memoryview(data), 0
        while at < length:
            got = self._end.recv_into(view[at:], min(_PART, length - at))
            if not got:
                raise EOFError
            at += got
        return data


class _Pickler(pickle.Pickler):
    """Names pictures, and collects those that it has named; all but the one that the message carries."""

    def __init__(self, file: io.BytesIO, buffers: list[pickle.PickleBuffer], carried: Photo | None) -> None:
        super().__init__(file, 5, buffer_callback=buffers.append)
        self._carried = carried
        self.photos: dict[str, Photo] = {}

    def persistent_id(self, value: Any) -> str | None:
        if not isinstance(value, Photo) or value is self._carried:
            return None
        self.photos[value.fingerprint] = value
        return value.fingerprint


class _Unpickler(pickle.Unpickler):
    """Finds pictures by their names; arrays are read-only, as they are where answers are kept."""

    def __init__(self, text: bytearray, buffers: list[bytearray], photos: dict[str, Photo]) -> None:
        super().__init__(io.BytesIO(text), buffers=[memoryview(each).toreadonly() for each in buffers])
        self._photos = photos

    def persistent_load(self, name: str) -> Photo:
        return self._photos[name]


def _pickled(message: tuple[Any, ...]) -> tuple[list[memoryview], dict[str, Photo]]:
    """The message as bytes and buffers, and the pictures that it names."""
    file, buffers = io.BytesIO(), list[pickle.PickleBuffer]()
    carried = message[1] if message[0] == _PICTURE else None
    pickler = _Pickler(file, buffers, carried)
    pickler.dump(message)
    return [file.getbuffer(), *(each.raw() for each in buffers)], pickler.photos


def _bytes(photo: Photo) -> int:
    return photo.image.width * photo.image.height * len(photo.image.getbands())
