"""A visitor's page without one: what it asks a real server, and the events that it is told."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec

from tests.machine import patience
from viz.answers.message import Answer
from viz.answers.teaching import asking
from viz.answers.teaching import classroom as told
from viz.ui.door.counting import Rates
from viz.ui.visit.visit import SubjectEntry, Visit

PATIENCE = patience(60)
EVENTS = {
    "look": told.ClassroomState,
    "point": told.Point,
    "roster": told.ClassroomRoster,
    "question": asking.ClassroomAsking,
    "answers": asking.ClassroomAnswers,
    "moved": Answer,
}


def allowed(rates: Rates, since: float) -> float:
    """Return the number of things that one page may have said since then, however slow the machine is."""
    return rates.burst + rates._rate * (time.monotonic() - since)


@dataclass
class Events:
    """A line on which events come, read in a thread.

    Attributes:
        all: the events that have come: their names, and what they say.
        marks: of those with one, what the browser would say after a break.
    """

    sock: socket.socket
    answer: http.client.HTTPResponse
    all: list[tuple[str, Any]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def read(self) -> None:
        """Read until the line ends."""
        name = mark = ""
        try:
            for raw in self.answer:
                kind, _, said = raw.decode().rstrip("\n").partition(": ")
                if kind == "event":
                    name = said
                elif kind == "id":
                    mark = said
                    self.marks.append(mark)
                elif kind == "data":
                    struct = EVENTS.get(name)
                    self.all.append((name, msgspec.json.decode(said, type=struct) if struct else said))
        except (OSError, ValueError, AttributeError):
            pass  # closed here
        self.over.set()

    def close(self) -> None:
        """Leave, as when a laptop is closed."""
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.over.wait(PATIENCE)
        self.answer.close()
        self.sock.close()

    def named(self, name: str) -> list[Any]:
        """Return the data of the events of one name."""
        return [said for each, said in list(self.all) if each == name]

    def wait(self, enough: Callable[["Events"], bool]) -> None:
        """Return once it is so, or fail."""
        end = time.monotonic() + PATIENCE
        while not enough(self):
            assert time.monotonic() < end, self.all
            time.sleep(0.01)


@dataclass
class Browser:
    """One visitor's page, without one."""

    address: str
    subject: SubjectEntry
    visit: Visit
    lines: list[Events] = field(default_factory=list)

    def ask(self, path: str, said: Any = None, subject: str = "") -> tuple[int, Any]:
        """The status and what is answered; what is said is posted."""
        with closing(http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=PATIENCE)) as line:
            body = said if isinstance(said, bytes) or said is None else json.dumps(said).encode()
            address = f"/maps/{subject or self.subject.token}/{path}"
            line.request("GET" if body is None else "POST", address, body=body)
            answer = line.getresponse()
            data = answer.read()
            kind = answer.headers.get("content-type", "")
            return answer.status, json.loads(data) if kind == "application/json" else data

    def listen(self, last: str = "") -> Events:
        """A line with the class's events."""
        line = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=PATIENCE)
        line.request(
            "GET", f"/maps/{self.subject.token}/class_events", headers={"last-event-id": last} if last else {}
        )
        sock, answer = line.sock, line.getresponse()
        assert answer.status == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        made = Events(sock, answer)
        self.lines.append(made)
        threading.Thread(target=made.read, daemon=True).start()
        return made

    def teach(self, look: str = "layer=conv1", password: str = "") -> str:
        """Open a class, and return its code."""
        status, found = self.ask("class_open.json", {"look": look, "password": password})
        assert status == 200, found
        return str(found["code"])

    def show(self, look: str) -> int:
        """Show a look, and return the status."""
        return self.ask("class_show.json", {"look": look})[0]


def newest(line: Events, name: str, so: Callable[[Any], Any] = bool) -> Any:
    """Return the data of the newest event of a name, once there is one of which this is so."""
    line.wait(lambda line: bool(line.named(name)) and so(line.named(name)[-1]))
    return line.named(name)[-1]
