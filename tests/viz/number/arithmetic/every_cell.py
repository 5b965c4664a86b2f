"""Every cell of a small layer's output explained, to compare with torch and with perturbed inputs."""

import itertools
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from viz.findings.explanation import Explanation
from viz.hooks.values.structure import leaves
from viz.number.arithmetic import explain

Cell = tuple[int, ...]


def every_cell(
    layer: nn.Module, inputs: Sequence[Any], keywords: dict[str, Any] | None = None
) -> dict[str, dict[Cell, Explanation]]:
    """Return the explanation of each cell of each tensor that the layer returns, by the tensor's path."""
    with torch.no_grad():
        output = layer.eval()(*inputs, **(keywords or {}))
    return {
        path: {
            cell: explain(layer, inputs, tensor, cell, keywords=keywords, leaf=path)
            for cell in itertools.product(*map(range, tensor.shape))
        }
        for path, tensor in leaves(output).items()
    }


def check_against_double(
    layer: nn.Module, inputs: Sequence[Any], keywords: dict[str, Any] | None = None
) -> dict[str, dict[Cell, Explanation]]:
    """Check each total against the same layer in double precision, which computes by itself; return all."""
    found = every_cell(layer, inputs, keywords)
    given = [_double(each) for each in inputs], {key: _double(each) for key, each in (keywords or {}).items()}
    with torch.no_grad():
        output = leaves(layer.double()(*given[0], **given[1]))
    layer.float()
    for path, cells in found.items():
        for cell, each in cells.items():
            assert each.explained, each.reason
            assert each.agrees, (path, cell, each)
            wanted = float(output[path][cell])
            assert abs(each.total - wanted) <= 1e-9 * max(1.0, abs(wanted)), (path, cell, each, wanted)
    return found


def shifted(output: torch.Tensor, cell: Cell, by: float) -> torch.Tensor:
    """Return the output with one wrong number."""
    wrong = output.detach().clone()
    wrong[cell] += by
    return wrong


def _double(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_double, value))
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value
