"""The command, from an archive of pictures to a card."""

import json
from pathlib import Path

import pytest
import torch

import models
from models.training.__main__ import main
from models.training.recipes import RECIPES
from models.zoo.bundled_zoo import BundledFamily
from models.zoo.packaged_weights import LITE0

GOALS = {"lenet": 0.65, "photonet": 0.90, "patchformer": 0.75, "signalnet": 0.95}


@pytest.fixture(scope="module")
def trained(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that one epoch of LeNet on three colours leaves behind."""
    folder = tmp_path_factory.mktemp("run")
    places = ["--checkpoint", str(folder / "checkpoint" / "lenet.pt"), "--out", str(folder / "weights")]
    main(["lenet", "--data", str(archive), "--epochs", "1", "--seed", "5", *places])
    return folder / "weights"


def test_the_command_leaves_weights_and_a_record(trained: Path) -> None:
    """Two whole files, nothing else."""
    assert sorted(path.name for path in trained.iterdir()) == ["lenet.json", "lenet.safetensors"]


def test_the_record_says_how_the_weights_came_to_be(trained: Path) -> None:
    """Everything that is needed to make them again or to doubt them."""
    record = json.loads((trained / "lenet.json").read_text(encoding="utf-8"))
    assert record["epochs"] == 1
    assert record["seed"] == 5
    assert record["test_examples"] == 15
    assert record["training_examples"] == 60
    assert record["classes"] == ["red", "green", "blue"]
    assert record["parameters"] == 62_006
    assert record["torch"] == torch.__version__
    assert 0 <= record["accuracy"] <= 1


def test_the_card_reads_the_record(trained: Path) -> None:
    """The page shows the numbers that the script measured."""
    card = BundledFamily(trained).describe("lenet")
    record = json.loads((trained / "lenet.json").read_text(encoding="utf-8"))
    assert card.has_pretrained
    assert card.classes == ("red", "green", "blue")
    assert f"{record['accuracy']:.1%} of 15 test examples" in card.accuracy
    assert "seed 5" in card.weights_origin


def test_the_weights_can_be_loaded_and_are_not_the_untrained_ones(trained: Path) -> None:
    """The catalogue's family takes them as they are."""
    net = BundledFamily(trained).trained("lenet")
    assert not torch.equal(net.conv1.weight, models.load("lenet", weights="random").conv1.weight)


def test_the_bundled_record_belongs_to_the_bundled_weights() -> None:
    """The records of all nets that were trained here reach the goals that were set, on all test examples."""
    folder = Path(models.__file__).parent / "weights"
    assert set(GOALS) == set(RECIPES) == set(models.names("bundled")) - {LITE0.model}
    for name, goal in GOALS.items():
        record = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        assert record["accuracy"] >= goal
        assert record["test_examples"] == (2_000 if name == "signalnet" else 10_000)
        assert record["parameters"] == models.describe(name).parameters


def test_a_missing_archive_is_said_before_anything_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit status of a wrong request, and the path."""
    with pytest.raises(SystemExit) as caught:
        main(["lenet", "--data", "nowhere.npz"])
    assert caught.value.code == 2
    assert "nowhere.npz" in capsys.readouterr().err


def test_an_unknown_net_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit status of a wrong request."""
    with pytest.raises(SystemExit) as caught:
        main(["alexnet"])
    assert caught.value.code == 2
    assert "photonet" in capsys.readouterr().err
