"""The files of torchvision's weights, known without its import."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from models.zoo.torchvision_files import known_files
from models.zoo.torchvision_zoo import TorchvisionFamily, asked_files


def test_what_is_kept_is_what_torchvision_says() -> None:
    """Names, addresses and sizes, in its order. If it fails after an update: tools.torchvision_files."""
    known = known_files()
    assert known is not None
    assert list(known.items()) == list(asked_files().items())


def test_no_model_list_waits_for_torchvision() -> None:
    """The list of models, and of what their weights need, stands before the first maps."""
    code = (
        "import sys, models; found = models.needs();"
        "sys.exit(found['resnet18'].bytes < 40_000_000 or 'torchvision' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_another_release_is_asked_itself(tmp_path: Path) -> None:
    """The sizes that are kept of one release may be wrong for the next."""
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps({"torchvision": "0.1", "files": {"alexnet": ["http://a/b.pth", 3]}}))
    assert known_files(kept) is None


def test_a_build_for_other_hardware_is_the_same_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wheels for CUDA have a version such as 0.29.2+cu128."""
    kept, release = tmp_path / "kept.json", version("torchvision").partition("+")[0]
    kept.write_text(json.dumps({"torchvision": release, "files": {"alexnet": ["http://a/b.pth", 3]}}))
    monkeypatch.setattr("models.zoo.torchvision_files.version", lambda _: f"{release}+cu128")
    assert known_files(kept) == {"alexnet": ("http://a/b.pth", 3)}


def test_weights_that_are_here_are_known_without_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file's name comes from the kept address."""
    monkeypatch.setattr("torch.hub.get_dir", lambda: str(tmp_path))
    family, known = TorchvisionFamily(), known_files()
    assert known is not None
    assert not family.is_ready("alexnet")
    checkpoints = tmp_path / "checkpoints"
    checkpoints.mkdir()
    (checkpoints / known["alexnet"][0].rpartition("/")[2]).write_bytes(b"weights")
    assert family.is_ready("alexnet")
