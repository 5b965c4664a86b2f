"""Layers whose channels are the model's classes."""

from dataclasses import dataclass

from ...profile.rows import NamedCall
from ..whole_model import PictureInModel


@dataclass(frozen=True)
class Names(PictureInModel[tuple[NamedCall, ...]]):
    """The calls whose channels are the classes, from one pass."""

    done_by = "views.work.names:class_names"
