"""Looking before hooking: wrappers come off, and what cannot be hooked is refused in plain words."""

import contextlib
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence

from tests.viz.nets import Plain
from viz.errors import RequestError, UnsupportedModelError
from viz.hooks.activations import LayerActivations
from viz.hooks.hookable import device_for, placed


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: "resnet50", "a str is not a torch.nn.Module"),
        (lambda: None, "NoneType"),
        (lambda: Plain, "Plain is a class"),
        (lambda: Plain().state_dict(), "a dict of weights is not a model"),
        (lambda: nn.Linear(2, 2, device="meta"), "'weight' is on the meta device"),
        (lambda: nn.Sequential(nn.Linear(2, 2), nn.LazyLinear(2)), "'1.weight' has no shape yet"),
    ],
)
def test_what_cannot_be_hooked_is_refused_in_plain_words(make: object, said: str) -> None:
    """It is refused before anything runs."""
    with pytest.raises(UnsupportedModelError, match=said):
        LayerActivations(make(), device="cpu")


@pytest.mark.filterwarnings(
    "ignore:.*torch.jit.script.*:FutureWarning", "ignore:.*torch.jit.script.*:DeprecationWarning"
)
def test_a_scripted_model_is_refused() -> None:
    """TorchScript takes no hooks."""
    with pytest.raises(UnsupportedModelError, match="TorchScript"):
        LayerActivations(torch.jit.script(nn.Linear(2, 2)))


@pytest.mark.slow  # importing the compiler takes seconds
def test_wrappers_come_off(rows: torch.Tensor) -> None:
    """DataParallel and torch.compile, one around the other; the names are the model's own."""
    model = nn.Sequential(nn.Linear(4, 3))
    layers = LayerActivations(nn.DataParallel(torch.compile(model)), device="cpu")
    assert layers.model is model
    with layers.capture("0") as record:
        layers.run(rows)
    assert record["0"].output.shape == (2, 3)


@pytest.mark.slow  # importing the compiler takes seconds
def test_layers_that_are_compiled_inside_a_model_run_as_they_were_written(rows: torch.Tensor) -> None:
    """Compiled code would not see a hook that was added later."""
    model = nn.Sequential(nn.Linear(4, 3), torch.compile(nn.Sequential(nn.ReLU()), backend="eager"))
    with torch.no_grad():
        model(rows)
    layers = LayerActivations(model, device="cpu")
    with layers.capture(nn.ReLU) as record:
        layers.run(rows)
    assert torch.equal(record[nn.ReLU].output, model[0](rows).relu())


@pytest.mark.slow  # importing the compiler takes seconds
def test_a_compiled_model_that_is_called_in_a_block_runs_as_it_was_written(rows: torch.Tensor) -> None:
    """It ran before; blocks end in another order than they began; afterwards compiled code runs again."""
    model, compiled = nn.Sequential(nn.Linear(4, 3), nn.Tanh()), []

    def backend(graph: torch.fx.GraphModule, _: object) -> Callable[..., object]:
        return lambda *inputs: (compiled.append(graph), graph(*inputs))[1]

    call = torch.compile(model, backend=backend)
    expected = call(rows)
    layers, compiled[:] = LayerActivations(model, device="cpu"), []
    first, second = contextlib.ExitStack(), contextlib.ExitStack()
    record = first.enter_context(layers.capture("0"))
    second.enter_context(layers.edit("0", output=torch.zeros_like))
    assert not call(rows).any()
    first.close()
    assert not call(rows).any()
    second.close()
    assert record["0"].output.shape == (2, 3)
    assert not compiled
    assert torch.equal(call(rows), expected)
    assert compiled


def test_the_device_is_the_one_asked_for() -> None:
    """It is named as in torch; a device that this machine does not have is refused at once."""
    assert LayerActivations(Plain(), device="cpu").device == torch.device("cpu")
    with pytest.raises(RequestError, match="'nonsense' cannot be used"):
        LayerActivations(Plain(), device="nonsense")


def test_quantised_models_stay_on_the_cpu() -> None:
    """No other device has their kernels."""

    class Quantised(nn.ReLU):
        """Stands where torch keeps its quantised layers."""

    Quantised.__module__ = "torch.ao.nn.quantized.modules"
    assert device_for(nn.Sequential(Quantised()), "auto") == torch.device("cpu")


def test_inputs_are_copied_wherever_they_are_nested() -> None:
    """In tuples, lists and dicts; a packed sequence keeps its batch sizes on the CPU."""
    tensor, packed = torch.ones(2), pack_sequence([torch.ones(2), torch.ones(1)])
    moved = placed(([tensor], {"a": tensor}, "word", packed), torch.device("cpu"))
    assert moved[0][0] is not tensor
    assert torch.equal(moved[1]["a"], tensor)
    assert moved[2] == "word"
    assert moved[3].batch_sizes is packed.batch_sizes


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_cuda_is_used_when_it_is_there(images: torch.Tensor) -> None:
    """Model, inputs and captured values are on it, and equal those of the CPU."""
    layers = LayerActivations(Plain())
    with layers.capture("conv1") as record:
        layers.run(images)
    assert layers.device.type == record["conv1"].output.device.type == "cuda"


@pytest.mark.parametrize("mode", [torch.inference_mode, torch.no_grad])
def test_a_model_made_in_inference_mode_has_the_gradients_of_any_other(mode: type) -> None:
    """Its flags are as they were; a weight of two layers is still one; its buffers can be written."""
    images = torch.rand(1, 3, 5, 5, generator=torch.Generator().manual_seed(0))
    torch.manual_seed(0)
    expected = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Conv2d(4, 4, 3)).eval()
    with mode():
        model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Conv2d(4, 4, 3))
        model.load_state_dict(expected.state_dict())
        model[2].bias = model[1].bias
    expected[2].bias = expected[1].bias
    model[1].weight.requires_grad = False
    layers = LayerActivations(model, device="cpu")
    with layers.capture("0", gradients=True) as record:
        layers.run(images).sum().backward()
    first = expected[0](images)
    assert torch.equal(
        record["0"].gradient, torch.autograd.grad(expected[2](expected[1](first)).sum(), first)[0]
    )
    assert [weight.requires_grad for weight in model.parameters()] == [True, True, False, True, True]
    assert model[2].bias is model[1].bias
    with layers.training():
        layers.run(images)
