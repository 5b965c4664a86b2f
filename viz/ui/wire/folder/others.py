"""Other models on the same pictures that a visitor may know of."""

import hashlib
from typing import NamedTuple, TypeVar

from ....errors import RequestError
from ...folders.captured import CaptureFolder
from ...folders.opened import looked_too
from ...folders.passes import Pass
from ...folders.sources import Source
from ...locale.words import say
from ...visit.visit import SubjectEntry
from ...visit.weights_words import weights_named
from ..answers import PageQuery
from ..threads import in_thread
from .finding import Folder
from .gathered import LEAST_PICTURES
from .routes_folder import FolderQuestion

Folders = TypeVar("Folders", bound=FolderQuestion)


class ComparedModel(NamedTuple):
    """A model, with its weights, that has looked through the same pictures.

    Attributes:
        name: its name in questions.
        title: its title for visitors.
        looked: its capture or its pass.
    """

    name: str
    title: str
    looked: CaptureFolder | Pass


async def others_of(asked: PageQuery[Folders], found: Folder) -> tuple[ComparedModel, ...]:
    """Return other models with enough pictures, titled in the question's language."""
    return await in_thread(asked.subject, _others, asked.subject, found.source, asked.question.language)


def _others(entry: SubjectEntry, source: Source, language: str) -> tuple[ComparedModel, ...]:
    others = {}
    for each in looked_too(entry, source):
        title = _title(each, language) if each.count >= LEAST_PICTURES else ""
        if title:
            name = hashlib.sha256(f"{each.model} {each.weights}".encode()).hexdigest()[:16]
            others[name] = ComparedModel(name, title, each)
    return tuple(others.values())


def _title(looked: CaptureFolder | Pass, language: str) -> str:
    """Return a capture's or pass's title; empty if its weights are gone."""
    key = "lens_captured" if isinstance(looked, CaptureFolder) else "lens_model"
    try:
        return title_of(looked.model, looked.weights, language, key)
    except RequestError:
        return ""


def title_of(model: str, weights: str, language: str, key: str = "lens_model") -> str:
    """A model and its weights, in the words of a key.

    Raises:
        RequestError: the weights were a visitor's, and are gone.
    """
    return say(language, key, model=model, weights=weights_named(weights, model, language))
