from pathlib import Path
from typing import Any

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


class Trimmed(nn.Module):
    """A layer that passes on as many columns as its weight says."""

    def __init__(self) -> None:
        super().__init__()
        self.width = nn.Parameter(torch.tensor(2.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x[..., : int(self.width)]


def filmed(trimmed: Trimmed, net: nn.Module, picture: torch.Tensor, **more: Any) -> viz.Film:
    """Return two frames: of two columns, and of three."""
    with viz.film(net, picture, **more) as film:
        trimmed.width.data.fill_(3)
        film.step()
        film.take()
    return film


def test_a_film_with_outputs_of_changing_shape_is_saved_without_them(tmp_path: Path) -> None:
    """Their statistics and the other layers are those of plain PyTorch; each frame's own file is whole."""
    picture, fc, trimmed = torch.rand(1, 3, 2, 8), nn.Linear(3, 2), Trimmed()
    net = nn.Sequential(trimmed, nn.AdaptiveAvgPool2d(1), nn.Flatten(), fc)
    film = filmed(trimmed, net, picture, layers=("0", "3"), out=tmp_path / "frames")
    shown = [picture[..., :width] for width in (2, 3)]
    with pytest.warns(UserWarning, match=r"without maps/0, .* film\(out=FOLDER\)"):
        film.save(tmp_path / "film.npz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.npz", "frames"]
    for each in (film, viz.open_film(tmp_path / "film.npz"), viz.open_film(tmp_path / "frames")):
        expected = torch.stack([fc(part.mean((2, 3))) for part in shown]).detach()
        torch.testing.assert_close(torch.from_numpy(each["3"]), expected)
        torch.testing.assert_close(
            torch.from_numpy(each.statistic("mean", "0")),
            torch.stack([part.mean() for part in shown]).double(),
        )
        with pytest.raises(RequestError, match="layer '0' returned outputs of more than one shape"):
            _ = each["0"]
    for file, part in zip(sorted((tmp_path / "frames").iterdir()), shown, strict=True):
        with np.load(file) as frame:
            assert np.array_equal(frame["maps/0"][0], part.numpy())


def test_predictions_of_changing_shape_are_left_out_of_a_saved_film(tmp_path: Path) -> None:
    """The film says so, before and after."""
    trimmed = Trimmed()
    film = filmed(trimmed, nn.Sequential(trimmed), torch.rand(1, 3, 2, 8))
    with pytest.warns(UserWarning, match="predictions"):
        film.save(tmp_path / "film.npz")
    for each in (film, viz.open_film(tmp_path / "film.npz")):
        with pytest.raises(RequestError, match="more than one shape, so this film has no predictions"):
            _ = each.predictions


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_film_that_cannot_be_written_leaves_no_file(
    film: viz.Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: BaseException
) -> None:
    """A full disk and a key alike; a film that was there before is whole."""
    film.save(tmp_path / "film.npz")
    before = (tmp_path / "film.npz").read_bytes()

    def torn(file: Any, **_: Any) -> None:
        file.write(b"half of it")
        raise problem

    monkeypatch.setattr(np, "savez", torn)
    with pytest.raises(type(problem)):
        film.save(tmp_path / "film.npz")
    monkeypatch.undo()
    with pytest.raises(OSError, match="director"):
        film.save(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["film.npz"]
    assert not tmp_path.with_name(f"{tmp_path.name}.partial").exists()
    assert (tmp_path / "film.npz").read_bytes() == before
