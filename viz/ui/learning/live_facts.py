"""Facts about the visitor's layer for a lesson: hooks, kept values."""

from collections.abc import Sequence

from ...answers.teaching.learning import GivenHook, KeptWay, LessonLiveFacts
from ...profile.event import Event
from ...request.inspection import Inspection
from ...views.memory_pictures import MemoryPictures
from ..locale.words import say
from .rendered import said_in_html

CODE = {"reference": "output"} | {way: f"output.{way}()" for way in ("detach", "cpu", "clone")}


def events_of(events: Sequence[Event], wanted: Inspection) -> list[Event]:
    """The events of one call of one layer."""
    return [event for event in events if (event.layer, event.call) == (wanted.layer, wanted.call)]


def live_facts(events: Sequence[Event], wanted: Inspection, language: str) -> LessonLiveFacts:
    """The hooks of a layer, in firing order.

    Without any, there is a sentence about that.
    """
    if not events:
        return LessonLiveFacts(text=said_in_html(language, "course_live_silent"), hooks=())
    return LessonLiveFacts(
        text=said_in_html(language, "course_live_text", model=wanted.model, layer=wanted.layer),
        hooks=tuple(GivenHook(hook=say(language, hook_key(event)), given=given(event)) for event in events),
    )


def kept_facts(pictures: MemoryPictures) -> tuple[KeptWay, ...]:
    """The ways to keep a layer's value, with the share gone wrong.

    The share is counted after the pass, in per cent.
    """
    return tuple(KeptWay(way=CODE[kept.way], wrong=_share(kept.wrong)) for kept in pictures.kept)


def hook_key(event: Event) -> str:
    """The key of a hook's name."""
    return f"hook_{event.kind.replace(' ', '_').replace('-', '_')}"


def given(event: Event) -> str:
    """Return every shape that a hook was given, in argument order."""
    shapes = event.inputs + event.outputs + event.input_gradients + event.output_gradients
    return " · ".join("–" if shape is None else str(shape) for shape in shapes)


def _share(part: float) -> str:
    """A share of values, 0 to 1, in per cent."""
    return f"{100 * part:.3g} %"
