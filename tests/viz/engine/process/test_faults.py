"""What a machine does to processes for models: memory refused, processes killed, forks that fail."""

import os

import numpy as np
import pytest

from tests.viz.engine.process.test_process_engine import WAIT, begun, view
from tests.viz.subjects import by_hand, photo, wanted
from viz.engine.process import Patience
from viz.errors import TooLargeError
from viz.views.one_layer import Values, View

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery"),
    pytest.mark.slow,  # each engine imports PyTorch once more
]


def test_refused_memory_is_one_sentence_and_the_process_lives() -> None:
    """In a pass and in a load, by PyTorch and by Python; the next request has the right numbers."""
    engine, picture = begun(Patience()), photo(1)
    before = engine.processes()
    for model in ("refused_in_python", "too_large", "refused"):
        for _ in range(3):
            with pytest.raises(TooLargeError, match="not enough memory"):
                engine.do(View(wanted(picture, "layer", model), picture), visitor="eve").result(WAIT)
            found = engine.do(Values(wanted(picture), picture), visitor="ann").result(WAIT)
            expected = by_hand(picture)["first"][0]
            np.testing.assert_allclose(found.call(0)["output"].array, expected, rtol=1e-4, atol=1e-6)
    assert view(engine, 2).png
    assert engine.processes() == before
    engine.close()
