"""A folder's picture as the subject, named in the address."""

from ...errors import ImageError
from ...pictures.photo import Photo
from ..visit.visit import Visit
from .captured import captured
from .sources import FOLDER, OWN, OwnSource, Source, served

_MARK = ":"


def name_in_address(kind: str, name: str) -> str:
    """Return a folder picture's name in the address, like a sample's."""
    return f"{kind}{_MARK}{name}"


def is_of_folder(text: str) -> bool:
    """Return whether a sample's name may mean a folder's picture."""
    return text.startswith(f"{FOLDER}{_MARK}") or is_of_own_folder(text)


def is_of_own_folder(text: str) -> bool:
    """Return whether a sample's name may mean a visitor's picture."""
    return text.startswith(f"{OWN}{_MARK}")


def is_here(text: str, visit: Visit) -> bool:
    """Return whether this visitor may look at the named picture."""
    source, name = _parts(text, visit)
    return source is not None and name in source.names


def title_of(text: str, visit: Visit) -> str:
    """Return the named picture's title for visitors."""
    source, name = _parts(text, visit)
    return source.title(name) if source else name


def photo_named(text: str, visit: Visit) -> Photo:
    """The picture, decoded in a process of its own.

    Raises:
        ImageError: it is not here any more, or cannot be read.
    """
    source, name = _parts(text, visit)
    if source is None:
        raise ImageError("there is no such picture here any more")
    return source.photo(name, visit.visitor)


def _parts(text: str, visit: Visit) -> tuple[Source | None, str]:
    kind, _, name = text.partition(_MARK)
    if kind == OWN:
        return OwnSource(visit.folder), name
    found = captured()
    return (served() or (found.source if found else None)) if kind == FOLDER else None, name
