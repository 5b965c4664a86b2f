"""Every known attack on the real server: what it costs, its answer, and another visitor's longest wait.

The flood of unused files, which takes two minutes, is in ``test_door``.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.browser.serving import serving
from tests.hostile.attacks import ATTACKS, children, measured
from tests.hostile.server_process import process_of
from tests.hostile.visitor import Visitor
from tests.machine import patience

# The page's answer to each; some are ordinary pictures, only large.
SAID = {
    "an honest photograph": "shown",
    "memory that nobody has filled": "holds more than weights (torch.Tensor)",
    "31 nested tuples": "names that are neither text nor number",
    "60 nested tuples": "names that are neither text nor number",
    "25 nested lists": "This PyTorch file is damaged",
    "sixty lists": "no weights by name",
    "40,000 unknown names": "40000 unexpected",
    "a thousand prefixes": "more than 500 characters",
    "2,000 ranges": "at most 16,384 channels",
    "6,000 ranges": "414",
    "4-byte segments": "far too many parts",
    "one-byte comments": "far too many parts",
    "empty chunks": "far too many parts",
    "eight live frames": "422",
    "in runs": "shown",
    "WebP": "shown",
}
# Seconds, megabytes, seconds: far above what two busy cores measured, far below the cost before the fixes.
LONGEST, MOST, LONGEST_WAIT = 10.0, 700, 2.0

pytestmark = [pytest.mark.slow]  # each needs the real server, and a file of its own


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all attacks, so that each attack meets what the one before left behind."""
    with serving(tmp_path_factory.mktemp("attacked")) as address:
        yield address


@pytest.mark.parametrize("part", SAID)
def test_an_attack_takes_little_and_stops_nobody(server: str, part: str) -> None:
    """Another visitor, who looks at one layer after the other, does not notice it."""
    (attack,) = (attack for name, attack in ATTACKS.items() if part in name)
    found = measured(attack, server, int(process_of(server).name))
    assert SAID[part] in str(found["outcome"]).replace("\\", "")
    assert float(str(found["seconds"])) < patience(LONGEST)
    assert int(str(found["MB"])) < MOST
    assert float(str(found["wait"])) < patience(LONGEST_WAIT)


def readers(server: str) -> list[int]:
    """The processes that read files, and the one that they are copies of; those for models are others."""
    found = []
    for each in children(int(process_of(server).name)):
        with suppress(OSError):  # it has just ended
            found += [each] if b"viz.reader" in Path(f"/proc/{each}/cmdline").read_bytes() else []
    return found


def test_after_all_attacks_a_visitor_finds_the_page_as_ever(server: str) -> None:
    """The first layer's maps are there, and no reading process is left."""
    with Visitor(server, model="lenet") as visitor:
        assert visitor.map_json()["shape"]
    deadline = time.monotonic() + patience(35)  # the longest that a reading process may live
    while len(left := readers(server)) > 1 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(left) == 1  # the one that they are copies of


def test_every_attack_is_tried_here_or_there() -> None:
    """Every attack in the list has its expected answer in this file or in ``test_door``."""
    tried = [name for name in ATTACKS if any(part in name for part in SAID)]
    assert [name for name in ATTACKS if name not in tried] == ["thirty unused files of 50 MB"]
