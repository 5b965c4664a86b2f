"""Cost of each known attack: time, memory and another visitor's waits.

``python bench/hostile.py`` attacks this checkout's server; ``--checkout PATH`` attacks another one's, such as
one from before a fix. Each attack gets a fresh server, and a visitor who keeps looking at LeNet's layers.
Memory is the peak of the server and its processes together, minus what they had before.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser import serving as servers
from tests.hostile.attacks import ATTACKS, measured


@contextmanager
def attacked(checkout: Path) -> Iterator[tuple[str, int]]:
    """The address of a fresh server of a checkout, and its process."""
    servers.ROOT = checkout
    started: list[int] = []
    plain = servers.subprocess.Popen

    def noted(*args: object, **options: object) -> object:
        process = plain(*args, **options)  # type: ignore[call-overload]
        started.append(process.pid)
        return process

    servers.subprocess.Popen = noted  # type: ignore[assignment,misc]
    with tempfile.TemporaryDirectory() as home:
        try:
            with servers.serving(Path(home)) as address:
                yield address, started[0]
        except (RuntimeError, servers.subprocess.TimeoutExpired) as error:
            print(f"the server did not end well: {str(error)[:200]}", file=sys.stderr)
            for process in started:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        finally:
            servers.subprocess.Popen = plain  # type: ignore[misc]


def main() -> None:
    """Print a row for each attack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkout", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--only", default="")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    os.environ.setdefault("PYTHONPATH", str(asked.checkout))
    rows = []
    for name, attack in ATTACKS.items():
        if asked.only in name:
            with attacked(asked.checkout) as (address, process):
                found = {"attack": name} | measured(attack, address, process)
            rows.append(found)
            print(json.dumps(found) if asked.json else found, flush=True)


if __name__ == "__main__":
    main()
