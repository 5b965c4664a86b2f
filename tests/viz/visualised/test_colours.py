"""Components of colours: back and forth, and the longest row is one long."""

import pytest
import torch

from viz.visualised.colours import mixed, mixing, unmixed


@pytest.mark.parametrize("colours", [1, 3, 4])
def test_unmixing_is_the_inverse_of_mixing(colours: int) -> None:
    """Of any number of colours; only of three is anything known."""
    components = torch.randn(2, colours, 5, 6, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(unmixed(mixed(components)), components, rtol=1e-3, atol=1e-4)
    assert torch.equal(mixing(colours), torch.eye(colours)) == (colours != 3)


def test_the_first_component_is_brightness() -> None:
    """It raises all three colours about alike, and the two others lower some of them."""
    matrix = mixing(3)
    assert float(matrix.norm(dim=1).max()) == pytest.approx(1)
    assert float(matrix[:, 0].std() / matrix[:, 0].mean()) < 0.1
    assert (matrix[:, 1:].amin(0) < 0).all()
