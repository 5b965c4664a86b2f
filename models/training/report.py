"""What a finished run leaves behind: its weights, and a record of how good they are and how made."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from models.preprocessing import CIFAR10_MEAN, CIFAR10_STD
from models.training.loop import Run, accuracy
from models.training.pictures import Pictures
from models.training.recipes import Recipe

__all__ = ["measured", "write"]

_OTHER_SIDES = (32, 64, 96, 128)  # sizes at which nets of any size are measured as well


def measured(run: Run, recipe: Recipe, pictures: Pictures, *, seed: int) -> dict[str, Any]:
    """Return the record of a run: its accuracy on every test picture, in float32, and how it came to be."""
    sides = sorted({recipe.input_side, *(_OTHER_SIDES if len(recipe.sizes) > 1 else ())})
    shares = {side: accuracy(run.net, pictures.test, pictures.test_labels, side=side) for side in sides}
    return {
        "accuracy": shares[recipe.input_side],
        "accuracy_by_side": {str(side): share for side, share in shares.items()},
        "test_pictures": len(pictures.test),
        "input_side": recipe.input_side,
        "mean": list(CIFAR10_MEAN),
        "std": list(CIFAR10_STD),
        "classes": list(pictures.classes),
        "parameters": sum(value.numel() for value in run.net.parameters()),
        "data": pictures.origin,
        "training_pictures": len(pictures.train),
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
