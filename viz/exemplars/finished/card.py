"""Card of a finished capture, as it describes itself."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from ...errors import RequestError
from ..keeping import CARD_FILE, MAXIMA_FILE

MOST_OF_A_CARD = 1 << 27  # bytes: a million pictures that cannot be read are listed in as many
LONGEST_NAME, LONGEST_TEXT = 1 << 12, 1 << 20  # characters

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Count = Annotated[int, Meta(ge=0, le=1 << 53)]
Index = Annotated[int, Meta(ge=0, lt=1 << 31)]


class Call(msgspec.Struct, frozen=True):
    """One call of a layer, as a card lists it.

    Calls are counted from 0.
    """

    layer: Name
    type: Name
    call: Index
    channels: Index


class Unreadable(msgspec.Struct, frozen=True):
    """A picture that could not be looked at, and why."""

    picture: Name
    reason: Name


class Card(msgspec.Struct, frozen=True):
    """The part of a capture's card that is read again.

    ``weights_sha256`` and ``preprocessing`` are None where a card does not have them.
    """

    model: Name = ""
    weights: Name = ""
    weights_sha256: Name | None = None
    preprocessing: Annotated[str, Meta(max_length=LONGEST_TEXT)] | None = None  # in its own words
    folder: Name = ""
    pictures: Count = 0
    pictures_sha256: Name = ""
    complete: bool = True
    done: Count = 0
    channels: tuple[Call, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()


def card_of(out: Path) -> Card:
    """Return the card of a finished capture.

    Raises:
        RequestError: there is no finished capture in this folder.
    """
    try:
        with (out / CARD_FILE).open("rb") as file:
            text = file.read(MOST_OF_A_CARD + 1)
        card = msgspec.json.decode(text if len(text) <= MOST_OF_A_CARD else b"", type=Card)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RequestError("{out} is no finished capture: it has no readable card.json", out=out) from error
    if not (out / MAXIMA_FILE).is_file():
        raise RequestError("{out} is no finished capture: it has no {file}", out=out, file=MAXIMA_FILE)
    return card
