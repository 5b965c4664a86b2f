"""Bugs and exits: the page goes on, the visitor gets a number instead of a traceback, the server lives."""

import ast
import asyncio
import logging
from collections.abc import AsyncIterable
from concurrent.futures import Future
from pathlib import Path

import pytest
import streamlit as st
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from models.own.own_model_name import SETTING
from tests.hostile.leaving_model import leaving_model
from tests.machine import patience
from tests.viz.ui.conftest import APP, client, photo, subject, told, visit, wanted
from tests.viz.ui.wire.routes.test_routes_live import jpeg
from viz.engine.worker import Worker
from viz.errors import CaptureError
from viz.ui.visit.catalogue import known
from viz.ui.visit.faults import REPORTING
from viz.ui.visit.visit import SubjectEntry
from viz.ui.wire.routes import routes_live

__all__ = ["client", "photo", "subject", "visit", "wanted"]  # the fixtures of the page without a browser

UI = Path(__file__).parents[2] / "viz" / "ui"
ENDS = [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), asyncio.CancelledError(), StopIteration(4)]


def calm(page: AppTest) -> bool:
    """Return whether the page shows no problem."""
    return not (page.exception or page.warning or page.error or told(page)["notices"])


def functions(tree: ast.AST) -> dict[str, bool]:
    """The functions of a file by their names, and whether each is ``guarded``."""
    return {
        node.name: any(ast.unparse(each) == "guarded" for each in node.decorator_list)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


def test_every_callback_of_a_widget_is_guarded() -> None:
    """Each is ``guarded`` where it is defined, so nobody can forget it where it is used."""
    trees = {path.name: ast.parse(path.read_text("utf-8")) for path in UI.rglob("*.py")}
    everywhere = {name: guarded for tree in trees.values() for name, guarded in functions(tree).items()}
    found = [
        (path, ast.unparse(node.value), (everywhere | functions(tree)).get(ast.unparse(node.value)))
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and (node.arg or "").startswith("on_")
    ]
    assert len(found) > 8
    assert [callback for callback in found if callback[2] is not True] == []


@pytest.mark.parametrize("error", [KeyError("layer"), SystemExit(2), KeyboardInterrupt()], ids=repr)
def test_a_callback_that_fails_is_a_sentence_with_a_number(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page is still drawn; the log has the traceback under that number, once."""

    def fails(*_: object) -> None:
        raise error

    page = AppTest.from_file(APP, default_timeout=patience(120))
    page.query_params["model"] = "lenet"
    page.run()
    monkeypatch.setattr("viz.ui.choose.choose.give_up_file", fails)
    page.selectbox(key="sample").select("coffee").run()
    assert not page.exception
    (said,) = told(page)["notices"]
    (record,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert record.exc_info
    assert record.getMessage().split()[-1] in said["text"]
    assert said["document"] == REPORTING
    monkeypatch.undo()
    page.selectbox(key="sample").select("rocket").run()
    assert calm(page)


@pytest.mark.parametrize("error", ENDS, ids=repr)
def test_work_that_ends_its_thread_is_an_error_like_any_other(error: BaseException) -> None:
    """The error reaches those who wait in a thread or in an event loop; the next work is not affected."""

    def leaves() -> None:
        raise error

    async def waited(future: "Future[object]") -> object:
        return await asyncio.wait_for(asyncio.wrap_future(future), patience(60))

    worker = Worker("test")
    with pytest.raises(CaptureError, match=type(error).__name__):
        worker.submit("leaves", leaves).result(patience(60))
    with pytest.raises(CaptureError, match=type(error).__name__):
        asyncio.run(waited(worker.submit("leaves", leaves)))
    assert worker.submit("stays", lambda: 7).result(patience(60)) == 7
    worker.close()


@pytest.mark.parametrize("error", ["SystemExit(1)", "KeyboardInterrupt", "StopIteration(2)"])
def test_a_model_that_ends_its_run_ends_neither_page_nor_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: TestClient, subject: SubjectEntry, error: str
) -> None:
    """The page and a route answer with a sentence; another model works, and later this one too."""
    name = f"leaving_{abs(hash(tmp_path))}"  # a new name for every test: the engine keeps what it has loaded
    leave = leaving_model(tmp_path, name, name, error)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(SETTING, f"{name}:{name}")
    known.forget()  # which models there were before this one
    page = AppTest.from_file(APP, default_timeout=patience(60))
    page.query_params.update({"model": name, "layer": "conv"})
    page.run()
    assert calm(page)
    address = f"/maps/{told(page)['subject']}/layer.json?layer=conv"
    leave.touch()
    refused = client.get(address)
    assert refused.status_code == 422
    assert "ended its run by" in refused.json()["error"]
    page.selectbox(key="model").select("lenet").run()
    assert calm(page)
    leave.unlink()
    assert client.get(address).is_success
    page.selectbox(key="model").select(name).run()
    assert calm(page)
    assert client.get(f"/maps/{subject.token}/layer.json?layer=conv1").is_success


def test_a_page_that_ends_its_thread_is_a_sentence_with_a_number(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The exit happens in the page's own thread; unhandled, the page would seem to run for ever."""

    def leaves(*_: object) -> None:
        raise SystemExit(5)

    monkeypatch.setattr("viz.ui.page.draw_seen", leaves)
    page = AppTest.from_file(APP, default_timeout=patience(60))
    page.query_params["model"] = "lenet"
    page.run()
    (said,) = [str(notice.value) for notice in page.error]
    (record,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert record.getMessage().split()[-1] in said
    assert said.endswith(f" [More](help/{REPORTING})")
    monkeypatch.undo()
    assert not page.run().error


def test_a_page_whose_visitor_has_left_is_no_bug(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Streamlit empties the state of a session that ends, also under a script that still runs."""

    def ends(*_: object) -> None:
        st.session_state.clear()
        assert st.session_state["source"]

    monkeypatch.setattr("viz.ui.page.draw_seen", ends)
    page = AppTest.from_file(APP, default_timeout=patience(60))
    page.query_params["model"] = "lenet"
    page.run()
    assert not page.error
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


def test_who_leaves_while_sending_leaves_no_traceback(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that disconnects in the middle of a frame is not an error of the server."""

    async def left(_: AsyncIterable[bytes]) -> bytes:
        raise ClientDisconnect

    monkeypatch.setattr(routes_live, "frame_posted", left)
    assert client.post(f"/maps/{subject.token}/layer.live?layer=conv1", content=jpeg(1)).status_code == 400
    monkeypatch.undo()
    assert client.post(f"/maps/{subject.token}/layer.live?layer=conv1", content=jpeg(1)).is_success
