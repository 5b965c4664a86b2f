"""timm's architectures, where timm is installed: names, cards, preprocessing, weights."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import models
from models.zoo.timm_zoo import TimmFamily

timm = pytest.importorskip("timm", reason="timm is optional: pip install -r requirements-timm.txt")
SMALL = "timm/test_vit"
PICTURE = Image.fromarray(np.random.default_rng(0).integers(0, 255, (70, 110, 3), dtype=np.uint8))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where the Hugging Face libraries keep files: empty, this test's own; nobody serves more."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.delenv("LAYERGLASS_WEIGHTS_URL", raising=False)
    return tmp_path


def kept(hub: Path, name: str, file: str) -> Path:
    """The place of a downloaded file of a model's repository."""
    repository = timm.get_pretrained_cfg(name.removeprefix("timm/")).hf_hub_id
    folder = hub / f"models--{repository.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("abc")
    (folder / "snapshots" / "abc").mkdir(parents=True)
    return folder / "snapshots" / "abc" / file


def test_every_architecture_is_listed() -> None:
    """Read from timm's source, and equal to timm's own list."""
    assert models.names("timm") == tuple(f"timm/{name}" for name in sorted(timm.list_models()))


def test_listing_the_names_does_not_import_timm() -> None:
    """Importing it takes seconds, and the page lists every name."""
    code = "import sys, models; models.names('timm'); sys.exit('timm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "name", ["resnet18", "test_vit", "dla34", "coat_lite_medium_384", "deepseek_vit_412m"]
)
def test_a_picture_is_prepared_as_timm_prepares_it(name: str) -> None:
    """Bit for bit: centre crops of both filters, a squeezed picture, one with borders."""
    from timm.data import create_transform, resolve_data_config

    config = resolve_data_config(pretrained_cfg=timm.get_pretrained_cfg(name).to_dict())
    card = models.describe(f"timm/{name}")
    prepared = card.preprocessing(PICTURE)
    assert torch.equal(prepared, create_transform(**config)(PICTURE)[None])
    assert prepared.shape[-2:] == card.input_size
    assert card.preprocessing.as_seen(prepared).size == card.input_size[::-1]


def test_a_card_states_what_timm_states() -> None:
    """Facts that anyone can look up."""
    card = models.describe("timm/resnet18")
    assert (card.family, card.task, card.parameters) == ("timm", "classification", 11_689_512)
    assert card.classes[207].startswith("golden retriever")
    assert "a1_in1k" in card.weights_origin
    assert card.weights_licence == "apache-2.0"
    assert card.has_pretrained


def test_a_model_without_trained_weights_says_so() -> None:
    """On the card, and when they are asked for."""
    name = next(name for name in timm.list_models() if not timm.is_model_pretrained(name))
    assert not models.describe(f"timm/{name}").has_pretrained
    with pytest.raises(models.WeightsUnavailableError, match="no trained weights"):
        models.load(f"timm/{name}")


def test_untrained_weights_are_those_after_a_seed_of_zero() -> None:
    """The same promise as for all other models."""
    ours = models.load(SMALL, weights="random").state_dict()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        theirs = timm.create_model("test_vit").state_dict()
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[key], theirs[key]) for key in ours)


def test_without_a_network_the_visitor_gets_one_sentence_at_once(hub: Path) -> None:
    """A port that nothing listens on stands in for no network."""
    assert not models.is_ready(SMALL)
    with pytest.raises(models.WeightsUnavailableError, match="untrained weights"):
        models.load(SMALL)
    assert not list(hub.iterdir())


def test_weights_that_are_here_are_loaded_without_a_network(hub: Path) -> None:
    """From where timm itself would have put them."""
    from safetensors.torch import save_file

    other = timm.create_model("test_vit").state_dict()
    other["head.bias"] += 3
    save_file(other, kept(hub, SMALL, "model.safetensors"))
    assert models.is_ready(SMALL)
    assert torch.equal(models.load(SMALL).head.bias, other["head.bias"])


@pytest.mark.parametrize("file", ["model.safetensors", "pytorch_model.bin"])
@pytest.mark.parametrize("content", [b"", b"nothing that holds weights" * 9])
def test_a_damaged_file_is_named(file: str, content: bytes, hub: Path) -> None:
    """The sentence names the file and says what to do about it."""
    path = kept(hub, SMALL, file)
    path.write_bytes(content)
    with pytest.raises(models.WeightsDamagedError, match="delete it"):
        models.load(SMALL)


def test_without_timm_the_sentence_says_how_to_get_it() -> None:
    """In a process that cannot find it: no names, and everything else works."""
    code = """
import sys
sys.modules["timm"] = None
import models
assert models.names("timm") == models.representatives("timm") == ()
assert "timm" in models.families() and "resnet18" in models.names()
try:
    models.describe("timm/resnet18")
except models.UnknownModelError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "pip install -r requirements-timm.txt" in done.stdout


@pytest.mark.models
@pytest.mark.slow
def test_the_smallest_of_each_file_of_timm_stands_for_it() -> None:
    """Against timm's own list of its files."""
    chosen = TimmFamily().representatives()
    modules = [timm.model_entrypoint(name.removeprefix("timm/")).__module__.split(".")[-1] for name in chosen]
    assert sorted(modules) == sorted(
        module for module in timm.list_modules() if timm.list_models(module=module)
    )
