"""The names that the server answers for, and pages elsewhere that ask in a visitor's name."""

import asyncio
import socket

import pytest
from starlette.types import Message, Receive, Scope, Send

from tests.viz.ui.door.asgi import answered, coming, http, reader
from viz.ui.door.door import Door
from viz.ui.door.limits import DoorLimits
from viz.ui.door.names import Names, names

EVIL = "http://evil.example"


def _door(said: str = "") -> Door:
    return Door(reader, DoorLimits(), names({"LAYERGLASS_HOSTS": said}))


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8501", "x.localhost:8501", "127.0.0.1:8501", "[::1]:8501", "192.168.1.20:8501"],
)
def test_this_machine_is_served_under_its_own_names_and_by_address(host: str) -> None:
    """No page elsewhere can have one of these for a name."""
    assert answered(_door(), http("/", host=host)).status == 200


def test_a_machine_is_served_under_the_name_that_the_command_line_prints() -> None:
    """As the system says it, with and without a domain, and as a local network does."""
    own = socket.gethostname()
    for host in (own, own.upper(), own.partition(".")[0], f"{own.partition('.')[0]}.local"):
        assert answered(_door(), http("/", host=f"{host}:8501")).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example:8501",
        "evillocalhost",
        "127.0.0.1.evil.example",
        "",
        "[",
        "a b",
    ],
)
def test_another_name_is_served_to_nobody(host: str) -> None:
    """A page whose name leads to this machine reads nothing, neither pages nor what the operator sees."""
    for path in ("/", "/operator.json", "/maps/x/layer.json"):
        asked: Scope = {**http(path, host=host), "client": ("127.0.0.1", 1)}
        heard = answered(_door(), asked)
        assert heard.status == 421
        assert "not known by this name" in heard.facts["error"]


@pytest.mark.parametrize(
    ("said", "host", "status"),
    [
        ("glass.example, maps.example", "maps.example", 200),
        ("Glass.Example.", "glass.example:443", 200),
        ("glass.example", "x.glass.example", 421),
        ("*.school.example", "glass.school.example:8080", 200),
        ("*.school.example", "a.b.school.example", 200),
        ("*.school.example", "school.example", 421),
        ("*.school.example", "evilschool.example", 421),
        ("*", "anything.example", 200),
        ("", "", 421),
    ],
)
def test_the_operator_allows_further_names(said: str, host: str, status: int) -> None:
    """One by one, all below one, or all."""
    assert answered(_door(said), http("/", host=host)).status == status


def test_a_program_that_names_no_host_is_served() -> None:
    """As a simple check of health; every browser names one."""
    assert answered(_door(), http("/")).status == 200


def test_a_header_that_comes_twice_is_not_chosen_from() -> None:
    """Streamlit might read the other one."""
    for name, value in (("host", "localhost"), ("origin", "http://localhost")):
        asked = http("/", host="localhost", origin="http://localhost")
        asked["headers"].append((name.encode(), value.encode()))
        assert answered(_door(), asked).status == 400


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ("http://localhost:8501", "localhost:8501", 200),
        ("https://glass.example", "GLASS.example:443", 200),
        ("https://glass.example", "127.0.0.1:8501", 200),  # allowed: a proxy that keeps no host
        (EVIL, "localhost:8501", 403),
        ("http://localhost:3000", "localhost:8501", 403),
        ("http://localhost.evil.example:8501", "localhost:8501", 403),
        ("null", "localhost:8501", 403),
        ("http://[", "localhost:8501", 403),
        ("ftp://localhost:8501", "localhost:8501", 403),
        ("http://evil\x1b[31m", "localhost:8501", 403),
    ],
)
def test_a_page_may_ask_its_own_host_alone(origin: str, host: str, status: int) -> None:
    """Over HTTP and over a websocket."""
    door, asked = _door("glass.example"), http("/", host=host, origin=origin)
    assert answered(door, asked).status == status
    heard = _heard_by_streamlit(asked, "glass.example")
    assert bool(heard) is (status == 200)
    if heard:
        assert [value.partition("//")[2] for name, value in heard if name == "origin"] == [host]


def test_every_name_is_no_leave_for_every_page() -> None:
    """An operator who allows all names has not allowed pages of other hosts."""
    assert answered(_door("*"), http("/", host="any.example", origin=EVIL)).status == 403
    assert answered(_door("*"), http("/", host="any.example", origin="http://any.example")).status == 200


def _heard_by_streamlit(asked: Scope, said: str) -> list[tuple[str, str]]:
    """The headers of a handshake as they go on from the door."""
    heard: list[tuple[str, str]] = []

    async def app(scope: Scope, _: Receive, __: Send) -> None:
        heard.extend((name.decode(), value.decode()) for name, value in scope["headers"])

    async def send(_: Message) -> None:
        pass

    known: Names = names({"LAYERGLASS_HOSTS": said})
    asyncio.run(Door(app, DoorLimits(), known)({**asked, "type": "websocket"}, coming([]), send))
    return heard
