"""The evidence of every reason in real models, against calls that are counted in another way.

Here ``nn.Module.__call__`` and the ``forward`` of each layer are replaced by plain functions that count. A
layer that is not used may have any weights: with NaN in them, the model returns the same. Where other code
takes a layer's weights, it returns NaN.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from torch import nn

from tests.viz.subjects import photo
from viz.commands.layer_outcomes import layer_outcomes
from viz.commands.line.subject import load_subject
from viz.hooks.activations import LayerActivations
from viz.hooks.values.structure import leaves
from viz.passes.forward import BLANK, survey_subject
from viz.pictures.subject import Subject
from viz.profile.rows import LayerRow

pytestmark = [pytest.mark.slow, pytest.mark.models]

TIMM = (
    "caformer_s18 davit_tiny fastvit_t8 hrnet_w18_small pit_ti_224 poolformerv2_s12 test_coatnet "
    "test_efficientnet test_vit test_vit_relpos twins_svt_small xcit_nano_12_p8_224"
)
TORCHVISION = (
    "efficientnet_b0 fasterrcnn_mobilenet_v3_large_320_fpn googlenet quantized_mobilenet_v2 "
    "quantized_shufflenet_v2_x0_5 raft_small shufflenet_v2_x0_5 ssdlite320_mobilenet_v3_large swin_t vit_b_32"
)
NAMES = (*(f"timm/{name}" for name in TIMM.split()), *TORCHVISION.split())


@dataclass
class Counted:
    """Counts of the calls of layers, and of the runs of their ``forward``, by their id."""

    calls: Counter[int] = field(default_factory=Counter)
    forwards: Counter[int] = field(default_factory=Counter)


@contextmanager
def counting(model: nn.Module) -> Iterator[Counted]:
    """Count in a plain way what is called inside a block."""
    found, call, replaced = Counted(), nn.Module.__call__, []

    def counted_call(layer: nn.Module, *args: Any, **kwargs: Any) -> Any:
        found.calls[id(layer)] += 1
        return call(layer, *args, **kwargs)

    def counted_forward(layer: nn.Module, plain: Any) -> Any:
        def forward(*args: Any, **kwargs: Any) -> Any:
            found.forwards[id(layer)] += 1
            return plain(*args, **kwargs)

        return forward

    try:
        nn.Module.__call__ = counted_call
        for layer in model.modules():
            if not isinstance(layer, torch.jit.ScriptModule):
                vars(layer)["forward"] = counted_forward(layer, layer.forward)
                replaced.append(layer)
        yield found
    finally:
        nn.Module.__call__ = call
        for layer in replaced:
            del vars(layer)["forward"]


def root(row: LayerRow) -> Any:
    """The sentence about the outermost layer that did not run, if the row's is one about a part of it."""
    said = row.reason
    while "it is part of" in said.english:
        said = said.values["reason"]
    return said


def check(row: LayerRow, model: nn.Module, counted: Counted) -> None:
    """Compare one reason with what was counted."""
    layer = model.get_submodule(row.name)
    calls, forwards = counted.calls[id(layer)], counted.forwards[id(layer)]
    if row.evidence == "scripted":
        assert isinstance(layer, torch.jit.ScriptModule)
        return
    assert calls == 0
    if row.evidence == "direct":
        method, count = root(row).values["method"], root(row).values["count"]
        assert forwards == count if method == "forward" else callable(getattr(layer, method))
        return
    assert forwards == 0
    if row.evidence == "holder":
        assert type(layer).forward is nn.Module.forward
    elif row.evidence in {"parts", "uncalled", "training"}:
        named = root(row).values.get("layer", "")
        ran = counted.forwards[id(model.get_submodule(named))]
        assert ran == root(row).values.get("count", ran) > 0
    else:
        assert row.evidence == "weight"


def returned(layers: LayerActivations, subject: Subject) -> list[torch.Tensor]:
    """Every tensor that the model returns."""
    torch.manual_seed(0)
    return list(leaves(layers.run(*subject.arguments(BLANK))).values())


def poison(model: nn.Module, row: LayerRow) -> None:
    """Make the weights of a layer without layers inside it useless."""
    with torch.no_grad():
        for weight in model.get_submodule(row.name).parameters(recurse=False):
            weight.fill_(torch.nan)


@pytest.mark.parametrize("name", NAMES)
def test_the_evidence_of_every_reason_is_what_happened(name: str) -> None:
    """No reason is false, none is missing, and the pass without the survey is the same."""
    if name.startswith("timm/"):
        pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
    subject = load_subject(name, "random")
    layers = LayerActivations(subject.module, device="cpu")
    before = returned(layers, subject)
    silent = [row for row in survey_subject(layers, subject) if not row.calls]
    assert silent
    with counting(layers.model) as counted:
        layers.run(*subject.arguments(BLANK))
    for row in silent:
        check(row, layers.model, counted)
    if len({id(weight) for weight in layers.model.parameters()}) == len(list(all_weights(layers.model))):
        for row in silent:
            if row.evidence in {"uncalled", "training"}:
                poison(layers.model, row)
    for old, new in zip(before, returned(layers, subject), strict=True):
        assert torch.equal(old, new)
    used = [row for row in silent if row.evidence == "weight"]
    for row in used:
        poison(layers.model, row)
    assert bool(used) == any(value.isnan().any() for value in returned(layers, subject))


def all_weights(model: nn.Module) -> Iterator[nn.Parameter]:
    """Every weight, once for each layer that has it."""
    for layer in model.modules():
        yield from layer.parameters(recurse=False)


@pytest.mark.parametrize("name", ["timm/test_vit", "quantized_shufflenet_v2_x0_5", "shufflenet_v2_x0_5"])
def test_a_sweep_counts_every_layer_once(name: str) -> None:
    """Drawn, or explained by some kind of evidence; none failed."""
    subject = load_subject(name, "random")
    found = layer_outcomes(LayerActivations(subject.module, device="cpu"), subject, photo(0))
    assert found.failures == ()
    assert found.layers == found.drawn + found.explained
    assert sum(found.evidence.values()) == found.explained > 0
