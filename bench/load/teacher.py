"""The teacher of a crowd: shows layers, asks, and reveals."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from bench.load.events import events
from bench.load.plan import Plan
from bench.load.session import RefusedError
from bench.load.tasks import ended
from bench.load.visitor import Place, Visitor

SHOWS_EVERY = 5.0  # seconds from one look to the next
ASKS_EVERY = 6  # looks from one question to the next; it is revealed three later
QUESTION = {"kind": "choice", "text": "What is this?", "choices": ["An edge", "A colour", "Neither"]}


@dataclass(frozen=True)
class Lesson:
    """A class, as far as a student needs it.

    Attributes:
        code: with which they join.
        photo: the teacher's, a JPEG file.
        shown: the places that the teacher shows, by their looks.
    """

    code: str
    photo: bytes
    shown: dict[str, Place]


class Member(Visitor):
    """A member of a class, who posts messages and receives events."""

    async def say(self, what: str, said: dict[str, Any]) -> Any:
        """Post a message of the page, and return the response.

        Raises:
            RefusedError: the server does not take it.
        """
        path = f"/maps/{self._subject}/class_{what}.json"
        answer = await self._lines[0].ask(path, "POST", body=json.dumps(said).encode())
        if answer.status != 200 or answer.said.get("error"):
            raise RefusedError(f"class_{what}: {answer.status} {answer.data[:100]!r}")
        return answer.said

    async def listen(self) -> None:
        """Receive the class's events, until this is cancelled."""
        async for name, said in events(self._address, f"/maps/{self._subject}/class_events"):
            await self.hear(name, said)

    async def hear(self, name: str, said: Any) -> None:
        """One event."""


class Teacher(Member):
    """The teacher of a class.

    Attributes:
        looks: how many were shown.
        asked: how many questions.
        answers: how many answers there were to each, as the teacher is told when it is revealed.
    """

    def __init__(self, address: str, number: int, plan: Plan) -> None:
        super().__init__(address, number, plan)
        self.looks = self.asked = 0
        self.answers = dict[int, int]()

    async def open(self) -> Lesson:
        """Open the class; students may come."""
        code = (await self.say("open", {"look": ""}))["code"]
        shown = {urlencode(place.look): place for place in self._places}
        return Lesson(code, self.photo, shown)

    async def teach_until(self, until: float, lesson: Lesson) -> None:
        """Show one layer after the other; ``until`` is on the loop's clock."""
        line = asyncio.create_task(self.listen())
        try:
            await self._show_until(until, self._chance.sample(list(lesson.shown), len(lesson.shown)))
        finally:
            await ended([line])

    async def hear(self, name: str, said: Any) -> None:
        """Note the number of answers to a question that is revealed."""
        question = said.get("question") if name == "question" else None
        if question and question["revealed"]:
            self.answers[question["asked"]] = sum(each["count"] for each in question["revealed"]["answers"])

    async def _show_until(self, until: float, looks: Sequence[str]) -> None:
        loop = asyncio.get_running_loop()
        while loop.time() + SHOWS_EVERY < until:
            await self.say("show", {"look": looks[self.looks % len(looks)]})
            self.looks += 1
            await self._ask_class(self.looks % ASKS_EVERY)
            await asyncio.sleep(SHOWS_EVERY)

    async def _ask_class(self, turn: int) -> None:
        if turn == 1:
            self.asked = (await self.say("ask", QUESTION))["asked"]
        elif turn == ASKS_EVERY - 2:
            await self.say("asking", {"do": "reveal"})
