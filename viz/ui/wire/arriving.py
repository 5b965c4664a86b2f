"""Checks of the look in an address: impossible parts become sentences."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ...answers.message import Notice
from ...errors import VizError
from ...findings.edit_checks import check_edits
from ...maps.colour.tables import AUTO, COLORMAPS, unstretched
from ...maps.reduction.reduce import TOP
from ...pictures.own_donors import is_own_picture
from ...profile.rows import LayerRow, first_layer
from ...request.edit_request import EditRequest, edits_from, edits_text
from ...request.look import Look, choices, look_from_query
from ...request.method import STEPS
from ..learning.lesson_names import is_lesson
from ..locale.translated import translated
from ..locale.vain import vain_notice
from ..locale.words import say
from ..visit.catalogue.known import describe
from ..visit.visit import SubjectEntry
from .edit_words import edits_listed

CHOICES = choices()
INSTEAD = {
    "channel": "channel_own",
    "cell": "cell_none",
    "target": "target_best",
    "optimised_minus": "channel_none",
    "window": "window_usual",
    "stride": "stride_usual",
    "training": "evaluation_mode",
    "seed": "quiz_any",
    "step": "step_own",
    "lesson": "lesson_contents",
    "lesson_step": "where_left",
    "quiz_question": "where_left",
}
USUAL = {"call": 1, "top": TOP, "steps": STEPS}  # where the look itself has no number
MAPS = 4  # axes of (N, C, H, W), where channels are counted by the second


def possible_look(text: str, subject: SubjectEntry, language: str) -> tuple[Look, list[Notice]]:
    """Return a look without its impossible parts, and a sentence for each.

    What only drawing shows (a leaf, a layout, a row, a slice) is left as it is: a layer that cannot be drawn
    so says why. The other side of a comparison is checked when it is asked for.
    """
    arrival = _Arrival(text, subject, language)
    for check in ("layer", "call", "channel", "cell", "colormap", "edits", "show", "target", "lesson"):
        getattr(arrival, f"check_{check}")()
    return arrival.look, arrival.notices


class _Arrival:
    """A look whose impossible parts are left out one after the other."""

    def __init__(self, text: str, subject: SubjectEntry, language: str) -> None:
        self.look, vain = look_from_query(text)
        self.subject, self.language = subject, language
        self.notices: list[Notice] = []
        for each in vain:
            if each.name == "layer":
                self._say_layer(each.value)
            else:
                self._say(each.name, each.value, _first(each.name, language), CHOICES.get(each.name, ()))

    def check_layer(self) -> None:
        layer = self.look.layer
        if layer and layer not in self._names:
            self._leave_out(layer="")
            self._say_layer(layer)

    def check_call(self) -> None:
        call = self.look.call
        if call >= max(1, self._row.calls):
            self._leave_out(call=0)
            self._say("call", call + 1, 1)

    def check_channel(self) -> None:
        channel, shape = self.look.channel, next(iter(self._row.shapes), None)
        if channel is not None and shape and len(shape) == MAPS and channel >= shape[1]:
            self._leave_out(channel=None)
            self._say("channel", channel, _first("channel", self.language))

    def check_cell(self) -> None:
        """Of maps as they come; other layouts have other cells."""
        look, shape = self.look, next(iter(self._row.shapes), None)
        if not look.cell or not shape or len(shape) != MAPS or (look.kind, look.leaf) != ("auto", ""):
            return
        row, column = (int(each) for each in look.cell.split(",")[:2])
        if row >= shape[2] or column >= shape[3]:
            self._leave_out(cell="")
            self._say("cell", look.cell, _first("cell", self.language))

    def check_colormap(self) -> None:
        colormap = self.look.colormap
        if unstretched(colormap) not in (AUTO, *COLORMAPS):
            self._leave_out(colormap=AUTO)
            self._say("colormap", colormap, AUTO, COLORMAPS)

    def check_edits(self) -> None:
        try:
            edits = edits_from(self.look.edit)
            check_edits(edits, self.subject.rows)
        except VizError as error:
            self._leave_out(edit="")
            said = translated(str(error), self.language)
            self._tell("edits_in_vain", "change-the-model#how-do-i-write-an-edit-in-an-address", error=said)
            return
        missing = [edit for edit in edits if self._is_missing(edit)]
        if missing:
            self._leave_out(edit=edits_text(tuple(edit for edit in edits if edit not in missing)))
            listed = edits_listed(missing, self.subject.pictures, self.language)
            self._tell(
                "edit_without_picture", "change-the-model#which-pictures-can-values-come-from", edits=listed
            )

    def check_show(self) -> None:
        show, first = self.look.show, Look().show
        if not self.look.edit and show != first:
            self._leave_out(show=first)
            self._say("show", show, first)

    def check_target(self) -> None:
        target, count = self.look.target, len(describe(self.subject.model).classes)
        if target is not None and 0 < count <= target:
            self._leave_out(target=None)
            self._say("target", target, say(self.language, "target_best"))

    def check_lesson(self) -> None:
        lesson = self.look.lesson
        if not is_lesson(lesson):
            self._leave_out(lesson="", lesson_step=None)
            self._say("lesson", lesson, say(self.language, "lesson_contents"))

    @property
    def _names(self) -> list[str]:
        return [row.name for row in self.subject.rows]

    @property
    def _row(self) -> LayerRow:
        name = self.look.layer or first_layer(self.subject.rows)
        return next(row for row in self.subject.rows if row.name == name)

    def _is_missing(self, edit: EditRequest) -> bool:
        """Return whether this visit lacks the picture of an edit."""
        return is_own_picture(edit.donor) and self.subject.pictures.find(edit.donor) is None

    def _leave_out(self, **first: Any) -> None:
        self.look = replace(self.look, **first)

    def _say_layer(self, asked: str) -> None:
        first = first_layer(self.subject.rows)
        self._say("layer", asked, first, self._names, model=self.subject.model)

    def _say(
        self, name: str, value: object, instead: object, options: Sequence[str] = (), **more: object
    ) -> None:
        self.notices.append(vain_notice(self.language, name, str(value), options, instead, **more))

    def _tell(self, key: str, document: str, **values: object) -> None:
        self.notices.append(Notice(say(self.language, key, **values), document))


def _first(name: str, language: str) -> object:
    """Return the substitute for an impossible value, as a visitor reads it."""
    if name in INSTEAD:
        return say(language, INSTEAD[name])
    value = USUAL.get(name, getattr(Look(), name))
    if isinstance(value, bool):
        return int(value)  # as it is written in an address
    return say(language, "page_own") if value == "" else value
