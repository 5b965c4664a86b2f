from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import viz
from viz.errors import RequestError, UnknownLayerError


@pytest.fixture
def film() -> viz.Film:
    """Three frames of a net whose first layer dies: its bias is pushed down in each step."""
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(144, 5))
    optimiser = torch.optim.SGD(net.parameters(), lr=1)
    with viz.film(net, torch.rand(2, 3, 8, 8), every=1, layers=(0, 1, 3)) as film:
        for step in range(2):
            for weight in net.parameters():
                weight.grad = torch.zeros_like(weight)
            net[0].bias.grad[: 2 * (step + 1)] = 1000
            optimiser.step()
    return film


def test_one_file_has_the_whole_film_for_numpy_too(film: viz.Film, tmp_path: Path) -> None:
    """Names say what the arrays are, and the film opens equal."""
    film.save(tmp_path / "film.npz")
    with np.load(tmp_path / "film.npz", allow_pickle=False) as file:
        assert file["layers"].tolist() == ["0", "1", "3"]
        assert file["maps/0"].shape == (3, 1, 4, 6, 6)
        assert np.array_equal(file["statistics/dead"], film.statistic("dead"))
        assert file["predictions"].shape == (3, 2, 5)
    opened = viz.open_film(tmp_path / "film.npz")
    assert opened.layers == film.layers
    assert all(np.array_equal(opened[name], film[name]) for name in film.layers)
    assert opened.channels("0").tolist() == [0, 1, 2, 3]
    assert repr(opened) == repr(film)
    assert [path.name for path in tmp_path.iterdir()] == ["film.npz"]


def test_a_layer_that_dies_is_seen_in_the_heat_map(film: viz.Film) -> None:
    """Half of four channels after the first step, all after the second; the rows are the layers."""
    assert film.statistic("dead", "1")[1:].tolist() == [0.5, 1]
    figure = film.figure()
    axes = figure.axes[0]
    [image] = axes.images
    assert np.array_equal(np.asarray(image.get_array()), film.statistic("dead").T)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "1", "3"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "2"]
    assert image.get_clim() == (0, 1)


def test_a_frame_of_a_layer_is_shown_as_maps(film: viz.Film) -> None:
    """Four maps."""
    assert viz.show(film["0"][-1]).count == 4


def test_what_a_film_does_not_have_is_said(film: viz.Film, tmp_path: Path) -> None:
    """A layer, a statistic, a folder without frames, a file of something else."""
    with pytest.raises(UnknownLayerError, match="no layer 'conv'"):
        _ = film["conv"]
    with pytest.raises(RequestError, match="gradient_norm"):
        film.statistic("median")
    (tmp_path / "other.npz").write_bytes(b"PK nonsense")
    np.savez(tmp_path / "others.npz", a=np.ones(3))
    (tmp_path / "empty").mkdir()
    for name in ("other.npz", "others.npz", "empty", "nowhere"):
        with pytest.raises(RequestError):
            viz.open_film(tmp_path / name)
