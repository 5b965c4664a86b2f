"""Edits as a visitor reads them: ``layer1.0.conv1: channels 3, 17 removed``."""

from collections.abc import Sequence

from ...request.edit_request import EditRequest
from ..locale.words import say
from ..visit.own_pictures import OwnPictures
from ..visit.picture_titles import picture_in_words

LONGEST_LIST = 60  # characters of an edit's channels that are read out
BOTH_WAYS = ("noise", "clamp")  # shown with ± before the amount


def edit_in_words(edit: EditRequest, pictures: OwnPictures, language: str) -> str:
    """Return an edit in words; a swap's picture comes from ``pictures``."""
    key = "edit_zero_gradient" if edit.backward and edit.kind == "zero" else f"edit_{edit.kind}"
    amount = abs(edit.amount) if edit.kind in BOTH_WAYS else edit.amount
    return say(
        language,
        key,
        where=_where(edit, language),
        amount=f"{amount:g}".replace("-", "−"),
        donor=picture_in_words(edit.donor, pictures, language) if edit.donor else "",
    )


def edits_listed(edits: Sequence[EditRequest], pictures: OwnPictures, language: str) -> str:
    """Several edits, one after the other."""
    return "; ".join(edit_in_words(edit, pictures, language) for edit in edits)


def _where(edit: EditRequest, language: str) -> str:
    layer = edit.layer
    if edit.call is not None:
        layer = say(language, "edit_call", layer=layer, call=edit.call + 1)
    layer = say(language, f"edit_{edit.side}", layer=layer) if edit.side != "output" else layer
    text = edit.listed if edit.channels else ""
    key = "edit_layer" if not text else "edit_channel" if text.isdigit() else "edit_channels"
    channels = _shortened(text).replace(",", ", ").replace("-", "–")
    return say(language, key, layer=layer, channels=channels)


def _shortened(channels: str) -> str:
    return channels if len(channels) <= LONGEST_LIST else f"{channels[:LONGEST_LIST].rpartition(',')[0]},…"
