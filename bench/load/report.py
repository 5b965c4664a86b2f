"""What was found, as numbers by name, and as a table for ``bench/RESULTS.md``."""

from collections.abc import Sequence
from dataclasses import asdict
from statistics import mean, median
from typing import Any

from bench.load.crowd import Found
from bench.load.oracle import Checks
from bench.load.plan import Plan
from bench.load.visitor import Visitor

HEAD = (
    "| visitors | picks | median ms | 95th percentile ms | longest ms | slowest visitor to fastest "
    "| kB over HTTP, websocket | answers checked, wrong | failed | processor s: server, tool |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def summary(plan: Plan, found: Found, checks: Checks) -> dict[str, Any]:
    """Everything of one measurement, ready for JSON; times in milliseconds, sizes in bytes."""
    picks = [pick for visitor in found.visitors for pick in visitor.picks]
    runs = [1000 * run for visitor in found.visitors for run in visitor.run_seconds]
    medians = [1000 * median(times) for each in _on(found, slow=False) if (times := _times(each))]
    return {
        "plan": asdict(plan),
        "seconds": round(found.seconds, 2),
        "wait_ms": _spread([1000 * time for each in _on(found, slow=False) for time in _times(each)]),
        "wait_on_slow_lines_ms": _spread(
            [1000 * time for each in _on(found, slow=True) for time in _times(each)]
        ),
        "medians_of_visitors_ms": sorted(round(each, 2) for each in medians),
        "slowest_to_fastest": round(max(medians) / min(medians), 2) if medians else None,
        "script_runs_ms": _spread(runs),
        "bytes_of_a_pick": {
            "http": round(mean([pick.http for pick in picks] or [0])),
            "websocket": round(mean([pick.websocket for pick in picks] or [0])),
        },
        "checked": asdict(checks),
        "failures": dict(found.failures),
        "processor_seconds": {
            "server": found.server if found.server is None else round(found.server, 2),
            "tool": round(found.tool, 2),
        },
    }


def row(plan: Plan, numbers: dict[str, Any]) -> str:
    """One measurement as a row of the table; goals stand in brackets."""
    wait, size, taken = numbers["wait_ms"], numbers["bytes_of_a_pick"], numbers["processor_seconds"]
    middle, tail, apart = plan.goals or (None, None, None)
    checked = sum(count for name, count in numbers["checked"].items() if name != "differ")
    said = (
        _who(plan),
        f"{wait['picks']:,}",
        _beside(wait["median"], middle),
        _beside(wait["percentile_95"], tail),
        _beside(wait["longest"], None),
        _beside(numbers["slowest_to_fastest"], apart),
        f"{size['http'] / 1000:.1f}, {size['websocket'] / 1000:.1f}",
        f"{checked:,}, {len(numbers['checked']['differ'])}",
        ", ".join(f"{kind}: {count}" for kind, count in numbers["failures"].items()) or "0",
        f"{'–' if taken['server'] is None else taken['server']}, {taken['tool']}",
    )
    return f"| {' | '.join(said)} |"


def percentile(waits: Sequence[float], share: float = 0.95) -> float:
    """The wait that this share of them does not exceed."""
    return sorted(waits)[max(0, -int(-share * len(waits) // 1) - 1)]


def _spread(waits: Sequence[float]) -> dict[str, Any]:
    if not waits:
        return {"picks": 0, "median": None, "percentile_95": None, "longest": None}
    return {
        "picks": len(waits),
        "median": round(median(waits), 2),
        "percentile_95": round(percentile(waits), 2),
        "longest": round(max(waits), 2),
    }


def _on(found: Found, *, slow: bool) -> list[Visitor]:
    """The visitors on slow lines, or all others."""
    return [visitor for visitor in found.visitors if visitor.is_slow == slow]


def _times(visitor: Visitor) -> list[float]:
    return [pick.seconds for pick in visitor.picks]


def _who(plan: Plan) -> str:
    said = f"{plan.visitors}, a pick every {plan.every:g} s, {plan.model}"
    slow = f", {plan.slow} on slow lines left out of the times" if plan.slow else ""
    whole = ", all that a page fetches" if plan.whole_page else ""
    return said + slow + whole + (", each with a run of the script" if plan.script_runs else "")


def _beside(number: float | None, goal: float | None) -> str:
    said = "–" if number is None else f"{number:.1f}"
    return said if goal is None else f"{said} (≤ {goal:g})"
