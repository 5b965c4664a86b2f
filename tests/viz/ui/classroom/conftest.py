"""A teacher's and students' subjects without an engine, a clock that a test turns, and rooms."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from tests.browser.serving import free_port
from tests.viz.ui.classroom.lines import Browser
from viz.pictures.photo import Photo
from viz.ui.classroom.classroom import Classroom
from viz.ui.classroom.classrooms import Classrooms
from viz.ui.classroom.routes_classroom import classroom_routes
from viz.ui.classroom.saying import classrooms
from viz.ui.door.door import Door
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.bugs import Bugs
from viz.ui.wire.headers import SecurityHeaders
from viz.ui.wire.routes.routes import routes


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
    """Return the teacher's subject; the visit lives as long as the test."""
    return visit.subject(photo, "lenet", "pretrained", ())


@pytest.fixture
def room(rooms: Classrooms, taught: SubjectEntry) -> Classroom:
    """A classroom that its teacher is connected to."""
    made = rooms.open(taught, "layer=conv1")
    made.connected(taught.visitor)
    return made


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of our routes, behind the page's own middleware, on a line of this machine."""
    app = Starlette(
        routes=[*routes(), *classroom_routes()],
        middleware=[Middleware(each) for each in (SecurityHeaders, Bugs, Door)],
    )
    port = free_port()
    running = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join()


@pytest.fixture
def arrive(server: str, subject: SubjectEntry, photo: Photo) -> Iterator[Callable[[], Browser]]:
    """Makes one more visitor, with a picture of the same pixels; all leave at the end."""
    made: list[Browser] = []

    def arrives() -> Browser:
        visit = Visit("")
        entry = visit.subject(photo, "lenet", "pretrained", subject.rows)
        made.append(Browser(server, entry, visit))
        return made[-1]

    yield arrives
    for each in made:
        for line in each.lines:
            line.close()
        each.visit.end()
    classrooms.sweep()
