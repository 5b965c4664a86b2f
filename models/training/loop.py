"""The training loop, which can be interrupted and resumed.

Interruptions do not change the result.
"""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from .examples import Examples
from .recipes import Recipe

__all__ = ["Run", "accuracy", "train"]

_BETWEEN = 100  # steps between two updates of the mean weights


@dataclass
class Run:
    """A net in training: epochs done, and seconds without interruptions."""

    net: nn.Module
    optimiser: torch.optim.Optimizer
    epoch: int = 0
    seconds: float = 0.0
    mean: dict[str, Tensor] = field(default_factory=dict)  # of the weights, from the recipe's average_from on
    averaged: int = 0


def train(recipe: Recipe, examples: Examples, *, seed: int, checkpoint: Path) -> Run:
    """Return a finished run, resumed from ``checkpoint`` if that file exists.

    Every epoch draws from a generator seeded by the run's seed and the epoch's number, so that an interrupted
    run ends with the weights of an uninterrupted one (as far as the processor's arithmetic is reproducible).

    Raises:
        ValueError: the checkpoint was made by another recipe or seed.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        run = _started(recipe)
        _resume(run, recipe.signature(seed), checkpoint)
        while run.epoch < recipe.epochs:
            torch.manual_seed(seed * 1_000_003 + run.epoch)
            started = time.perf_counter()
            loss = _epoch(run, recipe, examples)
            run.epoch += 1
            run.seconds += time.perf_counter() - started
            _save(run, recipe.signature(seed), checkpoint)
            _report(run, recipe, examples, loss)
        if run.averaged:
            _settle(run, recipe, examples)
    return run


def _started(recipe: Recipe) -> Run:
    net = recipe.net().to(memory_format=torch.channels_last)
    decayed = [value for value in net.parameters() if value.ndim > 1]
    free = [
        value for value in net.parameters() if value.ndim <= 1
    ]  # biases and normalisations get no weight decay
    groups = [{"params": decayed, "weight_decay": recipe.weight_decay}, {"params": free, "weight_decay": 0.0}]
    if recipe.optimiser == "adamw":
        return Run(net, torch.optim.AdamW(groups, lr=0.0))
    return Run(net, torch.optim.SGD(groups, lr=0.0, momentum=0.9, nesterov=True))


def _epoch(run: Run, recipe: Recipe, examples: Examples) -> float:
    """Return the mean loss of one pass through shuffled training examples."""
    run.net.train()
    order = torch.randperm(len(examples.train))
    steps = max(1, len(order) // recipe.batch)
    batches = tqdm(range(steps), desc=f"epoch {run.epoch + 1}/{recipe.epochs}", unit="step", mininterval=2)
    total = 0.0
    for step in batches:
        chosen = order[step * recipe.batch : (step + 1) * recipe.batch]
        progress = (run.epoch + step / steps) / recipe.epochs
        for group in run.optimiser.param_groups:
            group["lr"] = recipe.learning_rate_at(progress)
        images = examples.varied(examples.train[chosen], recipe, progress)
        total += _step(run, recipe, images, examples.train_labels[chosen])
        if progress >= recipe.average_from and (step + 1) % min(_BETWEEN, steps) == 0:
            _average(run)
        batches.set_postfix(loss=f"{total / (step + 1):.3f}", refresh=False)
    return total / steps


def _average(run: Run) -> None:
    """Add the current weights to their running mean.

    Source: Izmailov et al., "Averaging weights leads to wider optima and better generalization", 2018.
    """
    run.averaged += 1
    for name, value in run.net.named_parameters():
        mean = run.mean.setdefault(name, torch.zeros_like(value))
        mean += (value.detach() - mean) / run.averaged


@torch.no_grad()
def _settle(run: Run, recipe: Recipe, examples: Examples) -> None:
    """Give the net its mean weights, and its normalisations new statistics."""
    run.net.load_state_dict(run.mean, strict=False)
    for module in run.net.modules():
        if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None  # the plain mean over the batches that follow
    run.net.train()
    for chosen in torch.randperm(len(examples.train)).split(recipe.batch)[:_BETWEEN]:
        run.net(examples.varied(examples.train[chosen], recipe, 1.0))


def _step(run: Run, recipe: Recipe, images: Tensor, labels: Tensor) -> float:
    with torch.autocast("cpu", torch.bfloat16, enabled=recipe.half):
        scores = run.net(images)
    loss = functional.cross_entropy(scores.float(), labels, label_smoothing=recipe.label_smoothing)
    run.optimiser.zero_grad()
    loss.backward()
    run.optimiser.step()
    return loss.item()


@torch.inference_mode()
def accuracy(net: nn.Module, examples: Examples, *, side: int, half: bool = False) -> float:
    """Return the share of test examples that the net gets right.

    They are shown ``side`` long, as on the page.
    """
    net.eval()
    right = 0
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        for batch, wanted in zip(examples.test.split(250), examples.test_labels.split(250), strict=True):
            right += int((net(examples.shown(batch, side)).argmax(1) == wanted).sum())
    return right / len(examples.test)


def _report(run: Run, recipe: Recipe, examples: Examples, loss: float) -> None:
    """Print the run's progress, on which nothing depends."""
    side = recipe.sides_at(run.epoch / recipe.epochs)[0]
    share = accuracy(run.net, examples, side=side, half=recipe.half)
    print(
        f"epoch {run.epoch}: loss {loss:.4f}, test accuracy at {side} px {share:.2%}, {run.seconds:.0f} s",
        flush=True,
    )


def _resume(run: Run, signature: str, checkpoint: Path) -> None:
    if not checkpoint.exists():
        return
    state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
    if state["signature"] != signature:
        raise ValueError(
            f"{checkpoint} is of another recipe or seed; move it away, or name another --checkpoint"
        )
    run.net.load_state_dict(state["net"])
    run.optimiser.load_state_dict(state["optimiser"])
    run.epoch, run.seconds = state["epoch"], state["seconds"]
    run.mean, run.averaged = state["mean"], state["averaged"]


def _save(run: Run, signature: str, checkpoint: Path) -> None:
    """Write the run to ``checkpoint``, which is never half written."""
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    partial = checkpoint.with_name(checkpoint.name + ".part")
    state = {"signature": signature, "net": run.net.state_dict(), "optimiser": run.optimiser.state_dict()}
    progress = {"epoch": run.epoch, "seconds": run.seconds, "mean": run.mean, "averaged": run.averaged}
    torch.save({**state, **progress}, partial)
    partial.replace(checkpoint)
