"""Waits of a crowd without browsers, and a check of its answers.

Run it as ``python bench/load``; without options it measures 30 visitors and then 100, and prints
rows for ``bench/RESULTS.md``. Each visitor has a page with a websocket, an uploaded photo and two HTTP
connections. A wait begins with the click and ends with the last byte of the layer's facts and mosaic, which
are asked for at once, as the browser does. Once nobody measures any more, what came is compared with
PyTorch's own numbers: of every pick the smallest and the largest, of some a channel and all colours.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.load.crowd import crowd
from bench.load.oracle import check
from bench.load.plan import PRESETS, USUAL, Plan
from bench.load.report import HEAD, class_report, row, summary
from bench.load.watched import Watch, watched


def measured(plan: Plan, url: str | None) -> dict[str, Any]:
    """Return the numbers of one crowd, at a fresh or running server."""
    with server(url, plan) as (address, watch):
        found = asyncio.run(crowd(address, plan, watch))
        if watch:
            watch.count_hooks(address)
    return summary(plan, found, check(found.visitors, plan.model, plan.weights), watch)


@contextmanager
def server(url: str | None, plan: Plan) -> Iterator[tuple[str, Watch | None]]:
    """Yield the address of the server to measure, and its watch.

    The watch is None for a server that runs already.
    """
    if url:
        yield url.rstrip("/"), None
        return
    with watched({"LAYERGLASS_VALUES_MB": str(plan.values)} if plan.values else {}) as found:
        yield found


def plans(asked: argparse.Namespace) -> list[Plan]:
    """Return the requested plans, with the options applied to each."""
    names = [field.name for field in fields(Plan)]
    said: dict[str, Any] = {
        name: value for name, value in vars(asked).items() if name in names and value is not None
    }
    is_own = {"visitors", "every"} & said.keys()
    chosen = [PRESETS[name] for name in asked.preset or ([] if is_own else USUAL)] or [Plan()]
    return [replace(plan, **said) for plan in chosen]


def arguments() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python bench/load", description=__doc__)
    preset = "class: 30 every 2 s; hall: 100 every 3 s; taught, taught-hall: the same in a class"
    parser.add_argument("--preset", nargs="+", choices=PRESETS, help=preset)
    parser.add_argument("--url", help="a server that runs already; otherwise one is started for each crowd")
    parser.add_argument("--visitors", type=int, help="how many")
    parser.add_argument("--every", type=float, help="seconds between two picks of a visitor, in the mean")
    parser.add_argument("--seconds", type=float, help="how long they pick")
    parser.add_argument("--model", help="the model that all look at")
    parser.add_argument("--weights", choices=["random", "pretrained"])
    parser.add_argument(
        "--script-runs", action="store_true", default=None, help="each pick runs the page's script, too"
    )
    parser.add_argument("--slow-share", type=float, help="share of visitors with 1.6 Mbit/s and 150 ms delay")
    parser.add_argument(
        "--check-share", type=float, help="share of picks whose channel and colours are checked"
    )
    parser.add_argument(
        "--whole-page", action="store_true", default=None, help="fetch all else that the browser does, too"
    )
    parser.add_argument("--values", type=int, help="megabytes that the server keeps of captured values")
    parser.add_argument("--seed", type=int, help="of photos, picks and think times")
    parser.add_argument("--json", action="store_true", help="all numbers, one line for each crowd")
    return parser


def main() -> int:
    """Print a row for each crowd; return 1 for wrong answers."""
    asked, wrong = arguments().parse_args(), False
    if not asked.json:
        print(HEAD, flush=True)
    for plan in plans(asked):
        numbers = measured(plan, asked.url)
        print(json.dumps(numbers) if asked.json else row(plan, numbers), flush=True)
        if not asked.json and plan.taught:
            print(class_report(numbers), flush=True)
        for difference in numbers["checked"]["differ"][:20]:
            print(f"wrong: {difference}", file=sys.stderr)
        wrong |= bool(numbers["checked"]["differ"])
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
