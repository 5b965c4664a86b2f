"""Train a bundled net: ``python -m models.training lenet --data PATH``."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .loop import train
from .pictures import read_pictures
from .recipes import RECIPES
from .report import measured, write
from .signals import generated_signals

_WEIGHTS = Path(__file__).parents[1] / "weights"


def main(arguments: Sequence[str] | None = None) -> None:
    """Train one net, measure it, and write its weights and record."""
    options = _options(arguments)
    recipe = RECIPES[options.net]
    if options.epochs:
        recipe = replace(recipe, epochs=options.epochs)
    examples = generated_signals() if options.net == "signalnet" else read_pictures(options.data)
    run = train(
        recipe, examples, seed=options.seed, checkpoint=options.checkpoint or Path(f"out/{options.net}.pt")
    )
    record = measured(run, recipe, examples, seed=options.seed)
    write(run, record, name=options.net, folder=options.out)
    print(
        f"{options.net}: {record['accuracy']:.2%} of {record['test_examples']} test examples; {options.out}"
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m models.training", description=__doc__)
    parser.add_argument("net", choices=sorted(RECIPES))
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("data"),
        help="an .npz of JPEG files, or the folder of torchvision's CIFAR-10 (default: data)",
    )
    parser.add_argument("--epochs", type=int, help="instead of the recipe's number")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--checkpoint", type=Path, help="where the run can be taken up again (default: out/NET.pt)"
    )
    parser.add_argument("--out", type=Path, default=_WEIGHTS, help="folder for the weights and their record")
    options = parser.parse_args(arguments)
    if options.data.suffix == ".npz" and not options.data.exists():
        parser.error(f"there is no {options.data}")
    return options


if __name__ == "__main__":
    main()
