"""Plan of a figure: what a look's columns, pictures and choices mean."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...catalogue import models
from ...errors import RequestError
from ...home import COMMAND
from ...maps.colour.tables import AUTO, check_colormap
from ...maps.reduction.reduce import ReductionRequest, check_reduction
from ...pictures.own_donors import donor_photo, own_name, sample_of
from ...pictures.photo import Photo
from ...request.figure import FigureColumn, columns_in, pictures_in
from ...request.look import Look
from ...take_home.desk import Window, heads_of, layer_said, row_names
from ...take_home.panels import SheetStyle, panel_width
from ..locale.words import say
from ..visit.catalogue.known import describe
from ..visit.own_pictures import CUT
from ..visit.picture_titles import pictures_in_words
from ..visit.visit import SubjectEntry
from .other.asking import HANDED

_NAMELESS = "picture.png"


class PlannedPicture(NamedTuple):
    """A picture of a figure.

    Attributes:
        name: in the look.
        title: for a visitor.
        file: in captions, and beside rows if it is ASCII.
        source: in the command.
        photo: the whole picture.
    """

    name: str
    title: str
    file: str
    source: str
    photo: Photo


@dataclass(frozen=True)
class FigurePlan:
    """A figure before any model is loaded."""

    look: Look
    columns: tuple[FigureColumn, ...]
    pictures: tuple[PlannedPicture, ...]

    @property
    def reducing(self) -> ReductionRequest:
        """The formula that makes one picture of each layer."""
        look = self.look
        return ReductionRequest(look.reduce, top=look.top if look.reduce == "top" else None)

    @property
    def style(self) -> SheetStyle:
        """Looks of the figure."""
        look, usual = self.look, SheetStyle()
        rows = row_names([each.file if each.file.isascii() else "" for each in self.pictures])
        if look.reduce == "pca":  # three components have ranges and colours of their own
            colours = (usual.scale, usual.colormap)
        else:
            colours = (look.figure_scale, look.colormap)
        return SheetStyle(float(look.figure_width), *colours, look.figure_letters, rows)

    def layers(self, calls: Sequence[int]) -> list[str]:
        """Return the columns' layers, with calls if one has several."""
        several = max(calls) > 1
        return [layer_said(each.layer, each.call if several else None) for each in self.columns]

    def heads(self, calls: Sequence[int]) -> list[str]:
        """Return the titles of the columns."""
        names = [_named(each) for each in self.columns]
        return heads_of(list(zip(names, self.layers(calls), strict=True)))

    def windows(self, picture: PlannedPicture) -> list[Window]:
        """Return each model's part of a picture; empty where none is known."""
        found = [getattr(describe(each.model).preprocessing, "window", None) for each in self.columns]
        size = picture.photo.image.size
        return [tuple(window(size)) if window else () for window in found]

    def command(self, calls: Sequence[int]) -> str:
        """Return the command that writes the very file.

        ``calls``: how often each column's layer runs. The command is empty where none can: for a model of the
        operator's or a program's, for different calls, and for pictures whose files' names are cut short or
        the same.
        """
        sources = [each.source for each in self.pictures]
        if not all(map(_has_name, self.columns)) or len({each.call for each in self.columns}) > 1:
            return ""
        if len(set(sources)) < len(sources) or any(CUT in each for each in sources):
            return ""
        look, style = self.look, self.style
        words = ["figure", *sources]
        for model, weights, layer, _ in self.columns:
            words += ["--panel", model, layer, *([weights] if weights == "random" else [])]
        words += ["--reduce", look.reduce]
        words += ["--top", str(look.top)] if self.reducing.top is not None else []
        words += ["--call", str(self.columns[0].call + 1)] if max(calls) > 1 else []
        words += ["--colormap", style.colormap] if style.colormap != AUTO else []
        words += ["--over"] if look.figure_over else []
        words += ["--photo"] if look.figure_photos else []
        words += ["--scale", style.scale] if style.scale != SheetStyle.scale else []
        words += ["--width", f"{style.width:g}"] if style.width != SheetStyle.width else []
        words += [] if style.lettered else ["--no-letters"]
        return f"{COMMAND} {shlex.join([*words, '--out', 'figure.pdf'])}"


def plan_of(subject: SubjectEntry, look: Look, language: str) -> FigurePlan:
    """Return the figure that a look means, after checks that cost nothing.

    Raises:
        RequestError: it names something that there is not, or that does not go together.
        UnknownModelError: there is no such model.
    """
    columns = columns_in(look.figure)
    for each in columns:
        describe(each.model)
    plan = FigurePlan(look, columns, pictures_of(subject, look, language))
    check_colormap(look.colormap)
    check_reduction(look.reduce, plan.reducing.top)
    across, style = len(columns) + look.figure_photos, plan.style
    panel_width(across, across * len(plan.pictures), style, look.reduce)
    if look.figure_over:
        _check_windows(plan)
    return plan


def pictures_of(subject: SubjectEntry, look: Look, language: str) -> tuple[PlannedPicture, ...]:
    """Return a figure's pictures; by default the one on screen.

    Raises:
        RequestError: it names too many, or one that there is not.
    """
    names = pictures_in(look.figure_pictures)
    found = [_picture(subject, name, language) for name in names] or [_on_screen(subject, language)]
    files = [each.file for each in found]
    return tuple(
        each._replace(file=each.title) if files.count(each.file) > 1 else each for each in found
    )  # two files with one name are told apart by number


def _picture(subject: SubjectEntry, name: str, language: str) -> PlannedPicture:
    title = pictures_in_words(subject.pictures, language).get(name)
    if title is None:
        raise RequestError(
            "There is no picture {name} here for a figure; choose another.", name=repr(name[:40])
        )
    own = subject.pictures.find(name)
    subject.pictures.use([name])
    if own is None:
        return PlannedPicture(name, title, name, f"sample:{name}", donor_photo(name))
    file = own.file or _NAMELESS
    return PlannedPicture(name, title, file, _as_path(file), own.photo)


def _on_screen(subject: SubjectEntry, language: str) -> PlannedPicture:
    """Return the picture on screen, whole even if it is cropped."""
    whole = subject.photo.original
    held = own_name(whole) if subject.pictures.find(own_name(whole)) else sample_of(whole)
    if held:
        return _picture(subject, held, language)
    return PlannedPicture("", say(language, "own_picture"), _NAMELESS, _NAMELESS, whole)


def _as_path(file: str) -> str:
    """Return a file's name as no command takes for an option."""
    return f"./{file}" if file.startswith("-") else file


def _named(column: FigureColumn) -> str:
    return column.model if column.weights == "pretrained" else f"{column.model} ({column.weights})"


def _has_name(column: FigureColumn) -> bool:
    """Check whether a command can name the column's model."""
    return column.model != models.own_model_name() and describe(column.model).family != HANDED


def _check_windows(plan: FigurePlan) -> None:
    for column, window in zip(plan.columns, plan.windows(plan.pictures[0]), strict=True):
        if not window:
            raise RequestError(
                "No part of the photo is known that {model} sees; do not lay its maps over the photo.",
                model=column.model,
            )
