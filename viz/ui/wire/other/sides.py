"""Both sides of a comparison: from a look, as facts."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from ....answers.message import Notice
from ....answers.other import OtherFacts, OtherOption
from ....engine.limits import Limits
from ....profile.cost import pass_cost
from ....profile.rows import LayerRow, first_layer
from ....request.inspection import Inspection
from ....request.look import Look
from ...locale.words import say
from ...visit.visit import SubjectEntry
from ...visit.weights_words import MISSING_WEIGHTS
from ..rows import row_facts
from .choices import (
    BoxChoice,
    Labels,
    OtherModel,
    calls_offered_in_words,
    edits_box,
    edits_offered,
    layer_boxes,
    order_box,
    weights_offered,
)
from .labels import titled
from .pictures import OtherPicture, pictures_offered, title_of
from .place import SAME, call_beside, first_place, is_same, layer_beside


@dataclass(frozen=True)
class Sides:
    """A subject and the other side that a look says.

    Attributes:
        subject: the first side.
        look: what is on screen.
        language: of labels and sentences.
        wanted: the request to the first side's model as a whole.
        picture: the other side's picture.
        model: its model and weights.
        refused: whether these are untrained because the trained ones could not be had.
    """

    subject: SubjectEntry
    look: Look
    language: str
    wanted: Inspection
    picture: OtherPicture
    model: OtherModel
    refused: bool = False

    @property
    def titles(self) -> tuple[str, str]:
        """Titles of both pictures, with a note if only one is edited."""
        ours, theirs = title_of(self.subject, self.language), self.picture.title
        if not self.wanted.in_force or self._edited:
            return ours, theirs
        return titled(ours, self.language, edited=True), titled(theirs, self.language, edited=False)

    def look_beside(self) -> Look:
        """The other side's look, without its layer."""
        return replace(self.look, layer="", call=0, edit=self.look.edit if self._edited else "")

    def untrained(self, reason: str) -> "Sides":
        """Return these sides with untrained weights, and a notice of the reason."""
        model = self.model.model
        sentence = say(self.language, "refused_beside", model=model, reason=reason)
        notice = Notice(sentence, MISSING_WEIGHTS)
        boxes = {**self.model.boxes, "with_weights": BoxChoice("random", notice)}
        return dataclasses.replace(self, model=OtherModel(model, "random", boxes), refused=True)

    def facts(self) -> OtherFacts:
        """Return the choices that do not depend on the other side's model."""
        return self._told({}, {})

    def facts_with(self, rows: Sequence[LayerRow]) -> OtherFacts:
        """Return all facts, given the layers of the other side's model."""
        look, language = self.look, self.language
        row = layer_beside(self.subject.rows, rows, look, look.layer or first_layer(self.subject.rows))
        calls = {"with_call": calls_offered_in_words(row, look, language)}
        return replace(
            self._told(layer_boxes(look, rows, row, language), calls),
            layer=row.name,
            call=call_beside(row, look),
            follows=is_same(look.with_layer),
            alike=(self.subject.model, self.subject.weights) == (self.model.model, self.model.weights),
            rows=tuple(row_facts(each, language) for each in rows),
            first=first_place(rows),
            all=pass_cost(rows, Limits.whole_pass),
        )

    @property
    def _edited(self) -> bool:
        """True if the other side has the first one's edits."""
        return self.model.model == self.subject.model and self._edits.name == SAME

    @property
    def _edits(self) -> BoxChoice:
        return edits_box(self.look, self.wanted, self.model.model, self.language)

    def _told(self, boxes: Mapping[str, BoxChoice], labels: Mapping[str, Labels]) -> OtherFacts:
        picture = BoxChoice(self.picture.name, self.picture.notice)
        boxes = {"with_sample": picture, **self.model.boxes, **boxes, "with_edits": self._edits}
        boxes |= {"with_order": order_box(self.look, self.language)}
        labels = {
            "with_sample": pictures_offered(self.subject, self.language),
            "with_weights": weights_offered(self.model.model, self.language),
            **labels,
            "with_edits": edits_offered(self.wanted, self.model.model, self.language),
        }
        return OtherFacts(
            model=self.model.model,
            chosen={name: box.name for name, box in boxes.items()},
            choices={name: _listed(each) for name, each in labels.items() if each},
            notices=tuple(box.notice for box in boxes.values() if box.notice),
            refused=self.refused,
        )


def _listed(labels: Labels) -> tuple[OtherOption, ...]:
    """Choices in their order, which an object in JSON need not keep."""
    return tuple(OtherOption(name=name, label=label) for name, label in labels.items())
