"""What pictures are called in a visitor's language: a sample by what it shows, an own one by its file."""

from ...pictures.own_donors import is_own_picture
from ...pictures.samples import sample_title
from ..locale.translated import translated
from ..locale.words import say
from .own_pictures import OwnPictures


def sample_in_words(name: str, language: str) -> str:
    """What a sample picture shows."""
    return translated(sample_title(name), language)


def picture_in_words(name: str, pictures: OwnPictures, language: str) -> str:
    """What a picture is called by the name that edits use; own ones are those of a visit."""
    if not is_own_picture(name):
        return sample_in_words(name, language)
    held = pictures.find(name)
    if held is None:
        return say(language, "missing_picture")
    title = held.file or say(language, "own_picture")
    return title if held.number == 1 else f"{title} ({held.number})"
