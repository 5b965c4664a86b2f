"""Attacks against the papers' formulas, by plain PyTorch and NumPy; bounds in whole levels."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from models import describe, load
from viz.adversarial.attack import LEVELS, Attack, Picture, fool, least_change
from viz.errors import LayoutError, RequestError, VizError
from viz.findings.output_meaning import LABELS, LOG_PROBABILITIES, PROBABILITIES
from viz.hooks.activations import LayerActivations
from viz.hooks.edits import scale
from viz.pictures.samples import sample

CLASSES, SIZE = 4, 6


def net(last: nn.Module | None = None) -> nn.Module:
    """A small net with a ReLU, for pictures of 6 × 6 pixels."""
    torch.manual_seed(3)
    layers = [nn.Conv2d(3, 5, 3), nn.ReLU(), nn.Flatten(), nn.Linear(5 * 4 * 4, CLASSES)]
    return nn.Sequential(*layers, *([last] if last else [])).eval()


def picture(seed: int = 0) -> Picture:
    """Noise, with numbers at both ends of their range."""
    found = np.random.default_rng(seed).integers(0, LEVELS + 1, (SIZE, SIZE, 3), np.uint8)
    found[0], found[1] = 0, LEVELS
    return found


def prepare(levels: torch.Tensor) -> torch.Tensor:
    """Numbers from −1 to 1."""
    return levels / 127.5 - 1


def by_hand(module: nn.Module, start: Picture, attack: Attack) -> Picture:
    """The same by the papers' formulas, without hooks, in an order of its own."""
    whole = torch.tensor(start).permute(2, 0, 1).unsqueeze(0).float()
    label = attack.toward if attack.toward is not None else int(module(prepare(whole)).argmax())
    delta = torch.zeros_like(whole)
    for _ in range(attack.steps):
        delta.requires_grad_()
        loss = functional.nll_loss(module(prepare(whole + delta)).log_softmax(1), torch.tensor([label]))
        (slope,) = torch.autograd.grad(loss, delta)
        direction = slope.sign() if attack.toward is None else -slope.sign()
        delta = (delta.detach() + attack.step * direction).clamp(-attack.epsilon, attack.epsilon)
        delta = (whole + delta).clamp(0, LEVELS) - whole
    found: Picture = (whole + delta).round()[0].permute(1, 2, 0).numpy().astype(np.uint8)
    return found


@pytest.mark.parametrize(
    "attack",
    [
        Attack(epsilon=1, steps=1),
        Attack(epsilon=7, steps=1, toward=2),
        Attack(epsilon=3, steps=10),
        Attack(epsilon=16, steps=4, toward=0),
    ],
)
def test_an_attack_is_that_of_the_papers(attack: Attack) -> None:
    """One step is FGSM, several are PGD; away from the model's class, or towards one."""
    module = net()
    found = fool(LayerActivations(module, "cpu"), picture(), prepare, attack)
    np.testing.assert_array_equal(found.picture, by_hand(module, picture(), attack))


def test_one_step_adds_the_sign_of_the_gradient_that_a_linear_model_has() -> None:
    """∂loss/∂x = (p − y) W: known without any autograd."""
    torch.manual_seed(1)
    linear = nn.Linear(3 * SIZE * SIZE, CLASSES, bias=False)
    start, weights = picture(), linear.weight.detach().numpy().astype(np.float64)
    flat = (start.transpose(2, 0, 1).reshape(-1) / 127.5) - 1
    scores = weights @ flat
    shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    slope = (shares - np.eye(CLASSES)[scores.argmax()]) @ weights
    expected = np.clip(
        start.astype(int) + 5 * np.sign(slope).reshape(3, SIZE, SIZE).transpose(1, 2, 0), 0, 255
    )
    layers = LayerActivations(nn.Sequential(nn.Flatten(), linear), "cpu")
    found = fool(layers, start, prepare, Attack(epsilon=5, steps=1))
    np.testing.assert_array_equal(found.picture, expected)
    np.testing.assert_allclose(found.before, shares, atol=1e-6)


@pytest.mark.parametrize("epsilon", [1, 2, 5, LEVELS])
@pytest.mark.parametrize("steps", [1, 3, 20])
def test_no_number_changes_by_more_than_the_bound(epsilon: int, steps: int) -> None:
    """In whole levels, as a file has them; and some number changes."""
    for seed in range(3):
        start = picture(seed)
        found = fool(LayerActivations(net(), "cpu"), start, prepare, Attack(epsilon, steps))
        changed = np.abs(found.picture.astype(int) - start)
        assert 0 < changed.max() <= epsilon


