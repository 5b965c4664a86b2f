"""Costs of the main paths, in counts independent of a machine's load.

Run it as ``python -m bench.counts``: it compares passes, hooks, bytes, calls of functions and room changes
with the committed ones, in ``bench/counts.json``, and exits with 1 if one has grown by a fifth. A change that
means to take more runs it with ``--update``, and says why in its commit.
"""

import argparse
import json
import sys
from pathlib import Path

from bench.counts.comparison import Counts, pairs, table
from bench.counts.pupils import passes_of_a_class
from bench.counts.walks import counted

COMMITTED = Path(__file__).parents[1] / "counts.json"


def main() -> int:
    """Print all counts beside the committed ones.

    Returns the exit status, 1 if one has grown.
    """
    parser = argparse.ArgumentParser(prog="python -m bench.counts", description=__doc__)
    parser.add_argument("--update", action="store_true", help=f"write {COMMITTED.name}")
    update = parser.parse_args().update
    before: Counts = json.loads(COMMITTED.read_text("utf-8")) if COMMITTED.exists() else {}
    now: Counts = {**counted(), "thirty picks of a class": {"passes": passes_of_a_class()}}
    found = pairs(before, now)
    print(table(found))
    if update:
        COMMITTED.write_text(json.dumps(now, indent=2) + "\n", "utf-8")
        return 0
    grown = [f"{each.way}: {each.what}" for each in found if each.has_grown]
    if grown:
        print(f"grown by a fifth or more: {'; '.join(grown)}", file=sys.stderr)
    return int(bool(grown))


if __name__ == "__main__":
    sys.exit(main())
