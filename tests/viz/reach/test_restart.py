"""The command that lets a class in: the server's own, at every address; make's own words are make's."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from viz.__main__ import main
from viz.commands.line import serve
from viz.reach.restart import SERVED, public_command

APP = ("/env/bin/python", "app.py", "--server.port", "9000")


@pytest.mark.parametrize(
    "address", [(), ("--server.address", "localhost"), ("--server.address=localhost",)], ids=len
)
def test_the_server_begins_again_at_every_address_with_all_else_as_it_was(address: tuple[str, ...]) -> None:
    """The address was given in two words, in one, or not at all."""
    assert shlex.split(public_command({}, (*APP, *address))) == [*APP, "--server.address", "0.0.0.0"]


@pytest.mark.parametrize("host", ["", " --host localhost", " --host=localhost"])
def test_serve_is_begun_again_as_it_was_typed(host: str) -> None:
    """The server itself, which it has become, knows nothing of a folder named with a space."""
    typed = "layerglass serve --pictures 'my pictures' --port 9000"
    found = public_command({SERVED: typed + host}, APP)
    assert found == f"{typed} --host 0.0.0.0"


def test_serve_leaves_its_command_line_to_the_server_that_it_becomes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that it was started with, the interpreter included."""
    became: list[str] = []
    monkeypatch.setenv(SERVED, "")
    monkeypatch.setattr("sys.orig_argv", ["python", "-m", "viz", "serve", "--port", "9000"])
    monkeypatch.setattr(serve, "check_address", lambda *_: None)  # somebody may listen on 9000
    monkeypatch.setattr(serve, "become_server", lambda *_: became.append(public_command()))
    monkeypatch.delenv("MAKELEVEL", raising=False)
    assert main(["serve", "--port", "9000"]) == 0
    assert became == ["python -m viz serve --port 9000 --host 0.0.0.0"]


@pytest.mark.parametrize("typed", ["", "PORT=9000", "HOST=10.0.0.7 MODEL='my nets:made'"])
def test_make_says_itself_what_it_was_asked_for(tmp_path: Path, typed: str) -> None:
    """A real make, whose recipe prints its environment: the same words again, with the host of everybody."""
    (tmp_path / "Makefile").write_text("run:\n\t@env -0\n")
    words = shlex.split(typed)
    alone = {name: value for name, value in os.environ.items() if "MAKE" not in name and name != "MFLAGS"}
    told = subprocess.run(
        ["make", "run", *words], cwd=tmp_path, env=alone, capture_output=True, check=True, text=True
    )
    environment = dict(line.split("=", 1) for line in told.stdout.split("\0") if line)
    found = shlex.split(public_command(environment, APP))
    assert found[:2] == ["make", "run"]
    assert sorted(found[2:]) == sorted(
        ["HOST=0.0.0.0", *(word for word in words if not word.startswith("HOST"))]
    )
