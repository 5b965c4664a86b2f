"""Pictures and weights from visitors' files, read in processes apart (``viz.reader``)."""

import atexit
from functools import cache
from itertools import count
from threading import Lock
from weakref import WeakValueDictionary

from PIL import Image

from ....catalogue import models
from ....errors import BusyError, ImageError, TooLargeError
from ....pictures.images import MAX_PIXELS
from ....pictures.photo import Photo, photograph
from ....profile.cost import free_memory
from ....reader import Bounds, JobError, Reader
from ....sentences import Sentence
from . import reader_jobs

PICTURE = Bounds(seconds=10, memory=1_200_000_000, answer=3 * MAX_PIXELS)

_living: "WeakValueDictionary[int, Photo]" = WeakValueDictionary()
_numbers = count()
_lock = Lock()


@cache
def reader() -> Reader:
    """Return the reader that all visitors of this process share."""
    jobs = (reader_jobs.picture, reader_jobs.weights)
    shared = Reader({job.__name__: f"{job.__module__}:{job.__name__}" for job in jobs})
    atexit.register(shared.close)
    return shared


def read_photo(data: bytes, visitor: str, longest_side: int | None = None) -> Photo:
    """The picture in a visitor's file, ready to be looked at.

    Raises:
        ImageError: the file is not a picture that can be read, or reading it takes more than it may.
    """
    asked = {"longest_side": longest_side}
    try:
        found, pixels = reader().read("picture", data, asked, PICTURE, visitor=visitor)
    except TooLargeError as error:
        raise ImageError(
            "reading this picture takes more time or memory than is allowed: save it again, plain or smaller"
        ) from error
    except BusyError as error:
        raise ImageError("too many files are being read here: send this one again in a moment") from error
    except JobError as error:
        if error.kind == ImageError.__name__:
            raise ImageError(error.says) from None
        raise
    _make_room(len(pixels))
    photo = photograph(Image.frombytes("RGB", (found["width"], found["height"]), pixels), pixels)
    with _lock:
        _living[next(_numbers)] = photo
    return photo


def _make_room(size: int) -> None:
    """Refuse a picture of ``size`` bytes if there is no room.

    Raises:
        ImageError: there is no room for it.
    """
    with _lock:
        held = {photo.fingerprint: photo.image.width * photo.image.height * 3 for photo in _living.values()}
    if sum(held.values()) + size > most_of_all():
        full = Sentence("visitors' pictures fill the memory that this server has for them: try later")
        raise ImageError(full) from BusyError(full)  # a pass over a folder waits for room, and goes on


@cache
def most_of_all() -> int:
    """Return the limit for all visitors' pictures together, in bytes.

    It is a quarter of the free memory, but at least 600 MB.
    """
    return max(free_memory() // 4, 5 * PICTURE.answer)


def read_weights(data: bytes, visitor: str) -> tuple[bytes, models.own.StateTable]:
    """Return a visitor's weights as bytes, and their tensors' places.

    The bytes are the file's own, or those of all files of a folder in a ZIP.

    Raises:
        OwnWeightsError: the file holds no weights that can be read, or reading it takes more than it may.
    """
    models.own.check_size(data)
    bounds = Bounds.of_weights(len(data))
    try:
        table, unpacked = reader().read("weights", data, {}, bounds, visitor=visitor)
    except (TooLargeError, BusyError) as error:
        raise models.OwnWeightsError(str(error)) from error
    except JobError as error:
        if error.kind == models.OwnWeightsError.__name__:
            raise models.OwnWeightsError(error.says) from None
        raise
    held = bytes(unpacked) or data
    return held, models.own.from_plain(table, len(held))
