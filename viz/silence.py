"""Why a layer did not run: what can be told from the layer, its parent, and the parent's own code."""

import inspect
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import torch
from torch import nn

WEIGHT_ONLY = "its parent uses its weight directly and never calls it"
TRAINING_ONLY = "it is used only in training"
BYPASSED = "its forward() is called directly, which passes by every hook"
SCRIPTED = "it is compiled by TorchScript, which takes no hooks"
LIST = "a list of layers is never called itself, only the layers in it"
ONE_BY_ONE = "the layers in it are called one by one, not as a whole"
UNUSED = "the model has it but did not use it for this input"


def reason_for(name: str, model: nn.Module, layers: Mapping[str, nn.Module], ran: AbstractSet[str]) -> str:
    """Return in a few words why the layer ``name`` did not run, when the layers ``ran`` did.

    Args:
        name: the layer.
        model: the model that it is part of; it did run.
        layers: every layer by name.
        ran: the names of the layers that ran.
    """
    layer, (parent_name, _, own_name) = layers[name], name.rpartition(".")
    if _is_scripted(name, layers):
        return SCRIPTED
    if _has_no_forward(layer):
        return LIST
    parent = layers.get(parent_name, model)
    if parent_name and parent_name not in ran and not _passes_on_calls(parent):
        return f"it is part of {parent_name}, which did not run"
    return _reason_in_code(own_name, parent) or (
        ONE_BY_ONE if any(other.startswith(f"{name}.") for other in ran) else UNUSED
    )


def _reason_in_code(own_name: str, parent: nn.Module) -> str | None:
    """Return what the parent's code does with the layer instead of calling it, if it can be read."""
    if isinstance(parent, nn.MultiheadAttention) and own_name == "out_proj":
        return WEIGHT_ONLY
    code = _code_with(own_name, type(parent))
    used = rf"self\.{re.escape(own_name)}\b"
    if re.search(rf"{used}\s*\.forward\(", code):
        return BYPASSED
    if re.search(rf"{used}\s*\(", code):
        return TRAINING_ONLY if "self.training" in code else None
    return WEIGHT_ONLY if re.search(rf"{used}\s*\.weight\b", code) else None


def _code_with(own_name: str, parent: type) -> str:
    """Return the source of the parent's methods that mention the layer, other than the one that makes it."""
    sources = []
    for method in vars(parent).values():
        if inspect.isfunction(method) and method.__name__ != "__init__":
            try:
                sources.append(inspect.getsource(method))
            except (OSError, TypeError):  # typed at a prompt or made by a program: there is no source to read
                continue
    return "\n".join(source for source in sources if f"self.{own_name}" in source)


def _has_no_forward(layer: nn.Module) -> bool:
    return type(layer).forward is nn.Module.forward


def _passes_on_calls(layer: nn.Module) -> bool:
    """Return whether the layers inside may run although this one does not."""
    return _has_no_forward(layer) or isinstance(layer, nn.Sequential)


def _is_scripted(name: str, layers: Mapping[str, nn.Module]) -> bool:
    parts = name.split(".")
    around = [layers[".".join(parts[: end + 1])] for end in range(len(parts))]
    return any(isinstance(layer, torch.jit.ScriptModule) for layer in around)
