"""Titles in take-home files: the model, the picture and the edits."""

from dataclasses import replace

from ...catalogue import models
from ...pictures.own_donors import own_name, sample_of
from ...request.inspection import Inspection
from ...take_home.captions import captions
from ...take_home.card import Origin, origin_of
from ..locale.catalogues import ENGLISH
from ..locale.translated import translated
from ..visit.catalogue.known import describe
from ..visit.picture_titles import picture_in_words
from ..visit.visit import SubjectEntry
from .edit_words import edit_in_words


def model_said(wanted: Inspection) -> str:
    """The model and its weights, for the title of a file: ``"lenet, pretrained weights"``."""
    weights = wanted.weights.partition(":")[0]
    if weights == "pretrained" and wanted.model == models.own_model_name():
        weights = "original"  # nobody knows here whether they were trained
    return f"{wanted.model}, {weights} weights"


def plain_origin(subject: SubjectEntry) -> Origin:
    """Return the input's origin; its name is empty unless it is ASCII.

    Fonts may lack other letters.
    """
    origin = _origin(subject, ENGLISH)
    return origin if origin.name.isascii() else replace(origin, name="")


def captions_said(subject: SubjectEntry, wanted: Inspection, language: str) -> list[str]:
    """Return a title's captions beside model and layer, in a visitor's language."""
    edits = [edit_in_words(edit, subject.pictures, language) for edit in wanted.in_force]
    said = captions(wanted, _origin(subject, language), edits)
    return [translated(each, language) for each in said]


def plain_captions(subject: SubjectEntry, wanted: Inspection) -> list[str]:
    """The same in English letters, with edits as links write them."""
    return captions(wanted, plain_origin(subject))


def _origin(subject: SubjectEntry, language: str) -> Origin:
    words = describe(subject.model).preprocessing.describe()
    return origin_of(subject.photo, words, _picture_name(subject, language))


def _picture_name(subject: SubjectEntry, language: str) -> str:
    """Return the picture's file or sample name; empty without one."""
    whole = subject.photo.original
    held = subject.pictures.find(own_name(whole))
    if held is not None:
        return held.file
    sample = sample_of(whole)
    return picture_in_words(sample, subject.pictures, language) if sample else ""
