"""The command that writes what is kept of torchvision."""

import json

from models.zoo.torchvision_files import KEPT
from tools.torchvision_files import kept_text


def test_the_file_is_what_the_command_writes() -> None:
    """Byte for byte, so that an update shows only what has changed."""
    assert KEPT.read_text(encoding="utf-8") == kept_text()
    assert json.loads(kept_text())["files"]["resnet18"][0].startswith("https://")
