"""The names of ImageNet's classes."""

import subprocess
import sys
from pathlib import Path

import pytest
from torchvision.models import ResNet50_Weights

from models.zoo import imagenet_names


@pytest.fixture(autouse=True)
def _fresh() -> None:
    """Each test reads them anew."""
    imagenet_names.imagenet_names.cache_clear()


def test_they_are_those_of_torchvisions_models() -> None:
    """In the same order, by the public way to them."""
    assert imagenet_names.imagenet_names() == tuple(ResNet50_Weights.DEFAULT.meta["categories"])


def test_they_do_not_wait_for_torchvision() -> None:
    """Importing it takes two seconds, and the card of a net on the first screen names them."""
    code = (
        "import sys; from models.zoo.imagenet_names import imagenet_names;"
        "sys.exit(len(imagenet_names()) != 1000 or 'torchvision' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("source", [None, "_OTHER = ['a']\n"])
def test_a_release_that_keeps_them_elsewhere_is_asked(
    source: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file may go, and so may the name in it: it is private."""
    path = tmp_path / "names.py"
    if source is not None:
        path.write_text(source, encoding="utf-8")
    monkeypatch.setattr(imagenet_names, "_FILE", str(path))
    assert imagenet_names.imagenet_names() == tuple(ResNet50_Weights.DEFAULT.meta["categories"])
