"""Spectra: their law by NumPy, pictures within bounds, magnitudes that stay, a photograph that comes back."""

import numpy as np
import torch

from viz.visualised.colours import unmixed
from viz.visualised.spectra import AccentedPhoto, Phases, Waves, falling, frequencies

SIZE = (12, 18)


def generator() -> torch.Generator:
    """The same random numbers each time."""
    return torch.Generator().manual_seed(0)


def test_the_law_falls_with_numpys_frequencies() -> None:
    """Magnitude times frequency is the same everywhere but at the constant entry."""
    down, across = np.fft.fftfreq(SIZE[0]), np.fft.rfftfreq(SIZE[1])
    expected = np.hypot(down[:, None], across[None])
    np.testing.assert_allclose(frequencies(SIZE).numpy(), expected, rtol=1e-6)
    product = (falling(SIZE) * frequencies(SIZE)).numpy().ravel()[1:]
    np.testing.assert_allclose(product, product[0], rtol=1e-5)


def test_pictures_begin_grey_and_stay_between_black_and_white() -> None:
    """Also with parameters far beyond what steps reach."""
    waves = Waves(2, 3, SIZE, generator())
    assert waves.pictures().requires_grad
    with torch.no_grad():
        first = waves.pictures()
        waves.parameter.mul_(1e4)
        last = waves.pictures()
    assert first.shape == (2, 3, *SIZE)
    assert float((first - 0.5).abs().max()) < 0.2
    assert 0 <= float(last.min()) < 0.01
    assert 0.99 < float(last.max()) <= 1


def test_phases_change_no_magnitude() -> None:
    """By NumPy's transform of the picture before it is squeezed; the outer columns are their own mirrors."""
    canvas = Phases(1, 3, SIZE, generator())
    with torch.no_grad():
        canvas.parameter.add_(torch.randn(canvas.parameter.shape, generator=generator()))
        waves = unmixed(torch.logit(canvas.pictures()))[0].numpy()
    found = np.abs(np.fft.rfft2(waves, norm="ortho"))[:, :, 1:-1]
    expected = np.broadcast_to(canvas._law.numpy()[:, 1:-1], found.shape)
    np.testing.assert_allclose(found, expected, rtol=2e-2, atol=1e-2)


def test_a_photograph_comes_back_and_is_kept_near() -> None:
    """Before the first step it is the photograph; after the largest, it is as far as it may be."""
    photo = torch.rand(1, 3, *SIZE, generator=generator())
    canvas = AccentedPhoto(photo, 0.1)
    torch.testing.assert_close(canvas.pictures(), photo, atol=3e-3, rtol=0)
    with torch.no_grad():
        canvas.parameter.add_(torch.randn(canvas.parameter.shape, generator=generator()) * 5)
    canvas.settle()
    far = float((canvas.pictures().detach() - photo).square().mean().sqrt())
    assert 0.05 < far <= 0.1
