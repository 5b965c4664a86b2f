"""Cells of whole models, drawn at random and explained: how many are, and what becomes of the others.

``python -m tests.viz.number.arithmetic.sampled_cells NAME…`` prints it for models of the catalogue.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

import models
from viz import LayerActivations
from viz.hooks.records import Call
from viz.hooks.values.structure import leaves
from viz.number.arithmetic import explain
from viz.number.taken import outermost

CELLS = 4  # of each tensor of each call

# Of many families; small ones of each. timm's are left out where it is not installed.
NAMES = (
    *("alexnet", "squeezenet1_1", "vgg11_bn", "resnet18", "mobilenet_v2", "mobilenet_v3_small"),
    *("shufflenet_v2_x0_5", "mnasnet0_5", "efficientnet_b0", "regnet_y_400mf", "googlenet", "densenet121"),
    *("convnext_tiny", "swin_v2_t", "vit_b_32", "lraspp_mobilenet_v3_large"),
    *("timm/resnet10t", "timm/nf_regnet_b0", "timm/test_vit", "timm/test_nfnet", "timm/test_efficientnet"),
    *("timm/test_convnext2", "timm/test_byobnet", "timm/tf_efficientnet_lite0", "timm/resnetv2_50x1_bit"),
    *("timm/mobilevit_xxs", "timm/convnextv2_atto", "timm/levit_128s", "timm/resmlp_12_224"),
    *("timm/xcit_nano_12_p16_224", "timm/poolformer_s12", "timm/coat_tiny"),
)


@dataclass
class Findings:
    """Outcomes of the cells of a model.

    Attributes:
        cells: how many there were, of layers in which no other one ran, or which are explained themselves.
        unexplained: how many of these had a reason instead, by the layer's class.
        disagree: (layer, text) of each that disagrees with its own number.
        astray: (layer, reason) of each whose sentence names a layer that did not run.
    """

    cells: int = 0
    unexplained: Counter[str] = field(default_factory=Counter)
    disagree: list[tuple[str, str]] = field(default_factory=list)
    astray: list[tuple[str, str]] = field(default_factory=list)


def findings(name: str) -> Findings:
    """Return what becomes of cells of every layer of a model, with weights and a picture from a seed."""
    draws = torch.Generator().manual_seed(7)
    model = models.load(name, "random")
    _draw_weights(model, draws)
    layers = LayerActivations(model, "cpu")
    with layers.capture(inputs=True) as record:
        layers.run(torch.rand(1, *_input_shape(model), generator=draws))
    ran = [name for name, calls in record.items() if len(calls)]
    found = Findings()
    for layer, calls in record.items():
        for call in calls:
            _explain(layers, layer, call, ran, found, draws)
    return found


def _explain(
    layers: LayerActivations, layer: str, call: Call, ran: list[str], found: Findings, draws: torch.Generator
) -> None:
    module = layers.module(layer)
    inside = outermost(layers, module, [name for name in ran if name.startswith(f"{layer}.")])
    for path, output in leaves(call.output).items():
        for cell in _cells(output, draws):
            each = explain(
                module, call.inputs or (), output, cell, keywords=call.keywords, leaf=path, ran=inside
            )
            if each.explained:
                found.cells += 1
                found.disagree += [] if each.agrees else [(layer, f"{each.text} ({each.difference})")]
            elif not inside:
                found.cells += 1
                found.unexplained[type(module).__name__] += 1
            else:
                named = each.reason.partition("one by one: ")[2].rstrip(".").split(", ")
                lost = [one for one in named if "…" not in one and f"{layer}.{one}" not in ran]
                found.astray += [(layer, str(each.reason))] if lost or not named[0] else []


def _cells(output: torch.Tensor, draws: torch.Generator) -> Iterator[tuple[int, ...]]:
    for _ in range(CELLS if output.numel() else 0):
        yield tuple(int(torch.randint(length, (), generator=draws)) for length in output.shape)


def _draw_weights(model: nn.Module, draws: torch.Generator) -> None:
    """Give constants other values, so that a factor of 1 or a sum with 0 that is forgotten shows."""
    for name, weight in (*model.named_parameters(), *model.named_buffers()):
        if weight.is_floating_point() and weight.numel() and bool(weight.min() == weight.max()):
            drawn = torch.rand(weight.shape, generator=draws)
            weight.data = drawn + 0.5 if "bias" not in name and "mean" not in name else drawn - 0.5


def _input_shape(model: Any) -> tuple[int, int, int]:
    side = getattr(model, "image_size", 64)
    known: tuple[int, int, int] = getattr(model, "default_cfg", {}).get("input_size", (3, side, side))
    return known


def main(names: list[str]) -> None:
    """Print the findings of each model and their sum."""
    cells, unexplained = 0, Counter[str]()
    for name in names or NAMES:
        found = findings(name)
        cells, unexplained = cells + found.cells, unexplained + found.unexplained
        wrong = found.disagree[:3] + found.astray[:3]
        sys.stdout.write(
            f"{name}: {found.cells} cells, unexplained {dict(found.unexplained)}, wrong {wrong}\n"
        )
        sys.stdout.flush()
    sys.stdout.write(f"{cells:,} cells, {unexplained.total():,} unexplained: {dict(unexplained)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
