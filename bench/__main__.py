"""Runs every measurement and writes ``bench/RESULTS.md``: ``make bench``."""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import torch

HERE = Path(__file__).parent
SCRIPTS = {
    "mosaic.py": "Drawing a layer",
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
    """One line on the day, the machine and the versions of this measurement."""
    day = datetime.now(UTC).date().isoformat()
    return (
        f"Measured on {day}: {os.cpu_count()} cores ({platform.machine()}), "
        f"Python {platform.python_version()}, PyTorch {torch.__version__.split('+')[0]}, no GPU in use."
    )


def main() -> None:
    """Write the tables, section by section, as soon as they are measured."""
    parts = [
        "# Measurements",
        "Written by `make bench`. The machine was shared: compare ratios, each taken within one run.",
        machine(),
    ]
    for script, title in SCRIPTS.items():
        print(f"{title} ...", flush=True)
        parts += [f"## {title}", measured(script)]
    (HERE / "RESULTS.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
