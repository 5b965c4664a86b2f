"""The port, the network and the browser, each there and lacking."""

import socket
from contextlib import closing
from pathlib import Path

import pytest

from tests.browser.serving import free_port
from viz.commands.machine.reaching import browser, network, port


def test_a_port_that_is_taken_has_another_one_beside_it() -> None:
    """A real one; the other one in the advice is free."""
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", taken := free_port()))
        other.listen()
        found = port(taken)
    assert (found.grade, found.said) == ("lacking", f"port {taken} is taken")
    advised = int(found.advice.rstrip(".").split()[-1])
    with closing(socket.socket()) as server:
        server.bind(("127.0.0.1", advised))
    assert port(taken).grade == "good"


@pytest.mark.parametrize(
    ("found", "grade"), [([], "lacking"), (["127.0.0.1"], "good"), (["192.168.1.20"], "good")]
)
def test_an_address_for_phones_is_said_with_the_command(found: list[str], grade: str) -> None:
    """The likeliest one, as the addresses of this machine are sorted elsewhere."""
    fact = network(found)
    assert fact.grade == grade
    assert all(f"http://{each}:8501/" in fact.said for each in found)


@pytest.mark.parametrize("there", [True, False])
def test_the_browser_is_the_one_of_the_tests(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``CHROMIUM`` names it, as for the tests; none is no reason against the page."""
    path = tmp_path / "chromium"
    if there:
        path.touch()
    monkeypatch.setenv("CHROMIUM", str(path))
    found = browser()
    assert found is not None
    assert (found.grade, str(path) in found.said) == (("good", True) if there else ("lacking", False))


def test_nothing_is_said_of_a_browser_that_cannot_be_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``make doctor`` installs no pytest, which the tests' own search imports."""
    (tmp_path / "pytest.py").write_text("raise ModuleNotFoundError('No module named pytest')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = browser()
    assert found is not None
    assert (found.grade, found.advice) == ("good", "")
    assert found.said.endswith("known once 'make test' has installed its tools")
