"""``graph``: its arguments and its steps."""

import argparse
import sys

from msgspec import UNSET

from ...answers.message import as_json
from ...answers.views.graph import GraphFacts
from ...catalogue import models
from ...maps.graph.drawing import graph_page, graph_svg
from ...maps.graph.folding import MOST
from ...pictures.samples import sample_names
from ..files import SAMPLE, checked_target, picture, say, write_whole
from .subject import OWN, activations, add_weights, load_subject, settle, weights_said

FORMS = ("json", "svg", "html")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Write a model as a graph, from one pass: every call of every layer, operations without a layer, and "
        "which of them takes in what another returned."
    )
    parser.set_defaults(command=write_graph, name=parser.prog)
    parser.add_argument("model", metavar="MODEL", help=f"such as lenet or resnet50, or {OWN}")
    samples = ", ".join(sample_names())
    parser.add_argument(
        "image",
        metavar="IMAGE",
        nargs="?",
        help=f"a picture file, or {SAMPLE}NAME with NAME one of {samples} (default: plain grey)",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="graph.json: nodes and edges; graph.svg: a drawing; graph.html: a page with it; -: JSON to "
        "standard output",
    )
    parser.add_argument(
        "--depth",
        type=_depth,
        metavar="N",
        help=f"draw layers so many levels deep, from 1 (default: as deep as {MOST} boxes allow)",
    )
    add_weights(parser, "random")


def write_graph(options: argparse.Namespace) -> None:
    """Write a model's graph into a file, after cheap checks."""
    from ...dataflow.tracing import model_graph
    from ...passes.forward import BLANK

    path, form = checked_target(options.out, FORMS)
    settle(options)
    models.describe(options.model)
    image = picture(options.image).image if options.image else BLANK
    subject = load_subject(options.model, options.weights)
    graph = model_graph(activations(subject), *subject.arguments(image))
    write_whole(path, _file(graph, form, f"{options.model} ({weights_said(options)})", options.depth))
    counts = f"{len(graph.nodes)} nodes, {len(graph.edges)} edges"
    say(path, f"{path}: graph of {options.model} ({weights_said(options)}), {counts}")
    for node in graph.nodes:
        if node.error is not UNSET:
            print(f"the pass failed at {node.name}: {node.error}", file=sys.stderr)


def _file(graph: GraphFacts, form: str, title: str, depth: int | None) -> bytes:
    if form == "json":
        return as_json(graph) + b"\n"
    return (graph_svg if form == "svg" else graph_page)(graph, title, depth).encode()


def _depth(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of levels from 1")
    return int(text)
