"""Limits that fit into what the system grants."""

import resource
import subprocess
import sys

import pytest

from viz.ui.door.descriptors import needed, pages_within
from viz.ui.door.limits import limits

PAGE, SESSIONS, OWN = 5, 3 * 128, 128  # measured on a running server: 4, and one for the line of a class


@pytest.mark.parametrize("granted", [1_024, 2_048, 4_096, 65_536])
def test_all_that_the_door_lets_in_at_a_time_fits(granted: int) -> None:
    """Pages with a class's lines, those that may come back, other requests, and the server's own."""
    found = limits({}, free=1 << 40, descriptors=granted)
    others = found.requests - found.sockets  # a class's line is a request, and counted with its page
    assert 1 <= found.sockets <= 500
    assert PAGE * found.sockets + SESSIONS + OWN + others <= granted


def test_what_usual_systems_grant_is_enough_for_the_usual_number() -> None:
    """And a number of the operator's own gets as many pages as there is room for."""
    assert limits({}, free=1 << 40, descriptors=4_096).sockets == 500
    assert limits({"LAYERGLASS_VISITORS": "2000"}, free=1 << 40, descriptors=4_096).sockets < 700
    assert pages_within(needed(2_000)) >= 2_000
    assert pages_within(64) == 1


def test_the_server_takes_what_it_may_get() -> None:
    """A soft limit is raised as far as the pages need it, and the hard one stays."""
    told = "import resource as r; from viz.ui.door.limits import limits; {}; limits(); print(r.getrlimit(7))"
    code = told.format("r.setrlimit(r.RLIMIT_NOFILE, (256, 4000))").replace("(7)", "(r.RLIMIT_NOFILE)")
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 4000
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"({needed(500)}, 4000)"
