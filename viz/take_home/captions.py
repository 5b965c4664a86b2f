"""Captions of files to take home: the picture, edits and the mode."""

from collections.abc import Sequence

from ..request.inspection import Inspection
from ..sentences import Sentence
from .card import Origin

_DIGITS = 8  # of a picture's SHA-256, where it has no name that can be written


def captions(wanted: Inspection, origin: Origin, edits: Sequence[str] = ()) -> list[str]:
    """Return a title's text beside model and layer.

    Args:
        wanted: what was asked for.
        origin: where the model's input came from.
        edits: those in force in words; as links write them if nothing is said.
    """
    listed = "; ".join(edits or [edit.text for edit in wanted.in_force])
    said = [_picture(origin, wanted.image), _edited(wanted, listed), _mode(wanted)]
    return [each for each in said if each]


def _picture(origin: Origin, fingerprint: str) -> str:
    name = origin.name or (origin.picture or fingerprint)[:_DIGITS]
    if origin.crop:
        return Sentence("picture {name}, part {crop}", name=name, crop=origin.crop)
    return Sentence("picture {name}", name=name)


def _edited(wanted: Inspection, listed: str) -> str:
    if wanted.show == "before" and wanted.edits:
        return Sentence("original, before the edits")
    if not listed:
        return ""
    if wanted.show == "difference":
        return Sentence("difference, edited minus original: {edits}", edits=listed)
    return Sentence("edited: {edits}", edits=listed)


def _mode(wanted: Inspection) -> str:
    if wanted.training is None:
        return ""
    return Sentence("training mode, seed {seed}", seed=wanted.training)
