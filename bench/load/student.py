"""A student of the crowd, who follows, wanders off and answers."""

import asyncio
from typing import Any

from bench.load.plan import Plan
from bench.load.tasks import ended
from bench.load.teacher import Lesson, Member
from bench.load.visitor import Pick, Place, Sample, VisitorAnswers

# Chances of a student who follows, and of one who has wandered off; the rest of them go on.
WANDERS, RETURNS, EDITS = 0.3, 0.15, 0.2
SILENCED = "conv1"  # the layer that edits are made to, and how many of its channels get their turn
SILENCED_CHANNELS = 64
THINKS = 5.0  # seconds at most before an answer


class Student(Member):
    """One student.

    Attributes:
        followed: what was seen of the teacher's photo.
        edited: how many picks of the student's own were made under an edit.
        answered: the questions that the student has answered.
    """

    def __init__(self, address: str, number: int, plan: Plan, lesson: Lesson) -> None:
        super().__init__(address, number, plan)
        self.followed, self.edited, self.answered = list[Pick](), 0, set[int]()
        self._followed_samples = list[Sample]()
        self._lesson, self._following, self._newest, self._lent = lesson, True, "", ""
        self._thinking = list[asyncio.Task[None]]()

    @property
    def seen(self) -> list[VisitorAnswers]:
        """The student's own photo, and the teacher's."""
        return [*super().seen, VisitorAnswers(self._lesson.photo, self.followed, self._followed_samples)]

    async def pick_until(self, until: float) -> None:
        """Take part in the class; ``until`` is on the loop's clock."""
        await self.say("join", {"code": self._lesson.code})
        self._lent = (await self._ask("class_subject.json")).said["subject"]["subject"]
        line = asyncio.create_task(self.listen())
        try:
            await super().pick_until(until)
        finally:
            await ended([line, *self._thinking])

    async def hear(self, name: str, said: Any) -> None:
        """React to the teacher: look at a layer, or answer a question."""
        if name == "look":
            self._newest = said["look"]
            if self._following:
                await self._look_up()
        elif name == "question" and (question := said["question"]):
            self._thinking.append(asyncio.create_task(self._answer(question)))

    async def _turn(self, place: Place) -> None:
        chance = self._chance.random()
        if self._following:
            if chance < WANDERS:
                await self._follow(following=False)
        elif chance < RETURNS:
            await self._follow(following=True)
            await self._look_up()
        elif chance < RETURNS + EDITS:
            silent = SILENCED, self._chance.randrange(SILENCED_CHANNELS)
            await self._pick(place._replace(silent=silent))
            self.edited += 1
        else:
            await self._pick(place)

    async def _answer(self, question: dict[str, Any]) -> None:
        if question["revealed"] or question["asked"] in self.answered:
            return
        self.answered.add(question["asked"])
        value = [self._chance.randrange(len(question["choices"]))]
        await asyncio.sleep(self._chance.uniform(0, THINKS))
        await self.say("answer", {"asked": question["asked"], "value": value})

    async def _follow(self, *, following: bool) -> None:
        self._following = following
        await self.say("say", {"following": following, "hand": False})

    async def _look_up(self) -> None:
        """Fetch the teacher's maps, at the address that the class has lent."""
        place = self._lesson.shown.get(self._newest)
        if place is None:
            return
        drawn, seconds = await self._timed(place, self._lent)
        pick = Pick(place, seconds, drawn.received, 0, drawn)
        self.followed.append(pick)
        if self._chance.random() < self._plan.check_share:
            await self._sample(pick, self._followed_samples, self._lent)
