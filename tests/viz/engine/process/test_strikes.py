"""Strikes of a model are counted for a time, and for its weights alone."""

import time

import pytest

from viz.engine.process.patience import Patience
from viz.engine.process.strikes import Strikes
from viz.errors import CaptureError

NET, OTHER = ("net", "pretrained"), ("net", "own:1")
REASON = CaptureError("The process of this model crashed ({signal}).", signal="SIGSEGV")


def test_the_second_time_it_is_put_aside_with_its_reason() -> None:
    """The same model with other weights is not."""
    strikes = Strikes(Patience())
    strikes.add(NET, REASON)
    assert strikes.put_aside(NET) is None
    strikes.add(NET, REASON)
    assert "net has been put aside for 10 minutes" in str(strikes.put_aside(NET))
    assert "2 times: The process of this model crashed (SIGSEGV)." in str(strikes.put_aside(NET))
    assert strikes.put_aside(OTHER) is None


@pytest.mark.parametrize("before", [1, 2])
def test_it_is_forgotten_after_a_while(before: int) -> None:
    """Anyone who asks on purpose for what takes too long does not take the model from all others for good."""
    strikes = Strikes(Patience(aside=0.05))
    for _ in range(before):
        strikes.add(NET, REASON)
    time.sleep(0.06)
    assert strikes.put_aside(NET) is None
    strikes.add(NET, REASON)
    assert strikes.put_aside(NET) is None
