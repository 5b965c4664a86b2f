"""A teacher's and students' subjects without an engine, a clock that a test turns, and rooms."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from viz.pictures.photo import Photo
from viz.ui.classroom.classroom import Classroom
from viz.ui.classroom.classrooms import Classrooms
from viz.ui.visit.visit import SubjectEntry, Visit


@dataclass
class Clock:
    """Seconds that pass when a test says so."""

    now: float = 1_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


Teacher = Callable[[], SubjectEntry]


@pytest.fixture
def clock() -> Clock:
    """The time of a test."""
    return Clock()


@pytest.fixture
def rooms(clock: Clock) -> Classrooms:
    """No classroom yet."""
    return Classrooms(clock)


@pytest.fixture
def taught(visit: Visit, photo: Photo) -> SubjectEntry:
    """What the teacher looks at; the visit lives as long as the test."""
    return visit.subject(photo, "lenet", "pretrained", ())


@pytest.fixture
def room(rooms: Classrooms, taught: SubjectEntry) -> Classroom:
    """A classroom that its teacher is connected to."""
    made = rooms.open(taught, "layer=conv1")
    made.connected(taught.visitor)
    return made
