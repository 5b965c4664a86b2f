"""The command line sets it before PyTorch comes in, and leaves alone what somebody else has set."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, sys

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "torch":
            print(os.environ.get("GOMP_SPINCOUNT"))
            sys.meta_path.remove(Finder)
        return None

sys.meta_path.insert(0, Finder)
from viz.__main__ import main
main(["layers", "no such model"])
"""


@pytest.mark.parametrize(("before", "then"), [(None, "1000"), ("7", "7")])
def test_it_is_set_when_pytorch_is_imported(before: str | None, then: str) -> None:
    """A finder in front of all others sees that moment."""
    clean = {name: value for name, value in os.environ.items() if name != "GOMP_SPINCOUNT"}
    environment = clean | ({} if before is None else {"GOMP_SPINCOUNT": before})
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == [then]
