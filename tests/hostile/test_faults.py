"""Errors that are nobody's to read: the page goes on, the visitor gets a number, the server lives."""

import ast
import asyncio
import base64
import io
import logging
import textwrap
import threading
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image
from starlette.requests import ClientDisconnect, Request
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from models.own_model import SETTING
from tests.browser.pictures import enormous_png, png
from tests.browser.pictures import photo as noise
from tests.viz.ui.conftest import APP, book, client, photo, visit, wanted
from tests.viz.ui.test_routes_live import jpeg
from viz.errors import CaptureError, ImageError, SupersededError
from viz.ui import choose_live, frames, routes_live
from viz.ui.frames import LONGEST_SIDE, MOST_BYTES, Turns, photo_of_frame
from viz.ui.visit import Book
from viz.worker import Worker

__all__ = ["book", "client", "photo", "visit", "wanted"]  # the fixtures of the page without a browser

UI = Path(__file__).parents[2] / "viz" / "ui"
ENDS = [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), asyncio.CancelledError(), StopIteration(4)]
OWN = """
    import pathlib
    import torch
    from torch import nn

    class Leaving(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 4, 3)

        def forward(self, images):
            if pathlib.Path(__file__).with_suffix(".leave").exists():
                raise {error}
            return self.conv(images).mean((2, 3))

    def {factory}():
        return Leaving()
"""


def calm(page: AppTest) -> bool:
    """Whether the page says nothing but what it always says."""
    return not (page.exception or page.warning or page.error)


