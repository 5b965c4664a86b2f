import copy
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import viz
from tests.machine import patience
from viz.errors import CallError, RequestError, UnknownLayerError
from viz.hooks.activations import LayerActivations

ROOT = Path(__file__).parents[3]


class Net(nn.Module):
    """Batch normalisation, dropout and a ReLU that overwrites its input."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.relu = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True)
        self.drop, self.fc = nn.Dropout(0.5), nn.Linear(4, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(self.drop(self.relu(self.norm(self.conv(x))).mean((2, 3))))


class Skipping(nn.Module):
    """A norm that some passes go past."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.fc, self.skip = nn.LayerNorm(4), nn.Linear(4, 5), False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(x if self.skip else self.norm(x))


def trained(net: nn.Module, steps: int, seen: Callable[[int, torch.optim.Optimizer], None]) -> None:
    """Train with momentum on random pictures; ``seen`` is called around each update with its number."""
    optimiser = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
    for step in range(1, steps + 1):
        optimiser.zero_grad()
        nn.functional.cross_entropy(net(torch.randn(6, 3, 8, 8)), torch.randint(5, (6,))).backward()
        seen(step, optimiser)


def update(_: int, optimiser: torch.optim.Optimizer) -> None:
    """Make the update."""
    optimiser.step()


def outputs(net: Net, images: torch.Tensor) -> dict[str, torch.Tensor]:
    """Outputs of the layers in evaluation, called one after the other, without any hook."""
    still = copy.deepcopy(net).eval()
    with torch.no_grad():
        conv = still.conv(images)
        norm = still.norm(conv)
        fc = still.fc(still.relu(norm.clone()).mean((2, 3)))
    return {"conv": conv, "norm": norm, "fc": fc}


def test_frames_are_exact_although_a_layer_overwrites_them(images: torch.Tensor) -> None:
    """At steps 0, 2 and 4: as the layers called one by one on a copy of the model return it."""
    net, expected = Net(), []

    def seen(step: int, optimiser: torch.optim.Optimizer) -> None:
        optimiser.step()
        if step % 2 == 0:
            expected.append(outputs(net, images))

    expected.append(outputs(net, images))
    with viz.film(net, images, every=2, inputs=2, channels=(0, 3)) as film:
        trained(net, 5, seen)
    assert film.steps.tolist() == [0, 2, 4]
    assert film.layers == ("conv", "norm", "fc")
    for name in film.layers:
        by_hand = torch.stack([frame[name][:, [0, 3]] for frame in expected])
        assert film[name].dtype == np.float32
        assert np.array_equal(film[name], by_hand.numpy())
        values = np.stack([frame[name].numpy() for frame in expected]).astype(float).reshape(3, -1)
        assert np.allclose(film.statistic("mean", name), values.mean(1), rtol=1e-9, atol=1e-12)
        assert np.allclose(film.statistic("deviation", name), values.std(1), rtol=1e-9)
        places = [frame[name].transpose(0, 1).flatten(1) for frame in expected]
        dead = [sum(not bool((row > 0).any()) for row in rows) / len(rows) for rows in places]
        assert np.allclose(film.statistic("dead", name), dead)
    assert np.array_equal(film.predictions, torch.stack([frame["fc"] for frame in expected]).numpy())


def test_gradients_and_changes_of_weights_are_those_of_the_step(images: torch.Tensor) -> None:
    """Norms by hand around the update, also if the gradients of several passes are added up."""
    net, expected = Net(), []

    def seen(_: int, optimiser: torch.optim.Optimizer) -> None:
        net(torch.randn(6, 3, 8, 8)).sum().backward()
        before = torch.cat([each.detach().flatten().double() for each in net.fc.parameters()])
        gradient = torch.cat([each.grad.flatten().double() for each in net.fc.parameters()])
        optimiser.step()
        after = torch.cat([each.detach().flatten().double() for each in net.fc.parameters()])
        expected.append((gradient.norm().item(), ((after - before).norm() / before.norm()).item()))

    with viz.film(net, images, every=1, layers="fc") as film:
        trained(net, 3, seen)
    found = np.stack([film.statistic("gradient_norm", "fc"), film.statistic("update_ratio", "fc")], axis=1)
    assert np.isnan(found[0]).all()
    assert np.allclose(found[1:], expected, rtol=1e-6)


