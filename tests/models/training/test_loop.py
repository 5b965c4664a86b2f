"""The training loop, on three colours."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import nn

import models
from models.training.loop import Run, accuracy, train
from models.training.pictures import Pictures, read_pictures
from models.training.recipes import RECIPES, Recipe


def tiny() -> nn.Module:
    """Return the smallest net that can tell colours apart and has running statistics."""
    return nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3)
    )


RECIPE = Recipe(
    net=tiny,
    epochs=4,
    batch=10,
    optimiser="sgd",
    rates=((0, 0), (0.2, 0.1), (1, 0)),
    weight_decay=5e-4,
    shift=1,
    cutout=2,
    label_smoothing=0.05,
    input_side=32,
    sizes=((0.5, (24,)), (1.0, (32, 40))),
)


@pytest.fixture(scope="module")
def pictures(archive: Path) -> Pictures:
    """The colours, decoded."""
    return read_pictures(archive)


def weights(run: Run) -> torch.Tensor:
    """Return everything that a run has learned as one vector."""
    return torch.cat([value.flatten().float() for value in run.net.state_dict().values()])


def test_a_net_learns(pictures: Pictures, tmp_path: Path) -> None:
    """Twelve epochs tell red, green and blue apart."""
    run = train(replace(RECIPE, epochs=12), pictures, seed=0, checkpoint=tmp_path / "run.pt")
    assert accuracy(run.net, pictures, side=32) == 1.0
    assert run.epoch == 12
    assert run.seconds > 0


class Fused(nn.Sequential):
    """The tiny net, which fails after this many forward passes in training."""

    fuse = -1

    def __init__(self) -> None:
        super().__init__(*tiny())

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        Fused.fuse -= self.training
        if Fused.fuse == 0:
            raise KeyboardInterrupt
        return super().forward(images)


def interrupted(recipe: Recipe, pictures: Pictures, checkpoint: Path, *, steps: int) -> None:
    """Start a run and interrupt it after this many steps; six make an epoch."""
    Fused.fuse = steps
    with pytest.raises(KeyboardInterrupt):
        train(recipe, pictures, seed=1, checkpoint=checkpoint)


@pytest.mark.parametrize("average_from", [0.25, 1.0])
def test_an_interrupted_run_ends_where_an_uninterrupted_one_does(
    average_from: float, pictures: Pictures, tmp_path: Path
) -> None:
    """Interrupted in the third epoch and started again, the run ends with the same weights."""
    recipe = replace(RECIPE, net=Fused, average_from=average_from)
    whole = train(recipe, pictures, seed=1, checkpoint=tmp_path / "whole.pt")
    interrupted(recipe, pictures, tmp_path / "broken.pt", steps=15)
    resumed = train(recipe, pictures, seed=1, checkpoint=tmp_path / "broken.pt")
    assert resumed.epoch == whole.epoch
    assert torch.equal(weights(resumed), weights(whole))


def test_a_run_can_end_with_the_mean_of_its_last_weights(pictures: Pictures, tmp_path: Path) -> None:
    """Averaged over the ends of the third and the fourth epoch, each read from the run's checkpoint."""
    recipe, path = replace(RECIPE, net=Fused, average_from=0.5), tmp_path / "run.pt"
    interrupted(recipe, pictures, path, steps=19)
    third = torch.load(path, weights_only=True)["net"]
    run = train(recipe, pictures, seed=1, checkpoint=path)
    fourth = torch.load(path, weights_only=True)["net"]
    for name, value in run.net.named_parameters():
        assert torch.allclose(value, (third[name] + fourth[name]) / 2, atol=1e-6)


def test_a_finished_run_is_not_run_again(pictures: Pictures, tmp_path: Path) -> None:
    """It comes back from its checkpoint, with the seconds that it took."""
    first = train(RECIPE, pictures, seed=0, checkpoint=tmp_path / "run.pt")
    second = train(RECIPE, pictures, seed=0, checkpoint=tmp_path / "run.pt")
    assert second.seconds == first.seconds
    assert torch.equal(weights(first), weights(second))


def test_another_seed_gives_another_net(pictures: Pictures, tmp_path: Path) -> None:
    """The same seed gives the same net."""
    runs = [
        train(replace(RECIPE, epochs=1), pictures, seed=seed, checkpoint=tmp_path / f"{number}.pt")
        for number, seed in enumerate((0, 0, 1))
    ]
    assert torch.equal(weights(runs[0]), weights(runs[1]))
    assert not torch.equal(weights(runs[0]), weights(runs[2]))


def test_a_checkpoint_of_another_recipe_is_refused(pictures: Pictures, tmp_path: Path) -> None:
    """Continuing with other settings would give weights that cannot be reproduced."""
    train(replace(RECIPE, epochs=1), pictures, seed=0, checkpoint=tmp_path / "run.pt")
    with pytest.raises(ValueError, match="another recipe or seed"):
        train(replace(RECIPE, epochs=2), pictures, seed=0, checkpoint=tmp_path / "run.pt")


def test_training_leaves_the_callers_random_numbers_alone(pictures: Pictures, tmp_path: Path) -> None:
    """The state of the generator is what it was."""
    state = torch.random.get_rng_state()
    train(replace(RECIPE, epochs=1), pictures, seed=0, checkpoint=tmp_path / "run.pt")
    assert torch.equal(torch.random.get_rng_state(), state)


def test_no_partial_checkpoint_is_left(pictures: Pictures, tmp_path: Path) -> None:
    """There is exactly one file, and it is complete."""
    train(replace(RECIPE, epochs=1), pictures, seed=0, checkpoint=tmp_path / "new" / "run.pt")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["run.pt"]


def test_accuracy_is_the_share_of_right_answers() -> None:
    """A net that always says 1, on labels of which a quarter are 1; no multiple of the batch."""
    net = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 4))
    nn.init.zeros_(net[2].weight)
    net[2].bias.data = torch.tensor([0.0, 9.0, 0.0, 0.0])
    labels = torch.arange(600) % 4
    black = torch.zeros(600, 3, 8, 8, dtype=torch.uint8)
    assert accuracy(net, Pictures(black, labels, black, labels, ("a", "b", "c", "d"), "none"), side=8) == 0.25


def test_the_learning_rate_rises_and_then_falls_to_nothing() -> None:
    """Highest at the end of the warm-up, zero at both ends."""
    rates = [RECIPE.learning_rate_at(step / 100) for step in range(101)]
    assert rates[0] == 0
    assert rates[20] == 0.1 == max(rates)
    assert rates[100] == pytest.approx(0)
    assert rates[:21] == sorted(rates[:21])
    assert rates[20:] == sorted(rates[20:], reverse=True)


def test_the_picture_sides_change_as_the_recipe_says() -> None:
    """The last entry also holds at the very end."""
    assert [RECIPE.sides_at(progress) for progress in (0, 0.49, 0.5, 1.0)] == [
        (24,),
        (24,),
        (32, 40),
        (32, 40),
    ]


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_recipes_net_takes_every_size_that_it_trains_on(name: str) -> None:
    """Down to the smallest side, and at the side at which it is measured."""
    recipe = RECIPES[name]
    net = recipe.net().eval()
    for side in {recipe.input_side, *(side for _, sides in recipe.sizes for side in sides)}:
        shape = (1, 1, side) if name == "signalnet" else (1, 3, side, side)
        assert net(torch.zeros(shape)).shape == (1, len(models.describe(name).classes))