def functions(tree: ast.AST) -> dict[str, bool]:
    """The functions of a file by their names, and whether each is ``heard``."""
    return {
        node.name: any(ast.unparse(each) == "heard" for each in node.decorator_list)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


def test_every_callback_of_a_widget_is_heard() -> None:
    """Where it is defined, so that nobody has to think of it where it is used."""
    trees = {path.name: ast.parse(path.read_text("utf-8")) for path in UI.glob("*.py")}
    everywhere = {name: heard for tree in trees.values() for name, heard in functions(tree).items()}
    found = [
        (path, ast.unparse(node.value), (everywhere | functions(tree)).get(ast.unparse(node.value)))
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and (node.arg or "").startswith("on_")
    ]
    assert len(found) > 25
    assert [callback for callback in found if callback[2] is not True] == []


@pytest.mark.parametrize("error", [KeyError("layer"), SystemExit(2), KeyboardInterrupt()], ids=repr)
def test_a_callback_that_fails_is_a_sentence_with_a_number(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page is drawn all the same; the log has the traceback under that number, once."""

    def fails(*_: object) -> None:
        raise error

    page = AppTest.from_file(APP, default_timeout=120)
    page.query_params.update({"model": "lenet", "layer": "conv1"})
    page.run()
    monkeypatch.setattr("viz.ui.choose_layer.told", fails)
    page.selectbox(key="layer").select("conv2").run()
    assert not page.exception
    (said,) = [str(notice.value) for notice in page.warning]
    (record,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert record.exc_info
    assert record.getMessage().split()[-1] in said
    assert page.query_params["layer"] == "conv2"
    monkeypatch.undo()
    page.selectbox(key="layer").select("pool1").run()
    assert calm(page)


@pytest.mark.parametrize("error", ENDS, ids=repr)
def test_work_that_ends_its_thread_is_an_error_like_any_other(error: BaseException) -> None:
    """For who waits in a thread, for who waits in a loop, and not for whatever comes next."""

    def leaves() -> None:
        raise error

    async def waited(future: "Future[object]") -> object:
        return await asyncio.wait_for(asyncio.wrap_future(future), 10)

    worker = Worker("test")
    with pytest.raises(CaptureError, match=type(error).__name__):
        worker.submit("leaves", leaves).result(10)
    with pytest.raises(CaptureError, match=type(error).__name__):
        asyncio.run(waited(worker.submit("leaves", leaves)))
    assert worker.submit("stays", lambda: 7).result(10) == 7
    worker.close()


@pytest.mark.parametrize("error", ["SystemExit(1)", "KeyboardInterrupt", "StopIteration(2)"])
def test_a_model_that_ends_its_run_ends_neither_page_nor_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: TestClient, book: Book, error: str
) -> None:
    """On the page and at a route it is a sentence; another model works, and so does this one later."""
    name = f"leaving_{abs(hash(tmp_path))}"  # another for every test: the engine keeps what it has loaded
    source = OWN.replace("{error}", error).replace("{factory}", name)
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(source))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(SETTING, f"{name}:{name}")
    page = AppTest.from_file(APP, default_timeout=60)
    page.query_params.update({"model": name, "layer": "conv"})
    page.run()
    assert calm(page)
    leave = tmp_path / f"{name}.leave"
    leave.touch()
    page.selectbox(key="sample").select("coffee").run()
    (said,) = [str(notice.value) for notice in page.error]
    assert "ended its run by" in said
    assert not page.exception
    page.selectbox(key="model").select("lenet").run()
    assert calm(page)
    leave.unlink()
    page.selectbox(key="model").select(name).run()
    assert calm(page)
    assert client.get(f"/maps/{book.token}-0-0.json").is_success


def test_a_page_that_ends_its_thread_is_a_sentence_with_a_number(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What reaches the page in its own thread: without this it seems to run for ever."""

    def leaves(*_: object) -> None:
        raise SystemExit(5)

    monkeypatch.setattr("viz.ui.page.draw_seen", leaves)
    page = AppTest.from_file(APP, default_timeout=60)
    page.query_params["model"] = "lenet"
    page.run()
    (said,) = [str(notice.value) for notice in page.error]
    (record,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert record.getMessage().split()[-1] in said
    monkeypatch.undo()
    assert not page.run().error


def test_who_leaves_while_sending_leaves_no_traceback(
    client: TestClient, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that goes away in the middle of a frame is no error of the server's."""

    async def left(_: Request) -> bytes:
        raise ClientDisconnect

    monkeypatch.setattr(routes_live, "_body", left)
    assert client.post(f"/maps/{book.token}-0-0.live", content=jpeg(1)).status_code == 400
    monkeypatch.undo()
    assert client.post(f"/maps/{book.token}-0-0.live", content=jpeg(1)).is_success


CLAIMS = {
    "many pixels": (enormous_png(), f"{LONGEST_SIDE} pixels"),
    "a wide one": (png(Image.new("RGB", (10_000, 900))), f"{LONGEST_SIDE} pixels"),
    "six thousand each way": (png(Image.new("1", (6_000, 6_000))), f"{LONGEST_SIDE} pixels"),
    "many bytes": (png(noise(1)) + bytes(MOST_BYTES), f"{MOST_BYTES // 1000} kB"),
    "nothing": (b"", "empty"),
}


@pytest.mark.parametrize(("data", "said"), CLAIMS.values(), ids=CLAIMS)
def test_a_frame_that_claims_too_much_is_not_decoded(
    data: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its header says enough; what Pillow decodes tracemalloc does not see, so decoding would raise here."""

    def decoded(*_: object, **__: object) -> Image.Image:
        if data:
            raise AssertionError
        raise ImageError("this file is empty")

    monkeypatch.setattr(frames, "read_image", decoded)
    began = time.process_time()
    with pytest.raises(ImageError, match=said):
        photo_of_frame(data)
    assert time.process_time() - began < 1


def test_a_frozen_frame_is_bounded_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Base64 of any length may come from a browser; nothing is kept of it, and nothing copied."""
    state: dict[str, object] = {"source": "sample"}
    monkeypatch.setattr("streamlit.session_state", state)
    for long in ("A" * 40_000_000, base64.b64encode(CLAIMS["six thousand each way"][0]).decode()):
        state["live"] = {"frozen": {"jpeg": long}}
        tracemalloc.start()
        choose_live._frozen()
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
        tracemalloc.stop()
        assert state["source"] == "sample"
    state["live"] = {"frozen": {"jpeg": base64.b64encode(jpeg(1)).decode()}}
    choose_live._frozen()
    assert state["source"] == "frozen"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, list[bytes]]]:
    """Holds the decoding of frames until the event, and lists what is decoded."""
    go_on, decoding = threading.Event(), []

    def slowly(data: bytes) -> object:
        decoding.append(data)
        assert go_on.wait(20)
        return photo_of_frame(data)

    monkeypatch.setattr(routes_live, "photo_of_frame", slowly)
    yield go_on, decoding
    go_on.set()


def test_a_flood_of_frames_is_decoded_one_by_one_and_the_newest_last(
    client: TestClient, book: Book, held: tuple[threading.Event, list[bytes]]
) -> None:
    """Twenty at once: one runs, the newest waits, the others are told at once that they are too old."""
    go_on, decoding = held
    address = f"/maps/{book.token}-0-0.live"
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
    """Cancelled while it waits, cancelled just when it was handed on, and failed while it ran."""

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
        new.cancel()  # it holds the turn, but has not run since it was handed on
        await asyncio.gather(new, return_exceptions=True)
        async with turns.turn("bob"):
            await asyncio.wait_for(frame("last"), 5)
        return done

    assert asyncio.run(story()) in (["first", "last"], ["first", "new", "last"])


def test_frames_of_a_camera_are_far_below_the_bounds() -> None:
    """What the page's own script sends is let in."""
    buffer = io.BytesIO()
    noise(3).resize((1280, 720)).save(buffer, "JPEG", quality=90)
    assert photo_of_frame(buffer.getvalue()).image.size == (1280, 720)
