"""An address is said once it is known to be free; otherwise one sentence says why not."""

import errno
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.browser.serving import free_port
from tests.machine import patience
from viz.__main__ import main
from viz.errors import RequestError
from viz.reach.listening import check_address, is_free

ROOT = Path(__file__).parents[3]


def refusing(number: int) -> Callable[..., None]:
    """A system's ``bind`` that ends with this error; real ones can be set to bind any address and port."""

    def bind(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return bind


@pytest.fixture
def port_taken() -> Iterator[int]:
    """A port on which somebody listens, at the one address 127.0.0.1."""
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", port := free_port()))
        other.listen()
        yield port


@pytest.mark.parametrize("host", [None, "localhost", "127.0.0.1", "0.0.0.0"])
def test_a_port_is_taken_as_long_as_somebody_listens_on_it(host: str | None) -> None:
    """At this machine's own address, which each of these hosts means, too."""
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", port := free_port()))
        check_address(host, free_port())
        other.listen()
        with pytest.raises(RequestError, match=f"something else listens on port {port} already"):
            check_address(host, port)
        assert not is_free(port)
    check_address(host, port)
    assert is_free(port)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="it is about IPv6 beside IPv4")
def test_every_address_of_both_kinds_is_taken_by_somebody_at_one(port_taken: int) -> None:
    """Streamlit listens at ``::`` for both; the server itself would end at an IPv4 port that is taken."""
    with pytest.raises(RequestError, match=f"something else listens on port {port_taken} already"):
        check_address("::", port_taken)


@pytest.mark.parametrize(
    ("port", "advice"),
    [
        (80, "choose one above 1023"),
        (1023, "above 1023"),
        (1024, "another port"),
        (8501, "choose another port"),
    ],
)
def test_a_port_that_the_system_keeps_is_said_with_what_to_choose(
    port: int, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Systems keep ports above 1023 too, as Windows does ranges of them: there another one may do."""
    monkeypatch.setattr("socket.socket.bind", refusing(errno.EACCES))
    with pytest.raises(RequestError, match=rf"port {port}\b.*{advice}"):
        check_address(None, port)


def test_a_connection_that_has_just_ended_takes_no_port() -> None:
    """The system keeps the port of a closed connection for a minute; a server may begin again at once."""
    with closing(socket.socket()) as server, closing(socket.socket()) as visitor:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", port := free_port()))
        server.listen()
        visitor.connect(("127.0.0.1", port))
        server.accept()[0].close()
        assert visitor.recv(1) == b""
    check_address("127.0.0.1", port)


def test_the_command_says_no_address_that_is_taken(
    port_taken: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and a status that says that nothing is served."""
    assert main(["serve", "--port", str(port_taken)]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert "end it, or choose another port" in shown.err


ADDRESSES = {
    "a port that is too large": (["--port", "99999"], "choose one from 1 to 65535"),
    "no port at all": (["--port", "0"], "choose one from 1 to 65535"),
    "a host that is no address": (["--host", "999.1.1.1"], "'999.1.1.1' is not an address to listen on"),
    "another machine's address": (["--host", "192.0.2.7"], "'192.0.2.7' is not an address to listen on"),
    "an empty host": (["--host", ""], "'' is not an address to listen on"),
    "a host of many dots": (["--host", "a..b"], "'a..b' is not an address to listen on"),
}


@pytest.mark.parametrize(("words", "expected"), ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_that_no_server_can_have_is_refused_in_one_line(
    words: list[str],
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before a model is loaded for it, and with no traceback."""
    monkeypatch.setattr("socket.socket.bind", refusing(errno.EADDRNOTAVAIL))
    assert main(["serve", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert expected in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("PORT=abc", "'abc' is not the number of a port: choose one from 1 to 65535"),
        ("PORT=-1", "'-1' is not the number of a port"),
        ("PORT=", "'' is not the number of a port"),
        ("PORT=65536", "there is no port 65536: choose one from 1 to 65535"),
        ("PORT={taken}", "something else listens on port"),
        ("HOST=", "'' is not an address to listen on"),
        ("HOST=a b", "'a b' is not an address to listen on"),
    ],
)
def test_make_run_says_in_one_sentence_why_no_page_can_be_there(
    given: str, expected: str, tmp_path: Path, port_taken: int
) -> None:
    """In a folder with the same Makefile, where everything seems to be installed."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for name in ("requirements.txt", "constraints.txt", ".venv/run.stamp"):
        (tmp_path / name).touch()
    done = subprocess.run(
        ["make", "run", given.format(taken=port_taken)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])},
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    sentence, *others = done.stderr.splitlines()
    assert sentence.startswith(f"make run: {expected}")
    assert [line for line in others if not line.startswith("make")] == []
    assert "Layerglass: http" not in done.stdout
