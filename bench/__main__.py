"""Runs all measurements; writes ``bench/RESULTS.md``, adds to ``bench/history.jsonl``: ``make bench``."""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import torch

from bench import results

HERE = Path(__file__).parent
RESULTS, HISTORY = HERE / "RESULTS.md", HERE / "history.jsonl"
SCRIPTS = {
    "mosaic.py": "Drawing a layer",
    "colours.py": "Maps that an eye can read, by their colours",
    "capture.py": "Capturing a layer",
    "ablation.py": "Removing each channel of a layer",
    "start.py": "A start, from the command to the first maps",
    "page.py": "The page, timed inside a real Chromium",
    "room.py": "How much of their room the maps fill",
    "bystander.py": "One visitor beside another who does heavy things without a pause",
    "batching.py": "Pictures of one model in a batch",
    "exemplars.py": "What excites each channel, of all pictures of a folder",
    "visualised.py": "How soon an optimised picture excites its channel more than 1,000 pictures do",
    "load": "Many visitors at a time, each with a photo of their own",
}


def measured(script: str) -> str:
    """Return a measurement's standard output; its standard error goes to the terminal."""
    done = subprocess.run(
        [sys.executable, HERE / script], cwd=HERE.parent, stdout=subprocess.PIPE, check=True, text=True
    )
    return done.stdout.strip()


def machine() -> str:
    """Return one line on the day, the machine and the versions."""
    day = datetime.now(UTC).date().isoformat()
    return (
        f"Measured on {day}: {os.cpu_count()} cores ({platform.machine()}), "
        f"Python {platform.python_version()}, PyTorch {torch.__version__.split('+')[0]}, no GPU in use."
    )


def main() -> None:
    """Write each section's table as soon as it is measured.

    Sections that are not measured here stay as they are.
    """
    text, commit, found = RESULTS.read_text("utf-8"), results.commit(), {}
    for script, title in SCRIPTS.items():
        print(f"{title} ...", flush=True)
        found[title] = measured(script)
        text = results.replaced(text, title, f"{machine()}\n\n{results.stamped(found[title], commit)}")
        RESULTS.write_text(results.marked(text, results.age), "utf-8")
    about = {"date": datetime.now(UTC).date().isoformat(), "commit": commit, "machine": machine()}
    results.append(HISTORY, about, found)


if __name__ == "__main__":
    main()
