"""Visitors' pictures and weights, read in processes apart, and crops."""

import atexit
from functools import cache
from itertools import count
from threading import Lock
from weakref import WeakValueDictionary

from PIL import Image

from ....catalogue import models
from ....errors import BusyError, ImageError, RequestError, TooLargeError
from ....pictures.images import MAX_PIXELS
from ....pictures.photo import Photo, cropped, photograph
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
    if not _has_room(len(pixels)):
        full = Sentence("visitors' pictures fill the memory that this server has for them: try later")
        raise ImageError(full) from BusyError(full)  # a pass over a folder waits for room, and goes on
    return _counted(photograph(Image.frombytes("RGB", (found["width"], found["height"]), pixels), pixels))


def crop_photo(photo: Photo, text: str) -> Photo:
    """Crop a picture as ``cropped`` does, within the bound on all pictures.

    Raises:
        RequestError: there is no such part, or no room for it.
    """
    part = cropped(photo, text)
    if part is photo:
        return photo
    if not _has_room(_size(part)):
        raise RequestError(
            "Visitors' pictures fill the memory that this server has for them, so this crop has to wait: try "
            "later."
        )
    return _counted(part)


def _has_room(size: int) -> bool:
    """Return whether there is room for a picture of ``size`` bytes."""
    with _lock:
        held = sum(map(_size, _living.values()))
    return held + size <= most_of_all()


def _counted(photo: Photo) -> Photo:
    """Count a picture among visitors' own while it is held."""
    with _lock:
        _living[next(_numbers)] = photo
    return photo


def _size(photo: Photo) -> int:
    return photo.image.width * photo.image.height * 3


@cache
def most_of_all() -> int:
    """Return the limit for all visitors' pictures and crops together, in bytes.

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
