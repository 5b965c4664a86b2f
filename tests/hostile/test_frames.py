"""Frames of a camera that claim too much, or come too fast: refused before they are decoded."""

import asyncio
import base64
import io
import threading
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.browser.pictures import enormous_png, png
from tests.browser.pictures import photo as noise
from tests.machine import patience, took_less
from tests.viz.ui.conftest import client, photo, subject, visit, wanted
from tests.viz.ui.wire.routes.test_routes_live import jpeg
from viz.errors import ImageError, SupersededError
from viz.ui.choose import choose_live
from viz.ui.visit.faults import callback_faults
from viz.ui.visit.frames import LONGEST_SIDE, MOST_BYTES, Turns, photo_of_frame, too_long
from viz.ui.visit.jobs import reading
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.routes import routes_live

__all__ = ["client", "photo", "subject", "visit", "wanted"]  # the fixtures of the page without a browser

CLAIMS = {
    "many pixels": (enormous_png(), "40 million"),
    "a wide one": (png(Image.new("RGB", (10_000, 900))), f"{LONGEST_SIDE} pixels"),
    "six thousand each way": (png(Image.new("1", (6_000, 6_000))), f"{LONGEST_SIDE} pixels"),
    "many bytes": (png(noise(1)) + bytes(MOST_BYTES), f"{MOST_BYTES // 1000} kB"),
    "nothing": (b"", "empty"),
}


@pytest.mark.parametrize(("data", "said"), CLAIMS.values(), ids=CLAIMS)
def test_a_frame_that_claims_too_much_is_refused_by_its_header(
    data: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes to a process without enough memory to decode it, and takes none of the page's time."""
    monkeypatch.setattr(reading, "PICTURE", replace(reading.PICTURE, memory=16_000_000))
    began = time.process_time()
    with pytest.raises(ImageError, match=said):
        photo_of_frame(data, "ann")
    assert took_less(time.process_time() - began, 1)


def test_a_frozen_frame_is_bounded_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser may send Base64 of any length; none of it is kept or copied."""
    state: dict[str, object] = {"source": "sample", "visit": Visit("session")}
    monkeypatch.setattr("streamlit.session_state", state)
    for long in ("A" * 40_000_000, base64.b64encode(CLAIMS["six thousand each way"][0]).decode()):
        state["live"] = {"frozen": {"jpeg": long}}
        tracemalloc.start()
        choose_live._frozen()
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
        tracemalloc.stop()
        assert state["source"] == "sample"
    long, large = callback_faults()
    assert (long.text, f"{LONGEST_SIDE} pixels" in large.text) == (str(too_long()), True)
    assert (long.document, large.document) == ("your-files", "your-files")
    assert state.pop("live_on") is False  # its part has ended: the switch begins another
    for strange in ("jpeg", {"jpeg": 3}, {"jpeg": "\N{LATIN SMALL LETTER E WITH ACUTE}"}, {"png": ""}):
        state["live"] = {"frozen": strange}
        choose_live._frozen()
        assert state["source"] == "sample"
    assert state.keys().isdisjoint({"callback_faults", "live_on"})
    state["live"] = {"frozen": {"jpeg": base64.b64encode(jpeg(1)).decode()}}
    choose_live._frozen()
    assert state["source"] == "frozen"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, list[bytes]]]:
    """Holds the decoding of frames until the event, and lists what is decoded."""
    go_on, decoding = threading.Event(), []

    def slowly(data: bytes, visitor: str) -> object:
        decoding.append(data)
        assert go_on.wait(patience(60))
        return photo_of_frame(data, visitor)

    monkeypatch.setattr(routes_live, "photo_of_frame", slowly)
    yield go_on, decoding
    go_on.set()


def test_a_flood_of_frames_is_decoded_one_by_one_and_the_newest_last(
    client: TestClient, subject: SubjectEntry, held: tuple[threading.Event, list[bytes]]
) -> None:
    """Twenty at once: one runs, the newest waits, the others are refused at once as too old."""
    go_on, decoding = held
    address = f"/maps/{subject.token}/layer.live?layer=conv1"
    with ThreadPoolExecutor(20) as pool:
        first = pool.submit(client.post, address, content=jpeg(0))
        while not decoding:
            time.sleep(0.01)
        others = [pool.submit(client.post, address, content=jpeg(seed)) for seed in range(1, 20)]
        while sum(each.done() for each in others) < 18:
            time.sleep(0.01)
        assert decoding == [jpeg(0)]
        assert {each.result().status_code for each in others if each.done()} == {409}
        go_on.set()
        assert first.result().status_code in (200, 409)
        (newest,) = [each for each in others if each.result().status_code != 409]
        assert newest.result().is_success
    assert len(decoding) == 2


def test_a_turn_goes_on_to_who_waits_whoever_gives_up() -> None:
    """A frame is cancelled while it waits, cancelled just as it gets its turn, or fails while it runs."""

    async def story() -> list[str]:
        turns, done, gate = Turns(), [], asyncio.Event()

        async def frame(name: str, *, fails: bool = False) -> None:
            async with turns.turn("ann"):
                await gate.wait()
                done.append(name)
                if fails:
                    raise ImageError(name)

        first = asyncio.create_task(frame("first", fails=True))
        await asyncio.sleep(0)
        old = asyncio.create_task(frame("old"))
        await asyncio.sleep(0)
        new = asyncio.create_task(frame("new"))
        await asyncio.sleep(0)
        with pytest.raises(SupersededError):
            await old
        gate.set()
        with pytest.raises(ImageError):
            await first
        new.cancel()  # it has been given the turn, but has not run since
        await asyncio.gather(new, return_exceptions=True)
        async with turns.turn("bob"):
            await asyncio.wait_for(frame("last"), patience(60))
        return done

    assert asyncio.run(story()) in (["first", "last"], ["first", "new", "last"])


def test_frames_of_a_camera_are_far_below_the_bounds() -> None:
    """The frames that the page's own script sends are let in."""
    buffer = io.BytesIO()
    noise(3).resize((1280, 720)).save(buffer, "JPEG", quality=90)
    assert photo_of_frame(buffer.getvalue(), "ann").image.size == (1280, 720)
