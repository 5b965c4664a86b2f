"""Report of results, as numbers and a table for ``bench/RESULTS.md``."""

from collections.abc import Sequence
from dataclasses import asdict
from statistics import mean, median
from typing import Any

from bench.load.crowd import CrowdResult
from bench.load.oracle import Checks
from bench.load.plan import Plan
from bench.load.student import Student
from bench.load.visitor import Visitor
from bench.load.watched import Watch

HEAD = (
    "| visitors | picks | median ms | 95th percentile ms | longest ms | slowest visitor to fastest "
    "| kB over HTTP, websocket | answers checked, wrong | failed | processor s: server, tool |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def summary(plan: Plan, found: CrowdResult, checks: Checks, watch: Watch | None = None) -> dict[str, Any]:
    """Return all results of one measurement, ready for JSON.

    Times are in milliseconds, sizes in bytes.
    """
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
        "class": _of_class(found) if found.teacher else None,
        "memory": _memory(watch) if watch and watch.memory else None,
        "left": {"modules": watch.modules, "hooks": watch.hooks} if watch else None,
    }


def class_report(numbers: dict[str, Any]) -> str:
    """Return further results of a class, in sentences."""
    taught, memory, left = numbers["class"], numbers["memory"], numbers["left"]
    followed = taught["followed_ms"]
    waited = f"median {followed['median']} ms, 95th percentile {followed['percentile_95']} ms"
    answers = f"{taught['answers_given']} answers, of which the teacher heard {taught['answers_heard']}"
    said = [
        f"The teacher showed {taught['looks']} layers.",
        f"{followed['picks']:,} times a follower fetched one: {waited} after the event.",
        f"{taught['edited']} picks were under an edit of the student's own.",
        f"{taught['questions']} questions; those that were revealed had {answers}.",
    ]
    if memory:
        said.append(
            f"All processes together held {', '.join(map(str, memory['minutes_mb']))} MB in each minute's "
            f"median, {memory['end_mb']} MB at the end, {memory['most_mb']} MB at most."
        )
    if left:
        said.append(f"{left['hooks']} hooks were left on {left['modules']} modules of nets.")
    return "\n".join(said)


def _of_class(found: CrowdResult) -> dict[str, Any]:
    """Return counts of a class besides picks: looks, edits, questions, answers."""
    students = [each for each in found.visitors if isinstance(each, Student)]
    revealed = set(found.teacher.answers) if found.teacher else set[int]()
    return {
        "looks": found.teacher.looks if found.teacher else 0,
        "followed_ms": _spread([1000 * pick.seconds for each in students for pick in each.followed]),
        "edited": sum(each.edited for each in students),
        "questions": found.teacher.asked if found.teacher else 0,
        "answers_given": sum(len(each.answered & revealed) for each in students),
        "answers_heard": sum(found.teacher.answers.values()) if found.teacher else 0,
    }


def _memory(watch: Watch) -> dict[str, Any]:
    """Megabytes: the median of each minute, at the end, and at most."""
    begun, minutes = watch.memory[0][0], dict[int, list[int]]()
    for at, held in watch.memory:
        minutes.setdefault(int((at - begun) // 60), []).append(held)
    return {
        "minutes_mb": [round(median(held) / 1e6) for held in minutes.values()],
        "end_mb": round(watch.memory[-1][1] / 1e6),
        "most_mb": round(max(held for _, held in watch.memory) / 1e6),
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


def _on(found: CrowdResult, *, slow: bool) -> list[Visitor]:
    """The visitors on slow lines, or all others."""
    return [visitor for visitor in found.visitors if visitor.is_slow == slow]


def _times(visitor: Visitor) -> list[float]:
    return [pick.seconds for pick in visitor.picks]


def _who(plan: Plan) -> str:
    said = f"{plan.visitors}, a pick every {plan.every:g} s, {plan.model}"
    slow = f", {plan.slow} on slow lines left out of the times" if plan.slow else ""
    whole = ", all that a page fetches" if plan.whole_page else ""
    said += ", taught" if plan.taught else ""
    return said + slow + whole + (", each with a run of the script" if plan.script_runs else "")


def _beside(number: float | None, goal: float | None) -> str:
    said = "–" if number is None else f"{number:.1f}"
    return said if goal is None else f"{said} (≤ {goal:g})"
