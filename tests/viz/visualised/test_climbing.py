"""Steps up a slope: those of PyTorch's own optimiser."""

import torch

from viz.visualised.climbing import Climber


def test_steps_are_those_of_pytorchs_optimiser() -> None:
    """NAdam with its defaults, told to go up; on a slope that changes with the place."""
    ours = torch.linspace(-1, 2, 7)
    theirs = ours.clone().requires_grad_()
    climber = Climber(ours, 0.1)
    optimiser = torch.optim.NAdam([theirs], lr=0.1, maximize=True)
    for _ in range(20):
        climber.climb(-(ours**3) + 1)
        theirs.grad = (-(theirs**3) + 1).detach()
        optimiser.step()
    torch.testing.assert_close(ours, theirs.detach(), rtol=1e-4, atol=1e-5)
    assert climber.bytes == 4 * ours.nbytes
