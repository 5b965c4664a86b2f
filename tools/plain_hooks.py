"""Outputs of every layer, cloned by plain forward hooks.

They are the yardstick for Layerglass's captures.

Nothing here goes by way of ``viz.hooks``, also not to find the tensors in what a layer returns.
"""

import contextlib
import copy
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from viz.commands.soundness import Comparison
from viz.hooks.activations import LayerActivations

SEED = 0
_OPAQUE = (str, bytes, nn.Module, ModuleType, type)


def compared(
    layers: LayerActivations, arguments: tuple[Any, ...], names: Sequence[str]
) -> dict[str, Comparison]:
    """Return a comparison of captured outputs with plain hooks' clones.

    It has one for each of the named layers.
    """
    plain = plain_outputs(layers.model, arguments, names)
    with seeded(), layers.capture(*names) as record:
        layers.run(*arguments)
        calls = {name: [list(tensors(call.output)) for call in record[name]] for name in names}
    return {name: comparison(plain[name], calls[name]) for name in names}


def plain_outputs(
    model: nn.Module, arguments: tuple[Any, ...], names: Sequence[str]
) -> dict[str, list[list[Tensor]]]:
    """Return the tensors of each call of the named layers.

    They come from one pass with hooks on every layer.
    """
    modules = dict(model.named_modules(remove_duplicate=False))
    wanted = {id(modules[name]): name for name in names}
    found: dict[str, list[list[Tensor]]] = {name: [] for name in names}

    def keep(layer: nn.Module, _inputs: Any, output: Any) -> None:
        if id(layer) in wanted:
            found[wanted[id(layer)]].append([tensor.detach().clone() for tensor in tensors(output)])

    with contextlib.ExitStack() as stack:
        for layer in model.modules():
            stack.enter_context(layer.register_forward_hook(keep))
        stack.enter_context(_without_fast_path())
        stack.enter_context(seeded())
        with torch.no_grad():
            model.eval()(*copy.deepcopy(arguments))
    return found


def tensors(value: Any, around: tuple[int, ...] = ()) -> Iterator[Tensor]:
    """Yield every tensor in containers and in objects' attributes.

    Containers are tuples, lists, sets and mappings.
    """
    if isinstance(value, Tensor):
        yield value
        return
    if isinstance(value, _OPAQUE) or id(value) in around:
        return
    for part in _parts(value):
        yield from tensors(part, (*around, id(value)))


def comparison(plain: Sequence[Sequence[Tensor]], ours: Sequence[Sequence[Tensor]]) -> Comparison:
    """Return a comparison of the tensors of a layer's calls.

    Those of plain hooks come first.
    """
    if len(plain) != len(ours):
        return Comparison(0, f"{len(ours)} calls instead of {len(plain)}")
    count = sum(map(len, plain))
    for call, (expected, found) in enumerate(zip(plain, ours, strict=True)):
        if len(expected) != len(found):
            return Comparison(count, f"call {call}: {len(found)} tensors instead of {len(expected)}")
        for place, pair in enumerate(zip(expected, found, strict=True)):
            if not same_bits(*pair):
                return Comparison(count, f"call {call}, tensor {place}")
    return Comparison(count)


def same_bits(one: Tensor, other: Tensor) -> bool:
    """Return whether two tensors are equal bit for bit.

    NaN equals itself, and −0 does not equal 0.
    """
    if (one.dtype, one.layout, one.is_nested) != (other.dtype, other.layout, other.is_nested):
        return False
    if one.is_nested:
        pairs = zip(one.unbind(), other.unbind(), strict=False)
        return len(one.unbind()) == len(other.unbind()) and all(same_bits(*pair) for pair in pairs)
    if one.shape != other.shape:
        return False
    if one.is_quantized:
        return same_bits(one.int_repr(), other.int_repr()) and same_bits(one.dequantize(), other.dequantize())
    return torch.equal(_bits(one), _bits(other))


@contextlib.contextmanager
def seeded() -> Iterator[None]:
    """Draw the same random numbers in every such block.

    The numbers that are drawn afterwards are not affected.
    """
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        yield


def _bits(tensor: Tensor) -> Tensor:
    dense = tensor if tensor.layout is torch.strided else tensor.to_dense()
    return dense.detach().resolve_conj().resolve_neg().contiguous().reshape(-1).view(torch.uint8)


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, tuple | list | set | frozenset):
        return list(value)
    return list(getattr(value, "__dict__", {}).values())


@contextlib.contextmanager
def _without_fast_path() -> Iterator[None]:
    """Run attention as it is written: its fast path skips layers."""
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(value=False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(value=before)
