"""torchvision's trained weights: found where torch.hub keeps them, else fetched, and never run as code."""

import os
import pickle
import socket
from pathlib import Path

import pytest
import torch

import models
from models.zoo.torchvision_zoo import TorchvisionFamily
from tests.models.conftest import WeightsServer

SMALL = "squeezenet1_1"
SMALL_FILE = "squeezenet1_1-b8a52dc0.pth"


@pytest.fixture
def small_weights(checkpoints: Path) -> Path:
    """Weights of the smallest model, this test's own, where torch.hub would have put them."""
    from torchvision.models import squeezenet1_1

    with torch.random.fork_rng():
        torch.manual_seed(123)
        torch.save(squeezenet1_1().state_dict(), checkpoints / SMALL_FILE)
    return checkpoints / SMALL_FILE


def test_weights_that_are_here_are_loaded_as_torchvision_loads_them(small_weights: Path) -> None:
    """No network is touched, and every parameter equals torchvision's."""
    from torchvision.models import get_model

    assert models.is_ready(SMALL)
    ours, theirs = models.load(SMALL), get_model(SMALL, weights="DEFAULT")
    for key, value in theirs.state_dict().items():
        assert torch.equal(ours.state_dict()[key], value)
    assert not ours.training
    assert small_weights.exists()


@pytest.mark.slow
def test_googlenet_is_put_together_as_torchvision_does_it(checkpoints: Path) -> None:
    """Trained, it has no auxiliary heads and rescales its input; untrained, the opposite."""
    from torchvision.models import GoogLeNet

    torch.save(GoogLeNet(init_weights=False).state_dict(), checkpoints / "googlenet-1378be20.pth")
    trained = models.load("googlenet")
    assert trained.aux1 is None
    assert trained.transform_input
    assert sum(value.numel() for value in trained.parameters()) == models.describe("googlenet").parameters


def test_a_file_with_code_inside_is_refused_and_the_code_does_not_run(
    checkpoints: Path, tmp_path: Path
) -> None:
    """A planted file would create another file if anything unpickled it."""
    trace = tmp_path / "trace"

    class Planted:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(trace),)

    torch.save({"conv.weight": Planted()}, checkpoints / SMALL_FILE)
    with pytest.raises(models.WeightsDamagedError, match=SMALL_FILE):
        models.load(SMALL)
    assert not trace.exists()
    (checkpoints / SMALL_FILE).write_bytes(pickle.dumps(Planted()))
    with pytest.raises(models.WeightsDamagedError, match=SMALL_FILE):
        models.load(SMALL)
    assert not trace.exists()


@pytest.mark.parametrize("kept", [0, 100, 2_000_000])
def test_a_file_cut_short_is_said_to_be_damaged(kept: int, small_weights: Path) -> None:
    """The message names the file and says to delete it."""
    small_weights.write_bytes(small_weights.read_bytes()[:kept])
    with pytest.raises(models.WeightsDamagedError, match="delete it"):
        models.load(SMALL)


def test_a_file_of_another_model_is_said_to_be_damaged(checkpoints: Path) -> None:
    """Readable weights that do not fit."""
    torch.save({"conv1.weight": torch.zeros(3)}, checkpoints / SMALL_FILE)
    with pytest.raises(models.WeightsDamagedError, match=SMALL_FILE):
        models.load(SMALL)


def test_without_a_network_the_visitor_gets_one_sentence(
    checkpoints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A port that nothing listens on stands in for no network."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("LAYERGLASS_WEIGHTS_URL", f"http://127.0.0.1:{port}")
    assert not models.is_ready(SMALL)
    with pytest.raises(models.WeightsUnavailableError, match="untrained weights") as caught:
        models.load(SMALL)
    assert SMALL_FILE in str(caught.value)
    assert not list(checkpoints.iterdir())


def test_untrained_weights_need_no_network(checkpoints: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The alternative that the message offers works."""
    monkeypatch.setenv("LAYERGLASS_WEIGHTS_URL", "http://127.0.0.1:9")
    assert models.load(SMALL, weights="random")
    assert not list(checkpoints.iterdir())


def test_a_download_reports_its_progress_and_refuses_what_is_not_torchvisions(
    server: WeightsServer, checkpoints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mirror that serves other bytes under the right name is found out by the checksum in the name."""
    monkeypatch.setenv("LAYERGLASS_WEIGHTS_URL", server.url)
    server.files[SMALL_FILE] = b"not these" * 100_000
    reports: list[tuple[int, int]] = []
    with pytest.raises(models.WeightsDamagedError, match=SMALL_FILE):
        models.download(SMALL, lambda done, total: reports.append((done, total)))
    assert reports[-1] == (900_000, 900_000)
    assert not list(checkpoints.iterdir())


@pytest.mark.slow
def test_every_model_can_be_made_without_a_warning() -> None:
    """On the device without memory, so that even the largest takes no time; warnings are errors here."""
    family = TorchvisionFamily()
    for name in family.names():
        if name.startswith(("regnet", "quantized")):  # these need values, which tensors lack there
            continue
        with torch.device("meta"):
            model = family.untrained(name)
        parameters = sum(value.numel() for key, value in model.named_parameters() if "aux" not in key.lower())
        frozen = family.describe(name).task == "detection"  # trained, their normalisation does not learn
        assert parameters <= family.describe(name).parameters * (1.01 if frozen else 1), name


def test_an_untrained_vision_transformer_takes_pictures_of_its_cards_size() -> None:
    """Its positions are weights, one for each patch; the largest one's card asks for 518 pixels."""
    family = TorchvisionFamily()
    for name in ("vit_b_32", "vit_h_14"):
        with torch.device("meta"):
            model = family.untrained(name)
        assert (model.image_size, model.image_size) == family.describe(name).input_size
