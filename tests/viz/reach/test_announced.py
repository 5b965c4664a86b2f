"""Text that a teacher reads in the terminal."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from viz.reach.announced import address_said, announcement
from viz.reach.qr import qr_text

ROOT = Path(__file__).parents[3]


def test_the_likeliest_address_stands_there_as_a_picture_too() -> None:
    """The others are named, because a machine does not know which network the class is in."""
    said = announcement("0.0.0.0", 8501, ["192.168.1.20", "10.0.0.7"])  # nobody listens
    first, picture = said.split("\n", 1)
    assert first == "For a class: http://192.168.1.20:8501/ (also http://10.0.0.7:8501/)"
    assert picture == qr_text("http://192.168.1.20:8501/")


@pytest.mark.parametrize("host", [None, "localhost", "127.0.0.1", "::1"])
def test_a_page_for_this_machine_alone_says_nothing(host: str | None) -> None:
    """A picture of ``localhost`` would lead each phone to itself."""
    assert announcement(host, 8501, ["192.168.1.20"]) == ""


def test_a_server_for_everybody_is_said_by_this_machines_name() -> None:
    """A browser cannot open 0.0.0.0."""
    for host in ("0.0.0.0", "::", "[::]"):
        assert address_said(host, 80) == f"http://{socket.gethostname()}:80"


@pytest.mark.parametrize("host", ["2001:db8::5", "[2001:db8::5]"])
def test_an_ipv6_host_stands_in_brackets(host: str) -> None:
    """Otherwise no browser opens it, and the picture leads nowhere."""
    assert address_said(host, 8501) == "http://[2001:db8::5]:8501"
    first, picture = announcement(host, 8501).split("\n", 1)
    assert (first, picture) == (
        "For a class: http://[2001:db8::5]:8501/",
        qr_text("http://[2001:db8::5]:8501/"),
    )


def test_make_run_asks_by_the_command() -> None:
    """It is there before the page is: it imports neither PyTorch nor Streamlit."""
    asked = """
import sys
from viz.reach import __main__ as command
command.check_address = lambda host, port: None  # of another machine, so that it is the same everywhere
command.main(["10.0.0.7", "8501"])
assert not {"torch", "streamlit"} & set(sys.modules)
"""
    said = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env=os.environ, check=True, capture_output=True, text=True
    )
    first, second, *_ = said.stdout.splitlines()
    assert first == "Layerglass: http://10.0.0.7:8501 (in a few seconds; Ctrl-C ends it)"
    assert second == "For a class: http://10.0.0.7:8501/"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "python -m viz.reach '$(HOST)' '$(PORT)'" in makefile
