"""A data set that can be learned in a second: one colour per class, in an archive of JPEG files."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

COLOURS = ((220, 30, 30), (30, 220, 30), (30, 30, 220))


def jpeg(colour: tuple[int, int, int], shade: int) -> bytes:
    """Return one 32x32 JPEG file of about that colour."""
    file = io.BytesIO()
    Image.new("RGB", (32, 32), tuple(max(0, value - shade) for value in colour)).save(
        file, "JPEG", quality=95
    )
    return file.getvalue()


def split(each: int) -> dict[str, np.ndarray]:
    """Return the three arrays of one split, sorted by class."""
    files = [jpeg(colour, shade) for colour in COLOURS for shade in range(each)]
    offsets = np.cumsum([0, *(len(file) for file in files)])
    labels = np.repeat(np.arange(len(COLOURS)), each).astype(np.uint8)
    return {"jpeg": np.frombuffer(b"".join(files), np.uint8), "offsets": offsets, "labels": labels}


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of the archive: 60 pictures to train on, 15 to test with, in three classes."""
    path = tmp_path_factory.mktemp("data") / "colours.npz"
    arrays = {f"train_{key}": value for key, value in split(20).items()}
    arrays |= {f"test_{key}": value for key, value in split(5).items()}
    np.savez(path, classes=np.array(["red", "green", "blue"]), **arrays)
    return path
