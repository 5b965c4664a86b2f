"""The training loop: epochs that can be interrupted and taken up again, to the same result."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from PIL import Image
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from models.preprocessing import CIFAR10_MEAN, CIFAR10_STD, Preprocessing
from models.training.pictures import Pictures, augmented
from models.training.recipes import Recipe

__all__ = ["Run", "accuracy", "train"]


@dataclass
class Run:
    """A net in training: the epochs behind it, and the seconds that they took, interruptions left out."""

    net: nn.Module
    optimiser: torch.optim.Optimizer
    epoch: int = 0
    seconds: float = 0.0


def train(recipe: Recipe, pictures: Pictures, *, seed: int, checkpoint: Path) -> Run:
    """Return a finished run, having gone on from ``checkpoint`` where that file exists.

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
            loss = _epoch(run, recipe, pictures)
            run.epoch += 1
            run.seconds += time.perf_counter() - started
            _save(run, recipe.signature(seed), checkpoint)
            _report(run, recipe, pictures, loss)
    return run


def _started(recipe: Recipe) -> Run:
    net = recipe.net().to(memory_format=torch.channels_last)
    decayed = [value for value in net.parameters() if value.ndim > 1]
    free = [
        value for value in net.parameters() if value.ndim <= 1
    ]  # biases and normalisations are left to roam
    groups = [{"params": decayed, "weight_decay": recipe.weight_decay}, {"params": free, "weight_decay": 0.0}]
    return Run(net, torch.optim.SGD(groups, lr=recipe.learning_rate, momentum=0.9, nesterov=True))


def _epoch(run: Run, recipe: Recipe, pictures: Pictures) -> float:
    """Return the mean loss over one pass through the training pictures in a random order."""
    run.net.train()
    order = torch.randperm(len(pictures.train))
    steps = max(1, len(order) // recipe.batch)
    batches = tqdm(range(steps), desc=f"epoch {run.epoch + 1}/{recipe.epochs}", unit="step", mininterval=2)
    total = 0.0
    for step in batches:
        chosen = order[step * recipe.batch : (step + 1) * recipe.batch]
        progress = (run.epoch + step / steps) / recipe.epochs
        total += _step(run, recipe, pictures.train[chosen], pictures.train_labels[chosen], progress)
        batches.set_postfix(loss=f"{total / (step + 1):.3f}", refresh=False)
    return total / steps


def _step(run: Run, recipe: Recipe, pictures: Tensor, labels: Tensor, progress: float) -> float:
    for group in run.optimiser.param_groups:
        group["lr"] = recipe.learning_rate_at(progress)
    images = augmented(pictures, torch.default_generator, shift=recipe.shift, cutout=recipe.cutout)
    sides = recipe.sides_at(progress)
    images = _resized(images, sides[int(torch.randint(len(sides), ()))])
    with torch.autocast("cpu", torch.bfloat16, enabled=recipe.half):
        scores = run.net(images)
    loss = functional.cross_entropy(scores.float(), labels, label_smoothing=recipe.label_smoothing)
    run.optimiser.zero_grad()
    loss.backward()
    run.optimiser.step()
    return loss.item()


def _resized(images: Tensor, side: int) -> Tensor:
    if images.shape[-1] == side:
        return images
    return functional.interpolate(images, (side, side), mode="bilinear", antialias=True)


@torch.inference_mode()
def accuracy(net: nn.Module, pictures: Tensor, labels: Tensor, *, side: int, half: bool = False) -> float:
    """Return the share of uint8 pictures (n, 3, H, W) that the net gets right.

    Each picture comes to ``side`` pixels by the preprocessing that the page uses.
    """
    net.eval()
    preprocessing = Preprocessing(side, (side, side), mean=CIFAR10_MEAN, std=CIFAR10_STD)
    right = 0
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        for batch, wanted in zip(pictures.split(250), labels.split(250), strict=True):
            images = [Image.fromarray(picture.permute(1, 2, 0).numpy()) for picture in batch]
            scores = net(torch.cat([preprocessing(image) for image in images]))
            right += int((scores.argmax(1) == wanted).sum())
    return right / len(labels)


def _report(run: Run, recipe: Recipe, pictures: Pictures, loss: float) -> None:
    """Print how the run is doing. It chooses nothing: the last epoch's weights are kept in any case."""
    share = accuracy(run.net, pictures.test, pictures.test_labels, side=32, half=recipe.half)
    print(
        f"epoch {run.epoch}: loss {loss:.4f}, test accuracy at 32 px {share:.2%}, {run.seconds:.0f} s",
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


def _save(run: Run, signature: str, checkpoint: Path) -> None:
    """Write the run to ``checkpoint``, which is never half written: it changes when the new one is whole."""
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    partial = checkpoint.with_name(checkpoint.name + ".part")
    state = {"signature": signature, "net": run.net.state_dict(), "optimiser": run.optimiser.state_dict()}
    torch.save({**state, "epoch": run.epoch, "seconds": run.seconds}, partial)
    partial.replace(checkpoint)
