"""Settings of optimised pictures: within bounds, or refused."""

import pytest

from viz.errors import RequestError
from viz.request.optimised import MOST_PICTURES, MOST_STEPS, Making, checked


def test_what_can_be_stays_as_it_is() -> None:
    """From a photograph there is one picture: several would only be kept apart by leaving it."""
    making = Making("maco", MOST_STEPS, 7, MOST_PICTURES)
    assert checked(making) == making
    assert checked(Making(count=4, from_photo=True)).count == 1


@pytest.mark.parametrize(
    "making",
    [
        Making("pixels"),  # type: ignore[arg-type]
        Making(steps=0),
        Making(steps=MOST_STEPS + 1),
        Making(count=0),
        Making(count=MOST_PICTURES + 1),
        Making(seed=-1),
        Making(seed=1 << 32),
    ],
)
def test_what_cannot_be_is_refused(making: Making) -> None:
    """A link or a command may say anything."""
    with pytest.raises(RequestError):
        checked(making)
