"""Addresses at which students find the page: never one that means their own machine."""

import socket
import sys
from ipaddress import ip_address
from itertools import pairwise
from pathlib import Path

import pytest

from viz.reach.addresses import is_reachable, network_addresses, page_addresses


def test_no_address_of_this_machine_is_one_of_any_machine() -> None:
    """There may be any network here, or none."""
    for each in network_addresses():
        found = ip_address(each)
        assert not any([found.is_loopback, found.is_unspecified, found.is_link_local])


@pytest.mark.parametrize(
    ("host", "reachable"),
    [
        ("localhost", False),
        ("LOCALHOST", False),
        ("localhost.", False),
        ("x.localhost", False),
        ("localhost.localdomain", False),
        ("localhost6.localdomain6", False),
        ("localhosts.example.org", True),
        ("127.0.0.1", False),
        ("127.9.9.9", False),
        ("[::1]", False),
        ("0.0.0.0", False),
        ("169.254.3.4", False),
        ("", False),
        ("192.168.1.20", True),
        ("10.0.0.7", True),
        ("teacher.local", True),
        ("[2001:db8::1]", True),
    ],
)
def test_a_host_is_known_by_what_it_means(host: str, *, reachable: bool) -> None:
    """Names and addresses, as a browser says them."""
    assert is_reachable(host) == reachable


def test_a_server_for_all_is_found_at_each_address() -> None:
    """With the page's path and the port; a name by which the teacher has found it comes first."""
    found = page_addresses("0.0.0.0", 8501, "/glass", ["192.168.1.20", "10.0.0.7"])
    assert found == ("http://192.168.1.20:8501/glass/", "http://10.0.0.7:8501/glass/")
    named = page_addresses("", 8501, "", ["192.168.1.20"], "http://teacher.local:8501")
    assert named == ("http://teacher.local:8501/", "http://192.168.1.20:8501/")
    same = page_addresses("", 8501, "", ["192.168.1.20"], "http://192.168.1.20:8501")
    assert same == ("http://192.168.1.20:8501/",)


def test_a_server_for_this_machine_alone_is_found_nowhere() -> None:
    """Unless a proxy stands before it, whose name the browser has."""
    assert page_addresses("localhost", 8501, "", ["192.168.1.20"], "http://localhost:8501") == ()
    assert page_addresses("127.0.0.1", 8501, "", ["192.168.1.20"]) == ()
    found = page_addresses("localhost", 8501, "", ["192.168.1.20"], "https://glass.example.org")
    assert found == ("https://glass.example.org/",)
    assert page_addresses("10.0.0.7", 8501, "", ["192.168.1.20"]) == ("http://10.0.0.7:8501/",)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system's own table is Linux's")
def test_the_systems_own_table_has_each_address_that_is_found_and_nobody_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compared with the routes to this machine itself; no name server is asked, nothing connected."""
    monkeypatch.setattr(socket, "getaddrinfo", _nobody)
    monkeypatch.setattr(socket, "socket", _Unconnected)
    lines = Path("/proc/net/fib_trie").read_text(encoding="ascii").splitlines()
    local = {
        before.split()[-1]
        for before, line in pairwise(lines)
        if line.strip() == "/32 host LOCAL" and is_reachable(before.split()[-1])
    }
    assert set(network_addresses()) <= local
    assert bool(network_addresses()) == bool(local)


def _nobody(*_: object) -> None:
    raise AssertionError("a name server is asked")


class _Unconnected(socket.socket):
    def connect(self, _: object) -> None:
        """Fail: an address is reached for."""
        raise AssertionError("an address is reached for")
