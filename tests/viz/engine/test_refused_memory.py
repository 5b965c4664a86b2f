"""Refused memory: said by Python, NumPy and PyTorch themselves, and by what they were the cause of."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from tests.hostile.left_behind import hooks_of
from tests.machine import patience
from tests.viz.random_tasks import bits
from tests.viz.subjects import Shelf, photo, wanted
from viz.engine.engine import LocalEngine
from viz.engine.refused_memory import refused_memory
from viz.errors import CaptureError, TooLargeError
from viz.pictures.subject import Subject
from viz.views.one_layer import View

REFUSALS: dict[str, Callable[[], object]] = {
    "python": lambda: bytearray(1 << 60),
    "numpy": lambda: np.ones(1 << 45),
    "torch": lambda: torch.ones(1 << 45),
}


def raised(work: Callable[[], object]) -> BaseException:
    """Return the error that the work raises."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  whatever it is
        work()
    return caught.value


@pytest.mark.parametrize("whose", REFUSALS)
def test_a_refusal_is_recognised_whoever_says_it(whose: str) -> None:
    """Also if it is the cause of another error."""
    error = raised(REFUSALS[whose])
    found = refused_memory(error)
    assert isinstance(found, TooLargeError)
    assert "choose a smaller layer" in str(found)
    wrapped = CaptureError("this model fails.")
    wrapped.__cause__ = error
    assert isinstance(refused_memory(wrapped), TooLargeError)


def test_other_errors_stay_what_they_are() -> None:
    """Those of ours about memory say more already."""
    own = TooLargeError("{layer} would take too much.", layer="conv1")
    for error in (ValueError("memory"), RuntimeError("shapes do not fit"), KeyError("out of memory"), own):
        assert refused_memory(error) is None


def test_an_engine_says_so_and_answers_the_next_request() -> None:
    """A load that is refused, and a pass; what was kept is dropped, so that there is memory again."""
    shelf = Shelf()

    def load(model: str, weights: str) -> Subject:
        if model == "too_large":
            REFUSALS["torch"]()
        return shelf(model, weights)

    engine, picture = LocalEngine(load, device="cpu"), photo(1)
    expected = engine.do(View(wanted(picture), picture), visitor="ann").result(patience(60))
    with pytest.raises(TooLargeError, match="not enough memory"):
        engine.do(View(wanted(picture, "", "too_large"), picture), visitor="eve").result(patience(60))
    assert (engine._models.bytes, engine._values.bytes, engine._answers.bytes) == (0, 0, 0)
    found = engine.do(View(wanted(picture), picture), visitor="ann").result(patience(60))
    assert bits(found) == bits(expected)
    assert len(shelf.loaded) == 2
    assert [hooks_of(net) for _, net in shelf.loaded] == [0, 0]
    engine.close()
