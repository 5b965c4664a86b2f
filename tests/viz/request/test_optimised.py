"""Settings of optimised pictures: within bounds, or refused."""

import pytest

from viz.errors import RequestError
from viz.request.optimised import MOST_PICTURES, MOST_STEPS, OptimisationSettings, checked


def test_what_can_be_stays_as_it_is() -> None:
    """From a photograph there is one picture: several would only be kept apart by leaving it."""
    making = OptimisationSettings("maco", MOST_STEPS, 7, MOST_PICTURES)
    assert checked(making) == making
    assert checked(OptimisationSettings(count=4, from_photo=True)).count == 1


@pytest.mark.parametrize(
    "making",
    [
        OptimisationSettings("pixels"),  # type: ignore[arg-type]
        OptimisationSettings(steps=0),
        OptimisationSettings(steps=MOST_STEPS + 1),
        OptimisationSettings(count=0),
        OptimisationSettings(count=MOST_PICTURES + 1),
        OptimisationSettings(seed=-1),
        OptimisationSettings(seed=1 << 32),
    ],
)
def test_what_cannot_be_is_refused(making: OptimisationSettings) -> None:
    """A link or a command may say anything."""
    with pytest.raises(RequestError):
        checked(making)
