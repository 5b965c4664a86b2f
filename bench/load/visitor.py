"""One visitor, who uploads a photo and picks layers."""

import asyncio
import io
import json
import random
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import cycle
from typing import Any, NamedTuple, Self
from urllib.parse import urlencode

from PIL import Image

from bench.load.http_line import SLOW, HttpLine, Reply
from bench.load.plan import Plan
from bench.load.session import RefusedError, Session
from tests.browser.pictures import jpeg, photo

PATIENCE = 60.0  # seconds for one pick; later, it counts as failed
Fields = dict[str, object]  # what an address says after its question mark
PREFETCH = {"x-layerglass-prefetch": "1"}
NEIGHBOURS = (1, -1, 2, -2)


class Place(NamedTuple):
    """One call of a layer, with its output's shape and its edit.

    Calls count from 0. ``silent`` names a layer and one of its channels that is set to zero meanwhile.
    """

    layer: str
    call: int
    shape: tuple[int, ...]
    silent: tuple[str, int] | None = None

    @property
    def look(self) -> Fields:
        """The place as an address gives it, with calls from 1.

        The first call is left out.
        """
        edit = f"{self.silent[0]}:zero:{self.silent[1]}" if self.silent else ""
        said = {"layer": self.layer, "call": self.call + 1 if self.call else "", "edit": edit}
        return {name: value for name, value in said.items() if value != ""}


@dataclass(frozen=True)
class Pick:
    """A pick that was answered, with its time and its bytes.

    The seconds go from the click to the last byte. The answer's facts are read later: while others wait, that
    would take their time.
    """

    place: Place
    seconds: float
    http: int
    websocket: int
    answer: Reply

    @property
    def facts(self) -> dict[str, Any]:
        """The facts about the layer, which its picture has."""
        said: dict[str, Any] = json.loads(Image.open(io.BytesIO(self.answer.data)).info["layerglass"])
        return said


@dataclass(frozen=True)
class Sample:
    """A pick and one channel's numbers, to check later."""

    pick: Pick
    channel: int
    values: bytes


@dataclass(frozen=True)
class VisitorAnswers:
    """Answers to one visitor about one photo, and the samples.

    The photo is a JPEG file.
    """

    photo: bytes
    picks: list[Pick]
    samples: list[Sample]