@pytest.mark.parametrize(
    ("last", "meaning"), [(nn.Softmax(1), PROBABILITIES), (nn.LogSoftmax(1), LOG_PROBABILITIES)]
)
def test_what_the_output_means_changes_nothing(last: nn.Module, meaning: str) -> None:
    """The loss of probabilities is the same as that of the logits behind them."""
    plain = fool(LayerActivations(net(), "cpu"), picture(), prepare, Attack(4, 5))
    found = fool(LayerActivations(net(last), "cpu"), picture(), prepare, Attack(4, 5, meaning=meaning))
    np.testing.assert_array_equal(found.picture, plain.picture)
    np.testing.assert_allclose(found.after, plain.after, atol=1e-6)


def test_a_trained_net_is_misled_by_what_nobody_sees() -> None:
    """Two levels of 255 on the sample cat; the model is as it was, and says the same by plain calls."""
    card, module = describe("lenet"), load("lenet")
    seen = card.preprocessing.cropped(sample("cat"))
    before = {name: value.clone() for name, value in module.state_dict().items()}
    layers = LayerActivations(module, "cpu")
    found = fool(layers, np.asarray(seen), card.preprocessing.scaled)
    assert found.worked
    again = card.preprocessing.scaled(torch.tensor(found.picture).permute(2, 0, 1)[None].float())
    with torch.no_grad():
        np.testing.assert_allclose(found.after, layers.model(again).softmax(1)[0].double(), atol=1e-6)
    assert all(torch.equal(value, before[name]) for name, value in layers.model.state_dict().items())
    assert all(weight.grad is None for weight in layers.model.parameters())
    wanted = fool(layers, np.asarray(seen), card.preprocessing.scaled, Attack(epsilon=8, toward=7))
    assert wanted.worked
    assert wanted.after.argmax() == 7


def test_the_least_change_works_and_one_level_less_does_not() -> None:
    """Found by halves, and checked by trying the next smaller bound."""
    card, layers = describe("lenet"), LayerActivations(load("lenet"), "cpu")
    seen, attack = np.asarray(card.preprocessing.cropped(sample("cat"))), Attack(toward=1)
    found = least_change(layers, seen, card.preprocessing.scaled, attack)
    assert found is not None
    assert found.worked
    assert found.attack.epsilon > 1
    less = Attack(found.attack.epsilon - 1, toward=1)
    assert not fool(layers, seen, card.preprocessing.scaled, less).worked


def test_no_change_is_said_where_none_works() -> None:
    """A net that returns the same for every picture, but for a little."""
    module = net()
    with torch.no_grad():
        module[3].weight.mul_(1e-6)  # type: ignore[operator, union-attr]
        module[3].bias.copy_(torch.arange(4.0))  # type: ignore[operator, union-attr]
    assert least_change(LayerActivations(module, "cpu"), picture(), prepare, Attack(), most=8) is None


def test_edits_are_in_force() -> None:
    """The picture misleads the edited model, which is another one."""
    module = net()
    layers = LayerActivations(module, "cpu")
    plain = fool(layers, picture(), prepare, Attack(4, 1))
    with layers.edit("0", output=scale(-1.0)):
        found = fool(layers, picture(), prepare, Attack(4, 1))
    assert not np.array_equal(found.picture, plain.picture)


class Deaf(nn.Module):
    """Returns scores whatever it is given."""

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """Four scores."""
        return torch.arange(4.0)[None] + 0 * given.detach().sum()


@pytest.mark.parametrize(
    ("module", "attack", "error"),
    [
        (net, Attack(epsilon=0), RequestError),
        (net, Attack(epsilon=256), RequestError),
        (net, Attack(steps=0), RequestError),
        (net, Attack(toward=CLASSES), RequestError),
        (net, Attack(meaning=LABELS), RequestError),
        (lambda: nn.Conv2d(3, 2, 3), Attack(), RequestError),
        (Deaf, Attack(), LayoutError),
    ],
)
def test_what_cannot_be_attacked_is_said(
    module: Callable[[], nn.Module], attack: Attack, error: type[VizError]
) -> None:
    """In a sentence, before or at the first step."""
    with pytest.raises(error):
        fool(LayerActivations(module(), "cpu"), picture(), prepare, attack)


def test_a_picture_of_other_numbers_is_refused() -> None:
    """Levels of a file are needed, since the bound is in them."""
    with pytest.raises(RequestError, match="uint8"):
        fool(LayerActivations(net(), "cpu"), picture().astype(np.float32), prepare)  # type: ignore[arg-type]
