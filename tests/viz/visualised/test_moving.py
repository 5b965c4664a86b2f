"""Small changes of a picture: as drawn from the generator, the same for all pictures, and small."""

import pytest
import torch

from viz.visualised.moving import cropped, moved


@pytest.mark.parametrize("change", [moved, cropped])
def test_changes_are_those_of_the_generator(change) -> None:  # noqa: ANN001
    """Again with the same state; otherwise with another."""
    pictures = torch.rand(2, 3, 20, 24, generator=torch.Generator().manual_seed(0))
    one, again, other = (change(pictures, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2))
    assert one.shape == pictures.shape
    torch.testing.assert_close(one, again, rtol=0, atol=0)
    assert not torch.allclose(one, other)


def test_a_plain_picture_stays_plain() -> None:
    """Borders are mirrored: no other colour comes in."""
    plain = torch.full((1, 3, 16, 16), 0.3)
    torch.testing.assert_close(moved(plain, torch.Generator().manual_seed(4)), plain)


def test_a_spot_moves_by_little() -> None:
    """In the middle it stays within two pixels of the allowed sixteenth of the side."""
    picture = torch.zeros(1, 1, 33, 33)
    picture[0, 0, 15:18, 15:18] = 1
    for seed in range(8):
        found = moved(picture, torch.Generator().manual_seed(seed))[0, 0]
        rows = (found.sum(1) * torch.arange(33.0)).sum() / found.sum()
        assert abs(float(rows) - 16) < 33 * 0.06 / 0.9 + 1
