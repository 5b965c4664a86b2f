"""Waveforms as training examples."""

from dataclasses import replace
from pathlib import Path

import torch

from models.nets.waveforms import KINDS
from models.training.loop import train
from models.training.recipes import RECIPES
from models.training.signals import generated_signals


def test_the_examples_are_the_same_every_time() -> None:
    """Nothing is stored, so the seed alone must reproduce them."""
    first, second = generated_signals(3, 2), generated_signals(3, 2)
    assert torch.equal(first.train, second.train)
    assert torch.equal(first.test, second.test)


def test_every_kind_has_its_share_and_no_test_signal_was_trained_on() -> None:
    """Balanced, and drawn apart."""
    signals = generated_signals(4, 3)
    assert signals.train.shape == (4 * len(KINDS), 1, 256)
    assert torch.bincount(signals.test_labels).tolist() == [3] * len(KINDS)
    assert not any(torch.equal(test, train) for test in signals.test for train in signals.train)


def test_the_net_is_tested_with_what_the_page_would_show_it() -> None:
    """Grey levels instead of exact values, as a picture can carry them."""
    signals = generated_signals(1, 1)
    shown = signals.shown(signals.test, 256)
    assert shown.shape == signals.test.shape
    assert 0 < float((shown - signals.test).abs().max()) < 0.005


def test_a_short_run_learns_something(tmp_path: Path) -> None:
    """The loss falls below that of guessing, the logarithm of eight."""
    signals = generated_signals(30, 1)
    recipe = replace(RECIPES["signalnet"], epochs=3, batch=24)
    run = train(recipe, signals, seed=0, checkpoint=tmp_path / "run.pt")
    with torch.inference_mode():
        loss = torch.nn.functional.cross_entropy(run.net.eval()(signals.train), signals.train_labels)
    assert float(loss) < 2.0
