"""``layers``: its arguments and its steps."""

import argparse
import sys
from shutil import get_terminal_size

from ...catalogue import models
from .subject import OWN, activations, add_weights, load_subject, settle, tried_out


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Print every layer: its name, type, parameters, calls, and the shapes of its outputs."
    )
    parser.set_defaults(command=print_layers, name=parser.prog)
    parser.add_argument("model", metavar="MODEL", help=f"such as lenet or resnet50, or {OWN}")
    parser.add_argument("--json", action="store_true", help="a list of objects instead of a table")
    add_weights(parser, "random")


def print_layers(options: argparse.Namespace) -> None:
    """Print a model's layers, from one pass on a plain grey picture."""
    from ...passes.forward import survey_subject
    from ..layers import layer_layouts, layers_json, layers_tree

    settle(options)
    subject = load_subject(options.model, options.weights)
    layers, own = activations(subject), options.model == models.own_model_name()
    rows = tried_out(layers, subject, options.model) if own else survey_subject(layers, subject)
    layouts = layer_layouts(layers, subject, rows)
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    print(layers_json(rows, layouts) if options.json else layers_tree(rows, layouts, width))
