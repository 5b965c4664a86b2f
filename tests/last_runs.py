"""Records of the last runs of tests that a slow machine has no time for in CI."""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
RECORDS = Path(__file__).with_suffix(".json")
MOST_COMMITS = 100  # since a run; then it has to be made again


def record(name: str, cases: int, seconds: float) -> None:
    """Write which commit has passed these tests, when, how many cases there were and what they took."""
    run = {
        "commit": _git("rev-parse", "HEAD"),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cases": cases,
        "minutes": round(seconds / 60, 1),
    }
    RECORDS.write_text(json.dumps(recorded() | {name: run}, indent=1) + "\n", encoding="utf-8")


def recorded() -> dict[str, dict[str, str]]:
    """Return the last run of each kind of tests, by name."""
    return json.loads(RECORDS.read_text(encoding="utf-8")) if RECORDS.exists() else {}


def commits_since(name: str) -> int | None:
    """Return how many commits there are since a run; None where there is no history to count.

    A commit that was written anew has another name: then those with a later date count.
    """
    run = recorded()[name]
    since = (f"{run['commit']}..HEAD",), (f"--since={run['date']}", "HEAD")
    counted = next(filter(None, (_git("rev-list", "--count", *each) for each in since)), "")
    return int(counted) if counted else None


def _git(*words: str) -> str:
    """Return what git prints; nothing where there is no repository, or git does not know the commit."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
