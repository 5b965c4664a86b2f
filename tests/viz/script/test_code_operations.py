"""The script of an operation: run on a model of a few lines, it keeps what the service captures."""

import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from torch import nn
from torch.overrides import TorchFunctionMode

from viz.hooks.activations import LayerActivations
from viz.script.code_operations import layer_line, operation_hook, operation_keep


class Block(nn.Module):
    """Two activations and two additions of its own, around a layer whose code adds too."""

    def __init__(self, inner: nn.Module | None = None) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The shape of x."""
        out = F.relu(x) + 1
        out = self.inner(out) if self.inner else out
        out += F.relu(-x)
        out[:, 0] = 5
        return 1 - out


def test_the_script_keeps_every_call_that_the_service_captures() -> None:
    """In place, reflected, assigned, nested and repeated; the handle takes all its hooks away."""
    block = Block(Block())
    model, x = nn.Sequential(block, nn.Tanh(), block), torch.randn(2, 3)
    layers = LayerActivations(model, device="cpu")
    names = ("add", "add 2", "relu 2", "setitem", "sub")
    for name in (f"{layer} › {function}" for layer in ("0", "0.inner") for function in names):
        with layers.capture(name) as record:
            layers.run(x)
        script = {"model": model, "calls": [], "TorchFunctionMode": TorchFunctionMode}
        lines = [*operation_keep(name, "output"), layer_line(name), f"handle = {operation_hook(name)}"]
        exec("\n".join(lines), script)
        model(x)
        script["handle"].remove()
        assert len(script["calls"]) == len(record[name]) == 2
        assert all(
            torch.equal(kept, call.output) for kept, call in zip(script["calls"], record[name], strict=True)
        )
    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in model.modules())
    assert torch._C._len_torch_function_stack() == 0
