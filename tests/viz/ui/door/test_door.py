"""Requests that the door lets in or refuses, and its answers."""

import asyncio
import re
import time
from collections import Counter
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.machine import patience
from tests.viz.ui.door.asgi import Heard, answered, coming, http, reader
from viz.ui.door import bodies
from viz.ui.door.door import Door
from viz.ui.door.limits import DoorLimits, limits
from viz.ui.door.names import names
from viz.ui.door.refusal import Refusal
from viz.ui.door.who import address_of
from viz.ui.locale.words import WORDS
from viz.ui.tally.counts import refusals_so_far
from viz.ui.visit.visit import SubjectEntry

HOUR = 3600


def _door(**most: Any) -> Door:
    return Door(reader, DoorLimits(**most))


@pytest.mark.parametrize(
    ("scope", "status", "said"),
    [
        (http("/", query=b"x" * 32_001), 414, "32,000 characters"),
        (http("/" + "x" * 2_000), 414, "2,000 characters"),
        (http("/", cookie="x" * 32_001), 431, "32,000 bytes"),
        (http("/_stcore/metrics"), 404, "nothing at this address"),
        (http("/base/_stcore/metrics/"), 404, "nothing at this address"),
        (http("/metrics"), 404, "nothing at this address"),
        (http("/metrics/"), 404, "nothing at this address"),
        (http("/operator"), 404, "nothing at this address"),
        (http("/operator.json", query=b"after=0"), 404, "nothing at this address"),
        (http("/_stcore/agent/interact", method="POST"), 404, "nothing at this address"),
    ],
)
def test_what_is_not_let_in_gets_one_sentence_in_both_languages(scope: Scope, status: int, said: str) -> None:
    """The connection ends with it, and no cache keeps it."""
    heard = answered(_door(), scope)
    assert heard.status == status
    assert said in heard.facts["error"]
    assert re.search("[\u4e00-\u9fff]", heard.facts["said"]["zh"]["error"])
    assert heard.facts["document"] == "limits#why-was-a-request-refused"
    assert (heard.headers["connection"], heard.headers["cache-control"]) == ("close", "no-store")


def test_what_is_within_the_limits_comes_in_whole() -> None:
    """Also at the very limit of each length, and a body part by part."""
    assert answered(_door(), http("/" + "x" * 1_999, query=b"x" * 32_000)).facts == {"read": 0}
    scope = http("/maps/x/layer.live", method="POST", content_length="6")
    assert answered(_door(), scope, coming([b"abc", b"def"])).facts == {"read": 6}


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/metrics", "/operator", "/operator.json"])
def test_the_metrics_are_for_this_machine_and_no_proxy_on_it(path: str) -> None:
    """Requests through a proxy, or from another machine, do not get them."""
    here: Scope = {**http(path), "client": ("127.0.0.1", 1)}
    assert answered(_door(), here).status == 200
    assert answered(_door(), {**http(path, host="localhost:8501"), "client": ("::1", 1)}).status == 200
    for name in ("x_forwarded_for", "x_forwarded_port", "x_forwarded_server", "cf_connecting_ip"):
        proxied: Scope = {**http(path, **{name: "198.51.100.1"}), "client": ("127.0.0.1", 1)}
        assert answered(_door(), proxied).status == 404


