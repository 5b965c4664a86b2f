"""Reading and varying pictures for training."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

from models.preprocessing import CIFAR10_MEAN, CIFAR10_STD, Preprocessing
from models.training.pictures import augmented, normalised, read_pictures
from tests.models.training.conftest import COLOURS


def generator(seed: int = 0) -> torch.Generator:
    """Return a generator that always draws the same numbers."""
    return torch.Generator().manual_seed(seed)


def test_an_archive_of_jpeg_files_is_read(archive: Path) -> None:
    """Every picture has its class's colour, give or take JPEG."""
    pictures = read_pictures(archive)
    assert pictures.train.shape == (60, 3, 32, 32)
    assert pictures.test.shape == (15, 3, 32, 32)
    assert pictures.train.dtype == torch.uint8
    assert pictures.classes == ("red", "green", "blue")
    for picture, label in zip(pictures.train, pictures.train_labels, strict=True):
        mean = picture.float().mean((1, 2))
        assert (mean - torch.tensor(COLOURS[label])).abs().max() < 25


def test_torchvisions_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six files in CIFAR-10's own format, with torchvision's checksums replaced by these files' own."""
    from torchvision.datasets import CIFAR10
    from torchvision.datasets.utils import calculate_md5

    folder = tmp_path / CIFAR10.base_folder
    folder.mkdir()
    for number, (name, _) in enumerate([*CIFAR10.train_list, *CIFAR10.test_list]):
        data = np.full((2, 3072), number, np.uint8)
        (folder / name).write_bytes(pickle.dumps({"data": data, "labels": [0, 1]}))
    (folder / "batches.meta").write_bytes(pickle.dumps({"label_names": ["cat", "dog"]}))
    for attribute in ("train_list", "test_list"):
        sums = [[name, calculate_md5(folder / name)] for name, _ in getattr(CIFAR10, attribute)]
        monkeypatch.setattr(CIFAR10, attribute, sums)
    monkeypatch.setitem(CIFAR10.meta, "md5", calculate_md5(folder / "batches.meta"))
    pictures = read_pictures(tmp_path)
    assert pictures.train[:, 0, 0, 0].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert pictures.test[:, 0, 0, 0].tolist() == [5, 5]
    assert pictures.test_labels.tolist() == [0, 1]
    assert pictures.classes == ("cat", "dog")


def test_training_sees_values_on_the_scale_of_the_models_preprocessing() -> None:
    """Normalising a picture here equals what the page does with it."""
    from PIL import Image

    values = np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    picture = torch.from_numpy(values).permute(2, 0, 1).unsqueeze(0)
    page = Preprocessing(32, (32, 32), mean=CIFAR10_MEAN, std=CIFAR10_STD)(Image.fromarray(values))
    assert torch.allclose(normalised(picture), page, atol=1e-6)


def test_without_variation_a_picture_is_itself_or_its_mirror_image() -> None:
    """Both occur among sixty-four pictures."""
    pictures = torch.randint(256, (64, 3, 8, 8), dtype=torch.uint8, generator=generator())
    varied = augmented(pictures, generator(), shift=0, cutout=0)
    itself = (varied == normalised(pictures)).flatten(1).all(1)
    mirrored = (varied == normalised(pictures.flip(-1))).flatten(1).all(1)
    assert (itself | mirrored).all()
    assert 10 < int(itself.sum()) < 54


def test_a_shift_moves_a_picture_in_one_piece() -> None:
    """Every result is one of the 25 crops of the reflected picture, and many of them occur."""
    picture = torch.arange(64, dtype=torch.uint8).view(1, 1, 8, 8).expand(200, 3, 8, 8)
    padded = torch.nn.functional.pad(picture[:1].float(), (2, 2, 2, 2), mode="reflect").to(torch.uint8)
    crops = {
        tuple(normalised(side[:, :, row : row + 8, column : column + 8])[0, 0].flatten().tolist())
        for row in range(5)
        for column in range(5)
        for side in (padded, padded.flip(-1))
    }
    varied = augmented(picture, generator(), shift=2, cutout=0)
    found = {tuple(each[0].flatten().tolist()) for each in varied}
    assert found <= crops
    assert len(found) > 25


def test_a_cutout_blanks_one_square_and_nothing_else() -> None:
    """On white pictures the zeros are a square of at most the given side, each time at another place."""
    varied = augmented(torch.full((50, 3, 16, 16), 255, dtype=torch.uint8), generator(), shift=0, cutout=6)
    places = set()
    for picture in varied:
        rows, columns = torch.nonzero(picture[0] == 0, as_tuple=True)
        height, width = int(rows.max() - rows.min()) + 1, int(columns.max() - columns.min()) + 1
        assert len(rows) == height * width
        assert max(height, width) <= 6
        places.add((int(rows.min()), int(columns.min())))
    assert len(places) > 20


def test_the_same_generator_gives_the_same_variation() -> None:
    """Seeds make runs repeatable; the process's own random numbers are not touched."""
    pictures = torch.randint(256, (5, 3, 8, 8), dtype=torch.uint8, generator=generator())
    state = torch.random.get_rng_state()
    first, second = (augmented(pictures, generator(3), shift=2, cutout=4) for _ in range(2))
    assert torch.equal(first, second)
    assert torch.equal(torch.random.get_rng_state(), state)