class Visitor:
    """A visitor with their own page, photo and line.

    Attributes:
        photo: the photo as a JPEG file.
        is_slow: whether the line is slow.
        picks: those that were answered, in turn.
        samples: see ``Sample``.
        failures: how often what went wrong.
        run_seconds: of each run of the page's script that a pick asked for.
    """

    def __init__(self, address: str, number: int, plan: Plan) -> None:
        self.photo = jpeg(photo(1_000_003 * plan.seed + number, (640, 480)))
        self.is_slow = number < plan.slow
        self.picks, self.samples, self.failures = list[Pick](), list[Sample](), Counter[str]()
        self.run_seconds: list[float] = []
        self._plan, self._address = plan, address
        self._chance = random.Random(f"{plan.seed} {number}")  # noqa: S311 - nothing depends on its being secret
        pace = SLOW if self.is_slow else None
        # As a browser does, a connection for what is asked beside the maps.
        self._lines = HttpLine(address, pace), HttpLine(address, pace)
        self._session = Session(address, self._lines[0], plan.view)
        self._subject, self._places = "", list[Place]()
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Open the page, upload the photo, and fetch the first layers."""
        async with asyncio.timeout(2 * PATIENCE), AsyncExitStack() as undo:
            for line in self._lines:
                undo.push_async_callback(line.close)
            await undo.enter_async_context(self._session)
            await self._session.run()
            await self._session.upload("upload", "photo.jpg", self.photo)
            self._subject = self._session.subject
            self._places = places_in((await self._ask("tree.json")).said)
            await self._timed(self._places[0])
            await self._ahead(self._places[0])
            self._open = undo.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    @property
    def seen(self) -> list[VisitorAnswers]:
        """The answers, photo by photo."""
        return [VisitorAnswers(self.photo, self.picks, self.samples)]

    async def pick_until(self, until: float) -> None:
        """Pick one layer after the other; ``until`` is on the loop's clock."""
        order = cycle(self._chance.sample(self._places, len(self._places)))
        loop = asyncio.get_running_loop()
        due = loop.time() + self._chance.uniform(0, self._plan.every)
        while due < until:
            await asyncio.sleep(due - loop.time())
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._turn(next(order))
            except (OSError, TimeoutError, RefusedError) as error:
                said = str(error) if isinstance(error, RefusedError) else type(error).__name__
                self.failures[said] += 1
            due = max(loop.time(), due + self._chance.uniform(0.5, 1.5) * self._plan.every)

    async def _turn(self, place: Place) -> None:
        """Take a turn: pick the visitor's next place."""
        await self._pick(place)

    async def _pick(self, place: Place) -> None:
        """Pick a place, and run the script beside it if wanted."""
        before = self._session.received
        run = self._run(place) if self._plan.script_runs else asyncio.sleep(0)
        (drawn, seconds), _ = await asyncio.gather(self._timed(place), run)
        http = drawn.received + (await self._rest(place) if self._plan.whole_page else 0)
        pick = Pick(place, seconds, http, self._session.received - before, drawn)
        self.picks.append(pick)
        if self._chance.random() < self._plan.check_share:
            await self._sample(pick, self.samples)

    async def _timed(self, place: Place, subject: str = "") -> tuple[Reply, float]:
        """Fetch a place's maps, and return the seconds too."""
        began = time.perf_counter()
        drawn = await self._ask("layer.png", self._drawn(place), subject=subject)
        return drawn, time.perf_counter() - began

    async def _run(self, place: Place) -> None:
        began = time.perf_counter()
        await self._session.run(urlencode({**self._plan.view, **place.look}))
        self.run_seconds.append(time.perf_counter() - began)

    async def _rest(self, place: Place) -> int:
        """Fetch a layer's other data and its neighbours; return the bytes."""
        look = self._drawn(place) | {"channel": 0}
        wanted = (("values", look), ("channel.png", look))
        asked = (self._ask(question, said, line=turn % 2) for turn, (question, said) in enumerate(wanted))
        taken = sum(reply.received for reply in await asyncio.gather(*asked))
        return taken + await self._ahead(place)

    async def _ahead(self, place: Place) -> int:
        """Fetch a place's neighbours, as the page does; return the bytes."""
        here, taken = self._places.index(place), 0
        for by in NEIGHBOURS:
            if 0 <= here + by < len(self._places):
                ahead = self._drawn(self._places[here + by])
                taken += (await self._ask("layer.png", ahead, headers=PREFETCH)).received
        return taken

    def _drawn(self, place: Place) -> Fields:
        return place.look | {"room": self._plan.room}

    async def _sample(self, pick: Pick, samples: list[Sample], subject: str = "") -> None:
        """Keep a pick, and fetch the numbers of one of its channels."""
        if channels := channels_of(pick.place):
            channel = self._chance.randrange(channels)
            values = await self._ask("values", pick.place.look | {"channel": channel}, subject=subject)
            samples.append(Sample(pick, channel, values.data))

    async def _ask(
        self,
        question: str,
        said: Fields | None = None,
        *,
        line: int = 0,
        headers: dict[str, str] | None = None,
        subject: str = "",
    ) -> Reply:
        path = f"/maps/{subject or self._subject}/{question}" + (f"?{urlencode(said)}" if said else "")
        reply = await self._lines[line].ask(path, headers=headers)
        if reply.status != 200:
            raise RefusedError(f"{question}: status {reply.status}")
        return reply


def places_in(tree: list[dict[str, Any]]) -> list[Place]:
    """Return every call of every layer whose output has a shape."""
    return [
        Place(row["name"], call, tuple(shape))
        for row in tree
        for call, shape in enumerate(row["shapes"])
        if shape
    ]


def channels_of(place: Place) -> int:
    """Return the number of channels of a place's output.

    It is 0 unless the output is one picture's, and map n is channel n.
    """
    return place.shape[1] if len(place.shape) == 4 and place.shape[0] == 1 else 0
