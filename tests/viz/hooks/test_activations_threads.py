"""One service, many threads and tasks: what one opens or runs is never seen by another."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import torch
from torch.utils import checkpoint as torch_checkpoint

from tests.viz.nets import Checkpointed, Noisy, Plain, hook_count
from viz.errors import CallError, EditError
from viz.hooks.activations import LayerActivations
from viz.hooks.edits import scale


def test_threads_capture_only_their_own_runs() -> None:
    """Eight threads, two hundred runs, one model: every record is that of its own picture."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    pictures = torch.rand(200, 1, 3, 8, 8)

    def captured(picture: torch.Tensor) -> torch.Tensor:
        with layers.capture("conv1", "conv2") as record:
            layers.run(picture, until="conv2")
        return record["conv1"].output

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(captured, pictures))
    assert all(torch.equal(one, model.conv1(picture)) for one, picture in zip(found, pictures, strict=True))
    assert hook_count(model) == 0


def test_edits_and_gradients_of_one_thread_do_not_reach_another() -> None:
    """Half of the threads edit, half differentiate, some just run; the results are those of each alone."""
    model = Plain().eval()
    layers = LayerActivations(model, device="cpu")
    picture = torch.rand(1, 3, 8, 8)
    plain = layers.run(picture)

    def edited(factor: int) -> bool:
        with layers.edit("fc", output=scale(factor)):
            return torch.equal(layers.run(picture), plain * factor)

    def differentiated(_: int) -> bool:
        with layers.capture("fc", gradients=True) as record:
            layers.run(picture).sum().backward()
        return bool(record["fc"].gradient.eq(1).all()) and torch.equal(record["fc"].output, plain)

    def untouched(_: int) -> bool:
        result = layers.run(picture)
        return torch.equal(result, plain) and not result.requires_grad

    with ThreadPoolExecutor(6) as threads:
        done = [threads.submit(work, n) for n in range(20) for work in (edited, differentiated, untouched)]
    assert all(each.result() for each in done)
    assert all(weight.requires_grad and weight.grad is None for weight in model.parameters())


def test_a_model_called_directly_in_another_thread_is_not_recorded() -> None:
    """The hooks are on the shared model, but they belong to the thread that opened the block."""
    model = Plain()
    layers = LayerActivations(model, device="cpu")
    with layers.capture("conv1") as record:
        thread = threading.Thread(target=model, args=(torch.rand(1, 3, 8, 8),))
        thread.start()
        thread.join()
    assert not record["conv1"]


def test_training_flags_survive_runs_in_many_threads() -> None:
    """Runs of different services on one model take turns, so that none restores another's eval mode."""
    model = Noisy()
    rows = torch.randn(4, 4)
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda _: LayerActivations(model, device="cpu").run(rows), range(50)))
    assert all(torch.equal(result, results[0]) for result in results)
    assert all(layer.training for layer in model.modules())


def test_tasks_of_one_event_loop_are_told_apart() -> None:
    """A task that waits inside its block does not record what another task runs; a thread of its own does."""
    layers = LayerActivations(Plain(), device="cpu")

    async def visit(picture: torch.Tensor) -> tuple[int, torch.Tensor]:
        with layers.capture("conv1") as record:
            await asyncio.sleep(0)
            await asyncio.to_thread(layers.run, picture)
            await asyncio.sleep(0)
        return len(record["conv1"]), record["conv1"].output

    async def both() -> list[tuple[int, torch.Tensor]]:
        return await asyncio.gather(visit(torch.zeros(1, 3, 8, 8)), visit(torch.ones(1, 3, 8, 8)))

    (one, zeros), (other, ones) = asyncio.run(both())
    assert (one, other) == (1, 1)
    assert not torch.equal(zeros, ones)


def in_another_thread(work: Callable[[torch.Tensor], object], picture: torch.Tensor) -> None:
    """Call it, and wait until it has ended."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(work, picture).result()


@pytest.mark.parametrize("name", ["conv1", "› flatten"])
def test_a_record_says_that_the_model_ran_in_another_thread(name: str) -> None:
    """With what to do, which works; once this thread has run the model too, that is no longer the reason."""
    model, picture = Plain(), torch.rand(1, 3, 8, 8)
    layers = LayerActivations(model, device="cpu")
    for work in (model, layers.run):
        with layers.capture(name, "fc") as record:
            in_another_thread(work, picture)
        with pytest.raises(
            CallError, match="has no call here: the model ran in another thread or asyncio task"
        ):
            _ = record[name].output
    with layers.capture(name) as record:
        in_another_thread(partial(contextvars.copy_context().run, layers.run), picture)
    assert len(record[name]) == 1
    with layers.capture("fc") as record:
        in_another_thread(layers.run, picture)
        layers.run(picture, until="conv1")
    with pytest.raises(CallError, match="'fc' never ran"):
        _ = record["fc"].output


@pytest.mark.parametrize("name", ["conv1", "› flatten"])
@pytest.mark.parametrize("what", ["output", "gradient"])
def test_an_edit_that_only_another_thread_could_have_met_is_refused(name: str, what: str) -> None:
    """It would change nothing, silently; another thread's passes beside one's own are no reason."""
    layers, picture = LayerActivations(Plain(), device="cpu"), torch.rand(1, 3, 8, 8)
    edit = {what: scale(2)}
    with (
        pytest.raises(EditError, match="changed nothing: the model ran in another"),
        layers.edit(name, **edit),
    ):
        in_another_thread(layers.run, picture)
    with layers.edit(name, **edit):
        in_another_thread(layers.run, picture)
        layers.run(picture)
    with layers.edit(name, **edit):
        in_another_thread(layers.run, picture)
        layers.model(picture)


@pytest.mark.parametrize("reentrant", [False, True])
@pytest.mark.parametrize("runs", [True, False], ids=["run", "called"])
def test_edits_are_made_again_when_another_thread_recomputes(
    rows: torch.Tensor, *, reentrant: bool, runs: bool
) -> None:
    """CUDA's backward pass has threads of its own; such a thread's own edit is not for this pass."""
    model = Checkpointed(reentrant=reentrant).eval()
    layers, mine = LayerActivations(model, device="cpu"), rows.clone().requires_grad_()

    def backward(result: torch.Tensor) -> None:
        with layers.edit("first", output=scale(5)):
            result.square().sum().backward()

    with layers.edit("first", output=scale(2), gradient=scale(1) if runs else None):
        in_another_thread(backward, layers.run(mine) if runs else model(mine))
    theirs = rows.clone().requires_grad_()
    result = model.second(torch.tanh(model.first(theirs) * 2)).square().sum()
    assert torch.allclose(mine.grad, torch.autograd.grad(result, theirs)[0])


def test_torchs_own_checkpoints_are_in_place_again_after_the_blocks(rows: torch.Tensor) -> None:
    """The frame of a checkpoint is replaced for as long as any block is open."""
    before = torch_checkpoint._CheckpointFrame
    layers = LayerActivations(Checkpointed(), device="cpu")
    with layers.edit("first", output=scale(2)):
        with layers.capture("second"):
            layers.run(rows)
        assert torch_checkpoint._CheckpointFrame is not before
    assert torch_checkpoint._CheckpointFrame is before
