"""An engine's work for a view's script."""

from typing import Any

from torch import nn
from torch.nn.modules.batchnorm import _NormBase  # of batch norms and InstanceNorms alike

from ..engine.task import Bench
from ..findings.leaves import chosen_leaf
from ..hooks.activations import LayerActivations
from ..hooks.values.norms import misread_gradients
from ..layer_names import is_operation
from ..passes.attribution import class_score
from ..request.inspection import Inspection
from .code_check import digest
from .edit_places import edit_places
from .overwriting import overwriting
from .script_facts import Facts, ScriptFacts, sides


def facts(task: Facts, bench: Bench) -> ScriptFacts:
    """Compute the facts for a view's script; raises as ``edit_places`` and ``chosen_leaf``."""
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    arguments = loaded.inputs.of(task.photo)
    shown = (
        chosen_leaf(bench.captured(side, task.photo, whole=False), side)[1].array
        for side in sides(task.wanted)
    )
    return ScriptFacts(
        tuple(map(digest, shown)),
        edit_places(loaded.layers, arguments, task.wanted.in_force, loaded.known(task.photo)),
        has_fused_attention(loaded.layers.model),
        is_overwritten(loaded.layers, arguments, task.wanted),
        meets_misread_norms(loaded.layers, arguments, task.wanted, task.wanted.layer),
    )


def is_overwritten(layers: LayerActivations, arguments: tuple[Any, ...], wanted: Inspection) -> bool:
    """Return whether the shown gradient is at memory that its layer overwrites."""
    if wanted.gradient is None or is_operation(wanted.layer):
        return False
    found = overwriting(layers, arguments, wanted.layer)
    return found.meets(wanted.layer, wanted.call, wanted.leaf or "output")


def meets_misread_norms(
    layers: LayerActivations, arguments: tuple[Any, ...], wanted: Inspection, back_to: str
) -> bool:
    """Return whether PyTorch alone misreads a gradient at a norm.

    The gradient goes back to the inputs of the layer ``back_to``. The empty name is the model's.
    """
    if wanted.gradient is None or not any(isinstance(layer, _NormBase) for layer in layers.model.modules()):
        return False
    with misread_gradients() as found, layers.capture(back_to, inputs=True, gradients=True):
        score = class_score(layers.run(*arguments), wanted.gradient)
        if score.requires_grad:
            score.backward()
    return bool(found)


def has_fused_attention(model: nn.Module) -> bool:
    """Return whether PyTorch may compute layers in one piece.

    It then passes by the hooks inside.
    """
    fused = (nn.MultiheadAttention, nn.TransformerEncoderLayer, nn.TransformerEncoder)
    return any(isinstance(layer, fused) for layer in model.modules())
