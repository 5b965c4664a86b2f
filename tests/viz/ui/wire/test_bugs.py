"""A bug in an answer is a sentence with the number that its traceback has in the log."""

import logging

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from viz.ui.visit.faults import REPORTING
from viz.ui.wire.bugs import Bugs


async def _fails(_: Request) -> Response:
    raise KeyError("layer")


async def _fails_later(_: Request) -> Response:
    async def parts():  # noqa: ANN202
        yield b"begun"
        raise KeyError("layer")

    return StreamingResponse(parts())


async def _well(_: Request) -> Response:
    return PlainTextResponse("well")


@pytest.fixture
def client() -> TestClient:
    """Asks a server with bugs; what reaches the server itself raises here."""
    routes = [Route("/fails", _fails), Route("/later", _fails_later), Route("/well", _well)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Bugs)]))


def test_a_bug_is_a_sentence_with_the_number_of_its_traceback(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    """In both languages, and nobody keeps it; the record names the number for programs as well."""
    found = client.get("/fails")
    (record,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    number = record.error_id  # type: ignore[attr-defined]
    assert record.exc_info
    assert found.status_code == 500
    assert found.headers["cache-control"] == "no-store"
    assert number in found.json()["error"]
    assert number in found.json()["said"]["zh"]["error"]
    assert found.json()["document"] == REPORTING
    assert number in record.getMessage()


def test_an_answer_that_had_begun_is_broken_off(client: TestClient) -> None:
    """A sentence at its end would look like a part of it."""
    with pytest.raises(KeyError):
        client.get("/later")


def test_an_answer_without_a_bug_is_not_touched(client: TestClient) -> None:
    """Nor is one about an address that is not there."""
    assert client.get("/well").text == "well"
    assert client.get("/nothing").status_code == 404


@pytest.mark.parametrize("closes", [True, False])
def test_a_websocket_that_was_closed_fails_no_more(*, closes: bool) -> None:
    """Streamlit reads from it and closes it again as the server ends; one that is open is broken off."""

    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        if closes:
            await socket.close()
        raise RuntimeError('Cannot call "send" once a close message has been sent.')

    routes = [WebSocketRoute("/", talk)]
    client = TestClient(Starlette(routes=routes, middleware=[Middleware(Bugs)]))
    fails = (
        pytest.raises(WebSocketDisconnect) if closes else pytest.raises(RuntimeError, match="once a close")
    )
    with fails, client.websocket_connect("/") as socket:
        socket.receive_bytes()