@pytest.mark.parametrize("training", [True, False])
def test_a_training_goes_on_as_if_nobody_watched(images: torch.Tensor, training: bool) -> None:
    """With dropout, norms, momentum and hooks of one's own: all numbers and states end equal, bit for bit."""
    ends = []
    for watched in (False, True):
        torch.manual_seed(1)
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002  (what models draw from)
        net = Net().train(training)
        net.drop.train()  # a mode of its own
        net.conv.weight.register_hook(lambda gradient: gradient * 2)
        before = images.clone()
        if watched:
            with viz.film(net, images, every=1):
                trained(net, 4, update)
        else:
            trained(net, 4, update)
        states = [*net.state_dict().values(), *(each.grad for each in net.parameters()), torch.rand(3)]
        modes = [each.training for each in net.modules()]
        hooks = [len(each._forward_hooks) + len(each._forward_pre_hooks) for each in net.modules()]
        ends.append((states, modes, hooks, random.random(), np.random.rand(), images))  # noqa: NPY002
        assert torch.equal(images, before)
    assert all(map(torch.equal, ends[0][0], ends[1][0]))
    assert ends[0][1:5] == ends[1][1:5]


def test_steps_are_updates_of_this_model_alone(images: torch.Tensor) -> None:
    """Not those of another model, not passes, and none once the block has ended."""
    net, other = Net(), Net()
    mine, others = (torch.optim.Adam(each.parameters()) for each in (net, other))
    with viz.film(net, images, every=1, layers="fc") as film:
        for optimiser in (others, mine, others):
            net(images).sum().backward()
            other(images).sum().backward()
            optimiser.step()
    mine.step()
    assert film.steps.tolist() == [0, 1]


def test_a_loop_without_an_optimiser_counts_by_hand(images: torch.Tensor) -> None:
    """And one that has an optimiser may call ``step`` too: no update counts twice."""
    net = Net()
    with viz.film(net, images, every=2, layers="fc") as film:
        for _ in range(4):
            net(images).sum().backward()
            norm = torch.cat([each.grad.flatten() for each in net.fc.parameters()]).norm()
            with torch.no_grad():
                for weight in net.parameters():
                    weight.sub_(0.01 * weight.grad)
            film.step()
    assert film.steps.tolist() == [0, 2, 4]
    assert film.statistic("gradient_norm", "fc")[-1] == pytest.approx(norm.item(), rel=1e-6)
    with viz.film(net, images, every=2, layers="fc") as film:
        trained(net, 4, lambda _, optimiser: (optimiser.step(), film.step()))
        film.take()
    assert film.steps.tolist() == [0, 2, 4]


def test_blocks_that_are_open_see_the_training_alone(images: torch.Tensor) -> None:
    """An edit around the loop changes the training and not the film, and a record has its calls only."""
    net = Net()
    layers = LayerActivations(net, "cpu")
    expected = outputs(net, images)["fc"]
    with (
        layers.edit("fc", output=torch.zeros_like),
        layers.capture("fc") as record,
        viz.film(net, images, layers="fc") as film,
    ):
        layers.run(images)
    assert np.array_equal(film.predictions[0], expected.numpy())
    assert len(record["fc"]) == 1


def test_memory_stays_within_the_budget_and_frames_stay_evenly_spaced(
    images: torch.Tensor, tmp_path: Path
) -> None:
    """Each second frame goes when there is no room, from the folder too, and fewer are taken from then on."""
    net, budget = Net(), 40_000
    with viz.film(net, images, every=1, budget=budget, out=tmp_path / "film") as film:
        trained(net, 150, update)
    steps = film.steps
    assert film.every > 1
    assert np.array_equal(steps, np.arange(len(steps)) * film.every)
    assert steps[-1] > 150 - film.every
    assert sum(each.nbytes for frame in film._frames for each in frame.values()) <= budget
    kept = viz.open_film(tmp_path / "film")
    assert np.array_equal(kept.steps, steps)
    assert np.array_equal(kept["conv"], film["conv"])


def test_tokens_and_several_inputs_are_filmed() -> None:
    """Channels of tokens are the last axis; a batch may be a tuple, or a dict of keyword inputs."""
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    tokens = torch.randn(3, 5, 8)
    with torch.no_grad():
        expected = copy.deepcopy(layer).eval()(tokens)[:1, :, :2]
    for batch in (tokens, (tokens, None), {"src": tokens}):
        with viz.film(layer, batch, layers=["", "linear1"], channels=2) as film:
            pass
        assert film["linear1"].shape == (1, 1, 5, 2)
        assert np.allclose(film[""][0], expected.numpy(), atol=1e-6)