def test_a_proxy_here_that_says_nothing_but_keeps_the_host_gets_no_metrics() -> None:
    """Its page has another name or address than that by which this machine knows itself."""
    door = Door(reader, DoorLimits(), names({"LAYERGLASS_HOSTS": "glass.example"}))
    for host in ("glass.example", "192.168.1.20:8080"):
        proxied: Scope = {**http("/metrics", host=host), "client": ("127.0.0.1", 1)}
        assert answered(door, proxied).status == 404


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/metrics", "/operator", "/operator.json"])
def test_the_operator_may_open_the_metrics(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """The environment opens them, for a collector on another machine."""
    monkeypatch.setenv("LAYERGLASS_METRICS", "1")
    assert answered(_door(), http(path)).status == 200


@pytest.mark.parametrize(
    ("setting", "client", "forwarded", "status"),
    [
        ("10.1.0.0/16", "10.1.2.3", False, 200),
        ("192.0.2.7, 10.1.0.0/16", "10.1.2.3", False, 200),
        ("10.1.0.0/16", "::ffff:10.1.2.3", False, 200),
        ("2001:db8::/32", "2001:db8::9", False, 200),
        ("10.1.0.0/16", "127.0.0.1", False, 200),
        ("10.1.0.0/16", "10.2.2.3", False, 404),
        ("10.1.0.0/16", "10.1.2.3", True, 404),
        ("10.1.0.0/99, all", "10.1.2.3", False, 404),
        ("", "10.1.2.3", False, 404),
        ("0", "10.1.2.3", False, 404),
    ],
)
def test_the_operator_may_open_the_metrics_to_a_network(
    monkeypatch: pytest.MonkeyPatch, setting: str, client: str, status: int, *, forwarded: bool
) -> None:
    """To who asks from it directly, and to nobody who comes through a proxy in it."""
    monkeypatch.setenv("LAYERGLASS_METRICS", setting)
    headers = {"x_forwarded_for": client} if forwarded else {}
    for path in ("/metrics", "/_stcore/metrics"):
        asked: Scope = {**http(path, **headers), "client": (client, 1)}
        assert answered(_door(), asked).status == status


def test_each_refusal_is_counted_by_its_status() -> None:
    """Requests that are let in are not counted."""
    door, before = _door(address_rate=0.1, address_burst=2), Counter(refusals_so_far())
    for path in ("/", "/metrics", "/", "/", "/"):
        answered(door, http(path))
    assert Counter(refusals_so_far()) - before == {"404": 1, "429": 2}


def test_who_asks_too_often_is_told_when_to_come_back() -> None:
    """This happens after a burst of two; another network address is not affected."""
    door = _door(address_rate=0.1, address_burst=2)
    heard = [answered(door, http("/")) for _ in range(3)]
    assert [each.status for each in heard] == [200, 200, 429]
    assert heard[2].headers["retry-after"] == "10"
    assert "try again in 10 seconds" in heard[2].facts["error"]
    assert answered(door, {**http("/"), "client": ("198.51.100.9", 1)}).status == 200


def test_a_visitor_is_known_by_a_subject_and_not_by_an_address(subject: SubjectEntry) -> None:
    """Thirty students behind one address do not take each other's requests."""
    door = _door(asked_rate=0.1, asked_burst=1, address_burst=1, address_rate=0.1)
    own = http(f"/maps/{subject.token}/layer.json?layer=conv1")
    assert [answered(door, own).status for _ in range(2)] == [200, 429]
    assert answered(door, http("/maps/" + "0" * 40 + "/layer.json")).status == 200


def test_a_neighbouring_address_is_the_same_household() -> None:
    """With IPv6, everybody has too many addresses to count each; with IPv4 they do not."""
    one, other = ({"client": (f"2001:db8:1:2::{last}", 1)} for last in (1, 2))
    assert address_of(one) == address_of(other)
    assert address_of({"client": ("192.0.2.1", 1)}) != address_of({"client": ("192.0.2.2", 1)})
    assert address_of({"client": ("::ffff:192.0.2.1", 1)}) == "192.0.2.1"


def test_a_body_that_trickles_is_given_up() -> None:
    """A byte now and then keeps nothing open for longer than its share of time."""
    scope = http("/maps/x/layer.live", method="POST", content_length="9000")
    receive, asked = coming([b"x"] * 9000, pause=0.05, ends=False), Counter[str]()

    async def counted() -> Message:
        asked["for a byte"] += 1
        return await receive()

    heard = answered(_door(body_grace=0.3, body_rate=100), scope, counted)
    assert asked["for a byte"] < 160  # for five seconds the rest is read, so that a browser hears it
    assert heard.status == 408
    assert "too slowly" in heard.facts["error"]


def test_a_slow_body_that_keeps_its_pace_comes_in() -> None:
    """Longer than the grace, but at twice the rate that is asked for."""
    scope = http("/maps/x/layer.live", method="POST", content_length="1000")
    heard = answered(_door(body_grace=0.2, body_rate=500), scope, coming([b"x" * 50] * 20, pause=0.05))
    assert heard.facts == {"read": 1000}


def test_a_body_is_read_no_further_than_wanted() -> None:
    """That includes a body that does not declare its length."""
    scope = http("/maps/x/layer.live", method="POST", transfer_encoding="chunked")
    heard = answered(_door(), scope, coming([b"x" * 100_000] * 50))
    assert (heard.status, heard.facts["error"][:27]) == (413, "At most 0.6 MB can be sent ")


def test_who_is_refused_is_read_to_the_end_while_enough_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser reads no answer before its body is sent, however long that takes it."""
    monkeypatch.setattr(bodies, "DRAINING", 0.2)
    monkeypatch.setattr(bodies, "LINGERING", 0.1)
    scope = http("/maps/x/layer.live", method="POST", transfer_encoding="chunked")
    receive, asked = coming([b"x" * 100_000] * 30, pause=0.05), Counter[str]()

    async def counted() -> Message:
        asked["for a part"] += 1
        return await receive()

    assert answered(_door(), scope, counted).status == 413
    assert asked["for a part"] == 30


def test_a_request_that_needs_no_body_brings_none() -> None:
    """It would not be read, so it would not be limited; a few bytes are allowed, as browsers send them."""
    scope = http("/", content_length="20000")
    assert answered(_door(), scope, coming([b"x" * 20_000])).status == 413
    scope = http("/_stcore/upload_file/a/b", method="DELETE", content_length="20")
    assert answered(_door(), scope, coming([b"x" * 20])).status == 200


def test_a_hundred_trickling_bodies_leave_room_for_others() -> None:
    """Only so many bodies of one address are read at a time; the next must wait, another address need not."""

    async def crowd() -> tuple[list[int], int]:
        door, heard = _door(bodies_of_address=10, body_grace=1.5), [Heard() for _ in range(100)]
        scope = http("/maps/x/layer.live", method="POST", content_length="9000")
        slow = [asyncio.create_task(door(scope, coming([b"x"], ends=False), each)) for each in heard]
        await asyncio.sleep(0.1)
        other = Heard()
        elsewhere: Scope = {**scope, "client": ("198.51.100.9", 1)}
        await door(elsewhere, coming([b"x" * 9000]), other)
        await asyncio.gather(*slow)
        return [each.status for each in heard], other.status

    statuses, other = asyncio.run(crowd())
    assert (statuses.count(503), statuses.count(408), other) == (90, 10, 200)


def test_a_refusal_from_below_is_answered_at_the_door() -> None:
    """Except if the answer has already begun."""

    async def refusing(_: Scope, __: Receive, ___: Send) -> None:
        raise Refusal(413, "kept")

    assert answered(Door(refusing, DoorLimits()), http("/")).status == 413


def _socket(*messages: Message, **most: Any) -> tuple[list[Message], list[Message]]:
    """Return the application's messages and those sent back, for a page that sends these and leaves."""
    left, heard, sent = [*messages, {"type": "websocket.disconnect", "code": 1000}], [], []

    async def receive() -> Message:
        return left.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    async def app(_: Scope, receive: Receive, __: Send) -> None:
        while not heard or heard[-1]["type"] != "websocket.disconnect":
            heard.append(await receive())

    scope = {**http("/_stcore/stream"), "type": "websocket"}
    asyncio.run(Door(app, DoorLimits(**most))(scope, receive, send))
    return heard, sent


def _says(**asked: Any) -> Message:
    return {"type": "websocket.receive", "bytes": BackMsg(**asked).SerializeToString()}


def test_a_page_may_ask_for_what_it_needs_and_nothing_else() -> None:
    """It may not empty everybody's caches, for example; forbidden requests are ignored."""
    heard, sent = _socket(_says(clear_cache=True), _says(load_git_info=True), _says(stop_script=True))
    assert [each["type"] for each in heard] == ["websocket.receive", "websocket.disconnect"]
    assert BackMsg.FromString(heard[0]["bytes"]).stop_script
    assert sent == []


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "websocket.receive", "bytes": b"x" * 1_500_001}, 1009),
        ({"type": "websocket.receive", "text": "hello"}, 1008),
        ({"type": "websocket.receive", "bytes": b"\xff\xff\xff"}, 1002),
    ],
)
def test_a_message_that_no_page_sends_ends_the_conversation(message: Message, code: int) -> None:
    """With the code that says why."""
    heard, sent = _socket(message, _says(stop_script=True))
    assert sent == [{"type": "websocket.close", "code": code}]
    assert heard == [{"type": "websocket.disconnect", "code": code}]


