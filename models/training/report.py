"""Files of a finished run: its weights and its record."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from .examples import Examples
from .loop import Run, accuracy
from .recipes import Recipe

__all__ = ["measured", "write"]

_OTHER_SIDES = (32, 48, 64)  # sizes at which nets of any size are measured as well


def measured(run: Run, recipe: Recipe, examples: Examples, *, seed: int) -> dict[str, Any]:
    """Return a run's record: its accuracy and its making.

    The accuracy is of every test example, in float32.
    """
    sides = sorted({recipe.input_side, *(_OTHER_SIDES if len(recipe.sizes) > 1 else ())})
    shares = {side: accuracy(run.net, examples, side=side) for side in sides}
    return {
        "accuracy": shares[recipe.input_side],
        "accuracy_by_side": {str(side): share for side, share in shares.items()},
        "test_examples": len(examples.test),
        "input_side": recipe.input_side,
        "classes": list(examples.classes),
        "parameters": sum(value.numel() for value in run.net.parameters()),
        "data": examples.origin,
        "training_examples": len(examples.train),
        "epochs": run.epoch,
        "seconds": round(run.seconds),
        "seed": seed,
        "date": datetime.now(UTC).date().isoformat(),
        "torch": torch.__version__,
    }


def write(run: Run, record: dict[str, Any], *, name: str, folder: Path) -> None:
    """Write ``<name>.safetensors`` and ``<name>.json`` into ``folder``, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {key: value.contiguous() for key, value in run.net.state_dict().items()}
    partial = folder / f"{name}.safetensors.part"
    save_file(weights, partial)
    partial.replace(folder / f"{name}.safetensors")
    partial = folder / f"{name}.json.part"
    partial.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    partial.replace(folder / f"{name}.json")
