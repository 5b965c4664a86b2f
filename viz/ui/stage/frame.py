"""The frame around the part of a picture that a model sees."""

from typing import Any

from ...answers.subject import FrameFacts
from ...pictures.photo import Photo

_SIDE = 1000  # of a square; its shares are the same for every side


def frame_facts(photo: Photo, preprocessing: Any) -> FrameFacts | None:
    """Return the frame's facts; None if the preprocessing has no window."""
    window = getattr(preprocessing, "window", None)
    if window is None:
        return None
    crop, (width, height) = photo.crop, photo.original.image.size
    left, top = (crop.left, crop.top) if crop else (0, 0)
    seen = window(photo.image.size)
    return FrameFacts(
        width=width,
        height=height,
        crop=str(crop) if crop else "",
        seen=tuple(end + first for end, first in zip(seen, (left, top, left, top), strict=True)),
        inner=tuple(end / _SIDE for end in window((_SIDE, _SIDE))),
    )
