"""Loading: which weights, in which state, and what is left untouched."""

import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from torch import nn

import models
from models.nets.bundled import LeNet
from models.zoo.bundled_zoo import BundledFamily


def same(first: nn.Module, second: nn.Module) -> bool:
    """Return whether two models have the same parameters and buffers, names and values."""
    ours, theirs = first.state_dict(), second.state_dict()
    return list(ours) == list(theirs) and all(torch.equal(ours[key], theirs[key]) for key in ours)


def seeded(build: object, *arguments: object, **options: object) -> nn.Module:
    """Return what ``build`` makes right after ``torch.manual_seed(0)``, however much it warns."""
    with torch.random.fork_rng(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        return build(*arguments, **options)  # type: ignore[operator, no-any-return]


@pytest.mark.parametrize("name", ["resnet18", "squeezenet1_1", "mnasnet0_5", "shufflenet_v2_x0_5"])
def test_untrained_weights_are_those_after_seed_zero(name: str) -> None:
    """Bit for bit what anyone gets from torchvision with one line before it."""
    from torchvision.models import get_model

    assert same(models.load(name, weights="random"), seeded(get_model, name, weights=None))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["googlenet", "inception_v3"])
def test_models_that_warn_about_their_start_values_are_the_same_without_the_warning(name: str) -> None:
    """The auxiliary heads are there too, as torchvision has them."""
    from torchvision.models import get_model

    ours = models.load(name, weights="random")
    assert same(ours, seeded(get_model, name, weights=None))
    assert any("aux" in key.lower() for key in ours.state_dict())


def test_untrained_bundled_weights_are_those_after_seed_zero() -> None:
    """The same promise for the built-in nets."""
    assert same(models.load("lenet", weights="random"), seeded(LeNet))


@pytest.mark.parametrize("weights", ["pretrained", "random"])
def test_the_callers_random_numbers_go_on_as_if_nothing_had_happened(weights: str) -> None:
    """A load in the middle of a random sequence changes none of its numbers."""
    torch.manual_seed(7)
    expected = torch.rand(4)
    torch.manual_seed(7)
    first = torch.rand(2)
    models.load("lenet", weights=weights)
    assert torch.equal(torch.cat([first, torch.rand(2)]), expected)


@pytest.mark.parametrize("weights", ["pretrained", "random"])
@pytest.mark.parametrize("name", models.names("bundled"))
def test_a_model_comes_ready_to_be_looked_at(name: str, weights: str) -> None:
    """Evaluation mode in every part, no parameter that asks for a gradient, on the processor."""
    model = models.load(name, weights=weights)
    assert not any(module.training for module in model.modules())
    assert not any(value.requires_grad for value in model.parameters())
    assert {value.device.type for value in model.parameters()} == {"cpu"}


def test_a_model_goes_to_the_device_that_was_named() -> None:
    """The device without memory stands in for a graphics card."""
    model = models.load("lenet", weights="random", device="meta")
    assert {value.device.type for value in model.parameters()} == {"meta"}


def test_every_load_is_a_new_model() -> None:
    """One visitor's edit of weights cannot reach another."""
    first, second = models.load("lenet"), models.load("lenet")
    next(first.parameters()).zero_()
    assert not same(first, second)


def test_many_threads_load_the_same_untrained_weights() -> None:
    """The seed of one thread does not affect the model that another constructs."""
    expected = seeded(LeNet)
    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(lambda _: models.load("lenet", weights="random"), range(32)))
    assert all(same(model, expected) for model in loaded)


@pytest.mark.parametrize("weights", ["", "Pretrained", "none", "x" * 1000])
def test_unknown_weights_are_refused_with_the_two_that_exist(weights: str) -> None:
    """A ValueError that lists them, on one short line."""
    with pytest.raises(models.UnknownWeightsError, match='"pretrained" and "random"') as caught:
        models.load("lenet", weights=weights)
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 150


def test_trained_weights_need_no_network_where_they_are_bundled() -> None:
    """Ready without a download, and downloading them does nothing."""
    trained = [name for name in models.names("bundled") if models.describe(name).has_pretrained]
    assert {"lenet", "photonet", "signalnet"} <= set(trained)
    for name in trained:
        assert models.is_ready(name)
        models.download(name)


def test_a_copy_without_the_files_says_so(tmp_path: Path) -> None:
    """A shallow copy of the project may lack them: no trained weights, and one sentence."""
    family = BundledFamily(tmp_path)
    card = family.describe("lenet")
    assert not card.has_pretrained
    assert not card.accuracy
    assert card.parameters == 62_006
    with pytest.raises(models.WeightsUnavailableError, match="untrained weights"):
        family.trained("lenet")


@pytest.mark.parametrize("damage", ["empty", "cut short", "another net", "text"])
def test_a_damaged_file_is_said_to_be_damaged(damage: str, tmp_path: Path) -> None:
    """No damage brings a traceback from inside a library."""
    weights = Path(models.__file__).parent / "weights"
    whole = (weights / "lenet.safetensors").read_bytes()
    content = {
        "empty": b"",
        "cut short": whole[: len(whole) // 2],
        "another net": (weights / "photonet.safetensors").read_bytes(),
        "text": b"version https://git-lfs.example/spec/v1\n" * 3,
    }[damage]
    (tmp_path / "lenet.safetensors").write_bytes(content)
    with pytest.raises(models.WeightsDamagedError, match=r"lenet\.safetensors"):
        BundledFamily(tmp_path).trained("lenet")


def test_loading_a_bundled_net_warns_of_nothing() -> None:
    """With every warning an error, in a new process."""
    code = "import models; [models.load(name) for name in models.names('bundled')]"
    assert subprocess.run([sys.executable, "-W", "error", "-c", code], check=False).returncode == 0
