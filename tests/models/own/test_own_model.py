"""Meaning of a model's output, as its factory says it."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn

import models
from models.errors import OwnModelError


def labels() -> tuple[nn.Module, dict[str, str]]:
    """A factory of a model whose outputs are labels."""
    return nn.Sequential(nn.Conv2d(3, 2, 1)), {"output": "labels"}


def wrong() -> tuple[nn.Module, dict[str, str]]:
    """A factory that says what nobody knows."""
    return nn.Sequential(nn.Conv2d(3, 2, 1)), {"output": "odds"}


def test_a_factory_can_say_what_its_output_means(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its card has the word; another one is refused with those that are known."""
    monkeypatch.setenv("LAYERGLASS_MODEL", f"{__name__}:labels")
    assert models.describe("labels").output == "labels"
    monkeypatch.setenv("LAYERGLASS_MODEL", f"{__name__}:wrong")
    with pytest.raises(OwnModelError, match="says 'odds' of its output; known are logits, probab"):
        models.describe("wrong")


class Countless(nn.Linear):
    """A module that has a length and will not say it, as a compiled one."""

    def __len__(self) -> int:
        raise TypeError


def countless() -> nn.Module:
    """A model of that kind."""
    return Countless(3, 2)


def test_a_model_that_does_not_say_its_length_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody need ask whether it is empty."""
    monkeypatch.setenv("LAYERGLASS_MODEL", f"{__name__}:countless")
    assert isinstance(models.load("countless"), Countless)


def seeded() -> nn.Module:
    """A factory that seeds, and takes its time between two draws."""
    torch.manual_seed(11)
    first = nn.Linear(3, 4)
    time.sleep(0.05)
    return nn.Sequential(first, nn.Linear(4, 2))


def test_a_factory_that_seeds_makes_the_same_numbers_beside_other_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its card is asked for while the model is loaded, and another one is made."""
    with torch.random.fork_rng(devices=[]):
        expected = seeded().state_dict()
    monkeypatch.setenv("LAYERGLASS_MODEL", f"{__name__}:seeded")
    together = threading.Barrier(3)

    def at_once(work: str) -> object:
        together.wait()
        if work == "card":
            return models.describe("seeded")
        return models.load(work, weights="random" if work == "lenet" else "pretrained")

    with ThreadPoolExecutor(3) as threads:
        _, loaded, other = threads.map(at_once, ("card", "seeded", "lenet"))
    for found, numbers in ((loaded, expected), (other, models.load("lenet", weights="random").state_dict())):
        assert isinstance(found, nn.Module)
        assert all(torch.equal(weight, numbers[name]) for name, weight in found.state_dict().items())
