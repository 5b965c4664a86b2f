"""Hooks live exactly as long as their block, and nothing else of the model or of torch stays changed."""

import contextlib
import gc
import weakref

import pytest
import torch
from torch import nn

from tests.viz.nets import Fails, InPlace, Plain, hook_count
from viz.errors import UnknownLayerError
from viz.hooks.activations import LayerActivations
from viz.hooks.edits import zero_channel


class Refuses(nn.Linear):
    """A layer that takes pre-hooks but no forward hooks."""

    def register_forward_hook(self, *_: object, **__: object) -> object:
        """Refuse."""
        raise RuntimeError("no hooks here")


def test_hooks_are_there_in_the_block_and_gone_after_it(images: torch.Tensor) -> None:
    """Counted before, inside and after."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("conv1"), layers.edit("fc", output=zero_channel(0)):
        assert hook_count(model) == 3
        layers.run(images)
    assert hook_count(model) == 0


def test_hooks_are_gone_after_the_model_raises(rows: torch.Tensor) -> None:
    """The model's own exception comes through as it is, and nothing is left behind."""
    model = Fails()
    layers = LayerActivations(model, device="cpu")
    with pytest.raises(RuntimeError, match="mat1 and mat2"), layers.capture(gradients=True) as record:
        layers.run(rows)
    assert hook_count(model) == 0
    assert [len(each) for each in record.values()] == [1, 0]


def test_hooks_are_gone_after_the_block_raises(images: torch.Tensor) -> None:
    """An exception of the caller's own ends the block like any other."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    with contextlib.suppress(KeyError), layers.capture() as record:
        layers.run(images)
        raise KeyError("mine")
    assert len(record["fc"]) == 1
    assert hook_count(model) == 0


def test_hooks_are_gone_after_an_early_stop(images: torch.Tensor) -> None:
    """The stop's own hook goes with the run, the block's with the block."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("fc"):
        layers.run(images, until="conv1")
        assert hook_count(model) == 1
    assert hook_count(model) == 0


def test_hooks_are_gone_after_a_half_failed_registration() -> None:
    """The last layer refuses its hook when the first layers already have theirs."""
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4), Refuses(4, 4))
    layers = LayerActivations(model, device="cpu")
    with pytest.raises(RuntimeError, match="no hooks here"), layers.capture():
        pytest.fail("the block must not be entered")
    assert hook_count(model) == 0
    assert layers.run(torch.ones(1, 4)).shape == (1, 4)


def test_an_unknown_layer_leaves_no_hooks_on_the_known_ones() -> None:
    """Selection is finished before the first hook is placed."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    with pytest.raises(UnknownLayerError), layers.capture("conv1", "conv9"):
        pytest.fail("the block must not be entered")
    assert hook_count(model) == 0


def test_a_record_stays_as_it_is_after_the_block(images: torch.Tensor) -> None:
    """Later runs do not reach it, the model called by hand included."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("fc") as record:
        layers.run(images)
    layers.run(images + 1)
    model(images)
    assert len(record["fc"]) == 1


def test_hooks_of_others_stay_and_still_work(images: torch.Tensor) -> None:
    """A hook that the model's owner placed is called, and survives."""
    model, seen = Plain(), []
    model.conv1.register_forward_hook(lambda *_: seen.append("owner"))
    layers = LayerActivations(model, device="cpu")
    with layers.capture("conv1"):
        layers.run(images)
    assert seen == ["owner"]
    assert hook_count(model) == 1


@pytest.mark.parametrize("fails", [False, True])
def test_process_wide_switches_are_restored(images: torch.Tensor, fails: bool) -> None:
    """The fused attention path, grad mode and the training flags are as before, also after a failure."""
    model = Plain()
    torch.backends.mha.set_fastpath_enabled(True)
    layers = LayerActivations(model, device="cpu")
    if fails:
        with pytest.raises(RuntimeError):
            layers.run(images[:, :1])
    else:
        layers.run(images)
    assert torch.backends.mha.get_fastpath_enabled()
    assert torch.is_grad_enabled()
    assert all(layer.training for layer in model.modules())


def test_values_are_freed_with_the_record(images: torch.Tensor) -> None:
    """Neither the service nor the model holds on to what was captured, a stopped run's frames included."""
    layers = LayerActivations(InPlace(), device="cpu")
    gc.disable()
    try:
        with layers.capture("conv") as record:
            result = layers.run(images, until="relu")
        kept = [weakref.ref(record["conv"].output), weakref.ref(result)]
        del record, result
        assert [each() for each in kept] == [None, None]
    finally:
        gc.enable()
