"""Question to an engine: a plain value with a key.

It works with the bench that the engine lends it.
"""

from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeVar

from ..errors import RequestError
from ..pictures.photo import Photo
from ..request.inspection import Inspection
from .limits import Limits
from .slices import Sliced

if TYPE_CHECKING:  # a task is a value, and crosses processes that have no PyTorch
    from ..findings.values import LayerValues
    from ..passes.loaded import LoadedModel


@dataclass(frozen=True)
class Bench:
    """Services that an engine lends to a task while the task works.

    Attributes:
        loaded: (model id, weights) → the model with its hooks.
        captured: (request, picture, whole=...) → one layer's values, kept or from a new pass;
            ``whole`` records every layer in that pass if that is cheap.
        kept: a request → one layer's values if they are kept, or None.
        answered: a key → the answer that is kept under it, or None.
        remembered: (key, work) → the answer kept under the key, or what the work returns now.
        limits: those of one request.
    """

    loaded: "Callable[[str, str], LoadedModel]"
    captured: "Callable[..., LayerValues]"
    kept: "Callable[[Inspection], LayerValues | None]"
    answered: Callable[[Hashable], Any]
    remembered: Callable[[Hashable, Callable[[], Any]], Any]
    limits: Limits


Shelf = Literal["answers", "values", ""]
Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)
PACKAGE = __name__.rpartition(".engine.")[0]  # "viz" in a checkout


class Task(Protocol[Answer_co]):
    """One question to an engine; equal keys mean equal answers.

    Attributes:
        lane: while they wait, a newer task of a visitor replaces an older one of the same lane.
        behind: whether it waits until nobody waits for an urgent task, even if its visitor calls it urgent.
        apart: whether it needs no model, and may take long: then no model waits for it.
        shelf: where the answer is kept under the key: ``"answers"``, ``"values"``, or ``""`` for nowhere.
    """

    @property
    def lane(self) -> str:
        """See ``Task``."""

    @property
    def behind(self) -> bool:
        """See ``Task``."""

    @property
    def apart(self) -> bool:
        """See ``Task``."""

    @property
    def shelf(self) -> Shelf:
        """See ``Task``."""

    @property
    def key(self) -> Hashable:
        """Key under which the answer is kept."""

    @property
    def pictures(self) -> tuple[tuple[Inspection, Photo], ...]:
        """Every request of the task, with the picture that it is about."""

    def ready(self, bench: Bench) -> bool:
        """Return whether the answer needs no run of a model.

        Then it does not wait behind other passes.
        """

    def goes_on(self, answer: Any) -> bool:
        """Return whether work goes on in the process after this answer.

        Such a process stays, and is asked the same again from time to time, also if nobody waits.
        """

    def work(self, bench: Bench) -> "Answer_co | Sliced[Answer_co]":
        """Return the answer in plain values, or a generator of it.

        A generator is for work that takes long: see ``viz.engine.slices``.
        """


class Question(Generic[Answer]):
    """Base of tasks that run a model, and whose answers are kept.

    Attributes:
        done_by: ``"room.module:function"`` below this package, which is called with the task and the bench
            and gives the answer. It is imported where the work is done: asking needs no PyTorch.
    """

    done_by: ClassVar[str] = ""
    behind = False
    apart = False
    shelf: Shelf = "answers"

    @property
    def lane(self) -> str:
        """See ``Task``."""
        return type(self).__name__

    @property
    def pictures(self) -> tuple[tuple[Inspection, Photo], ...]:
        """See ``Task``."""
        return ()

    def ready(self, _: Bench) -> bool:
        """See ``Task``."""
        return False

    def goes_on(self, _: Any) -> bool:
        """See ``Task``."""
        return False

    def work(self, bench: Bench) -> "Answer | Sliced[Answer]":
        """See ``Task``."""
        work: Callable[[Question[Answer], Bench], Answer] = resolve_name(f"{PACKAGE}.{self.done_by}")
        return work(self, bench)


@dataclass(frozen=True)
class OnePicture(Question[Answer]):
    """Base of the tasks about one request."""

    wanted: Inspection
    photo: Photo = field(repr=False)

    @property
    def pictures(self) -> tuple[tuple[Inspection, Photo], ...]:
        """See ``Task``."""
        return ((self.wanted, self.photo),)


Place = tuple[str, str]
"""(model id, weights): what a task is about; both are empty if it is about none."""


def place_of(task: Task[Any]) -> Place:
    """The model that a task is about, and its weights."""
    if task.pictures:
        wanted = task.pictures[0][0]
        return wanted.model, wanted.weights
    return str(getattr(task, "model", "")), str(getattr(task, "weights", ""))


def kind_of(task: Task[Any]) -> Hashable:
    """Return a task's kind; those of one kind take similar time."""
    return type(task).__name__, *place_of(task)


def needed(task: Task[Answer], bench: Bench) -> Sliced[Answer]:
    """Return the answer of a task that another needs, in slices.

    The answer is kept where the task's own would be.
    """
    known: Answer | None = bench.answered(task.key)
    if known is not None:
        return known
    work = task.work(bench)
    answer = (yield from work) if isinstance(work, Generator) else work
    if task.shelf == "answers":
        bench.remembered(task.key, lambda: answer)
    return answer


def check_pictures(task: Task[Any]) -> None:
    """Refuse a request with the wrong picture.

    Its answer would be kept, and served, for the other picture.

    Raises:
        RequestError: a request of the task is not about the picture that came with it.
    """
    if any(wanted.image != photo.fingerprint for wanted, photo in task.pictures):
        raise RequestError("this request is about a different picture from the one that came with it.")