def test_what_cannot_be_filmed_is_refused_before_the_training(images: torch.Tensor, tmp_path: Path) -> None:
    """A layer that is not there or does not run, no steps, no room, a folder with a film."""
    net = Net()
    net.spare = nn.Linear(2, 2)

    def begin(**options: object) -> None:
        with viz.film(net, images, **options):
            pass

    begin(out=tmp_path)  # the spare layer is left out where nobody asked for it
    for error, options in (
        (UnknownLayerError, {"layers": "nonsense"}),
        (CallError, {"layers": ["conv", "spare"]}),
        (RequestError, {"every": 0}),
        (RequestError, {"budget": 100}),
        (RequestError, {"out": tmp_path}),
    ):
        with pytest.raises(error):
            begin(**options)
    hooks = [len(each._forward_hooks) + len(each._forward_pre_hooks) for each in net.modules()]
    assert sum(hooks) == 0


def test_a_layer_that_a_pass_goes_past_has_no_numbers_there() -> None:
    """NaN in that frame alone, and its neighbours are exact."""
    net = Skipping()
    with viz.film(net, torch.rand(2, 4), every=1) as film:
        for skip in (True, False):
            net.skip = skip
            film.step()
    assert np.isnan(film["norm"][1]).all()
    assert np.isnan(film.statistic("dead", "norm")).tolist() == [False, True, False]
    assert np.array_equal(film["norm"][0], film["norm"][2])


def test_gradients_that_an_optimiser_computes_itself_are_those_of_its_step() -> None:
    """Of a step with a closure they are there only within it: the norm is that of a plain backward pass."""
    net, given = nn.Sequential(nn.Linear(4, 2)), torch.ones(3, 4)
    optimiser = torch.optim.SGD(net.parameters(), lr=0.0)

    def closure() -> float:
        optimiser.zero_grad()
        loss = net(given).square().mean()
        loss.backward()
        return loss.item()

    with viz.film(net, given, every=1, layers="0") as film:
        optimiser.step(closure)
    closure()
    assert all(each.grad is not None for each in net.parameters())
    expected = torch.cat([each.grad.flatten() for each in net.parameters() if each.grad is not None]).norm()
    assert film.statistic("gradient_norm", "0")[-1] == pytest.approx(float(expected))


def test_hooks_are_gone_after_the_training_raises(images: torch.Tensor) -> None:
    """The film has what was taken, and a later update is none of its steps."""
    net = Net()
    optimiser = torch.optim.LBFGS(net.parameters())

    def train() -> None:
        with viz.film(net, images, every=1) as film:
            films.append(film)
            optimiser.step(lambda: net(images).square().mean())
            raise ZeroDivisionError

    films: list[viz.Film] = []
    with pytest.raises(ZeroDivisionError):
        train()
    optimiser.step(lambda: net(images).square().mean())
    assert films[0].steps.tolist() == [0, 1]
    assert not any(layer._forward_hooks for layer in net.modules())


def test_a_full_disk_does_not_end_the_training(images: torch.Tensor, tmp_path: Path) -> None:
    """The folder is taken away: a warning, and the film has all frames in memory."""
    net = Net()
    with viz.film(net, images, every=1, layers="fc", out=tmp_path / "film") as film:
        shutil.rmtree(tmp_path / "film")
        with pytest.warns(UserWarning, match="goes on in memory"):
            trained(net, 3, update)
    assert film.steps.tolist() == [0, 1, 2, 3]


def test_mixed_precision_around_the_loop_leaves_frames_exact(images: torch.Tensor) -> None:
    """A frame that is taken while autocast is on has the numbers of the weights' own precision."""
    net = Net()
    with torch.autocast("cpu", dtype=torch.bfloat16), viz.film(net, images, every=1, inputs=2) as film:
        trained(net, 1, update)
    assert np.array_equal(film["fc"][-1], outputs(net, images)["fc"].numpy())


KILLED = """
import torch, viz
from torch import nn
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(144, 5))
optimiser = torch.optim.SGD(net.parameters(), lr=0.01)
with viz.film(net, torch.ones(1, 3, 8, 8), every=1, out="film"):
    while True:
        net(torch.randn(2, 3, 8, 8)).sum().backward()
        optimiser.step()
"""


@pytest.mark.slow
def test_the_film_of_a_run_that_was_killed_opens(tmp_path: Path) -> None:
    """All frames up to the moment are there, and none is torn."""
    process = subprocess.Popen([sys.executable, "-c", KILLED], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)})
    limit = time.monotonic() + patience(120)
    while len(list(tmp_path.glob("film/*.npz"))) < 20:
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    film = viz.open_film(tmp_path / "film")
    assert np.array_equal(film.steps, np.arange(len(film)))
    assert len(film) >= 20
    assert np.isfinite(film["0"]).all()