def test_messages_that_come_too_fast_wait() -> None:
    """All of them arrive; ten beyond the burst at fifty a second take a fifth of one."""
    start = time.monotonic()
    heard, _ = _socket(*[_says(stop_script=True)] * 15, messages_rate=50.0, messages_burst=5)
    assert len(heard) == 16
    assert 0.15 < time.monotonic() - start < patience(5)


def test_pages_beyond_the_servers_number_are_told_to_come_back() -> None:
    """Before anything is kept for them."""
    _, sent = _socket(_says(stop_script=True), sockets=0)
    assert sent[0]["status"] == 503
    assert (b"retry-after", b"30") in sent[0]["headers"]


def test_new_pages_of_one_address_come_no_faster_than_allowed() -> None:
    """A whole class comes in at once, a script that opens pages in a loop does not."""
    _, sent = _socket(_says(stop_script=True), arrivals_burst=0)
    assert sent[0]["status"] == 429


def test_the_environment_sets_what_an_operator_must_know() -> None:
    """A value that is not a whole number is ignored."""
    said = {"LAYERGLASS_UPLOADS_MB": "700", "LAYERGLASS_VISITORS": "9", "LAYERGLASS_VISITORS_OF_ADDRESS": "x"}
    found = limits(said, free=1 << 40)
    assert (found.uploads_of_all, found.sockets, found.sockets_of_address) == (700_000_000, 9, 250)


def test_a_small_machine_still_takes_one_file_of_weights_and_pictures() -> None:
    """They fit even though a quarter of its free memory would be less."""
    found = limits({}, free=100_000_000)
    assert found.uploads_of_all >= found.weights + found.pictures_reserve


def test_every_sentence_of_the_door_is_short() -> None:
    """Each says when to come back, in one second or in several."""
    sentences = {key: text for key, text in WORDS.items() if key.startswith("door_")}
    assert len(sentences) == 19
    for text in sentences.values():
        for english in (text,) if isinstance(text, str) else text:
            assert english.endswith(".")
            assert len(english) < 130
    assert Refusal(429, "often", retry_after=1).said("en").endswith("in 1 second.")
    assert Refusal(429, "often", retry_after=9).said("en").endswith("in 9 seconds.")
    assert Refusal(429, "often", retry_after=9).said("zh").endswith("。")
