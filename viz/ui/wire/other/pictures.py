"""Pictures for the other side: the same, own ones, and samples."""

from collections.abc import Mapping
from typing import NamedTuple

from ....answers.message import Notice
from ....pictures.own_donors import donor_photo, is_own_picture, own_name, sample_of
from ....pictures.photo import Photo
from ....pictures.samples import sample_names
from ....request.look import Look
from ...locale.vain import vain_notice
from ...locale.words import say
from ...visit.picture_titles import pictures_in_words, sample_in_words
from ...visit.visit import SubjectEntry
from .place import SAME, is_same


class OtherPicture(NamedTuple):
    """The other side's picture, with its name, its title and a notice."""

    name: str
    photo: Photo
    title: str
    notice: Notice | None


def picture_beside(subject: SubjectEntry, look: Look, language: str) -> OtherPicture:
    """Return the other side's picture, from the look or by default.

    Another visit's picture is treated like one that nobody has.
    """
    said, own = look.with_sample, subject.pictures.find(look.with_sample)
    if own is not None:
        subject.pictures.use([said])  # it is on screen
        return OtherPicture(said, own.photo, say(language, "own_picture"), None)
    names = (SAME, *sample_names())
    name = said if said in names else _at_first(subject, look)
    notice = vain_notice(language, "with_sample", said, names, name) if said not in ("", name) else None
    if is_own_picture(said) and not subject.lent:  # a student cannot bring the teacher's
        notice = Notice(say(language, "lost_other_upload"), "your-files#my-picture-is-gone-why")
    if name == SAME:
        return OtherPicture(SAME, subject.photo, title_of(subject, language), notice)
    return OtherPicture(name, donor_photo(name), sample_in_words(name, language), notice)


def title_of(subject: SubjectEntry, language: str) -> str:
    """Return the title of the first side's picture."""
    whole = subject.photo.original
    sample = "" if subject.pictures.find(own_name(whole)) else sample_of(whole)
    return sample_in_words(sample, language) if sample else say(language, "own_picture")


def pictures_offered(subject: SubjectEntry, language: str) -> Mapping[str, str]:
    """Return the titles of the pictures to choose, by their names."""
    return {SAME: say(language, "same_sample")} | pictures_in_words(subject.pictures, language)


def _at_first(subject: SubjectEntry, look: Look) -> str:
    """Return the picture at first: another sample if nothing else differs."""
    if not all(is_same(said) for said in (look.with_model, look.with_weights, look.with_layer)):
        return SAME
    shown = sample_of(subject.photo.original)
    return next(name for name in sample_names() if name != shown)
