"""Titles of samples and own pictures in a visitor's language."""

from ...pictures.own_donors import is_own_picture
from ...pictures.samples import sample_names, sample_title
from ..locale.translated import translated
from ..locale.words import say
from .own_pictures import OwnPictures


def sample_in_words(name: str, language: str) -> str:
    """Return the title of a sample picture."""
    return translated(sample_title(name), language)


def pictures_in_words(pictures: OwnPictures, language: str) -> dict[str, str]:
    """Return the titles of own pictures and then of samples, by name."""
    names = [*(name for name, _ in pictures.newest_first()), *sample_names()]
    return {name: picture_in_words(name, pictures, language) for name in names}


def picture_in_words(name: str, pictures: OwnPictures, language: str) -> str:
    """Return a picture's title by its name in edits."""
    if not is_own_picture(name):
        return sample_in_words(name, language)
    held = pictures.find(name)
    if held is None:
        return say(language, "missing_picture")
    title = held.file or say(language, "own_picture")
    return title if held.number == 1 else f"{title} ({held.number})"
