"""An operator's factory that hangs costs the process that it runs in, and nobody else's time."""

import os
import textwrap
import time
from pathlib import Path

import pytest

from tests.machine import patience
from viz.engine.process import Patience, ProcessEngine
from viz.errors import CaptureError
from viz.ui.visit import loaders
from viz.ui.visit.catalogue.tasks import Card

ANSWERING = 5.0
SOURCE = """
    import ctypes

    def never():
        ctypes.PyDLL(None).sleep(600)  # in C, holding the interpreter
"""

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery"),
    pytest.mark.slow,  # the engine imports PyTorch once more
]


def test_a_factory_that_hangs_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards of other models come while it hangs; it is ended twice, and then put aside with its reason."""
    (tmp_path / "factory_that_hangs.py").write_text(textwrap.dedent(SOURCE))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("LAYERGLASS_MODEL", "factory_that_hangs:never")
    place = f"{loaders.__name__}:{loaders.loader_apart.__name__}"
    engine = ProcessEngine(place, device="cpu", hosts=3, patience=Patience(answering=patience(ANSWERING)))
    try:
        engine.do(Card("photonet"), visitor="ann").result(patience(120))
        for _ in range(Patience.strikes):
            hangs = engine.do(Card("never"), visitor="eve")
            time.sleep(1.0)  # it has begun
            assert engine.do(Card("lenet"), visitor="ann").result(patience(60)).id == "lenet"
            assert not hangs.done()
            with pytest.raises(CaptureError, match="longer than the"):
                hangs.result(patience(60))
        with pytest.raises(CaptureError, match="never has been put aside for 10 minutes"):
            engine.do(Card("never"), visitor="joe")
        assert engine.do(Card("lenet"), visitor="ann").result(patience(60)).id == "lenet"
    finally:
        engine.close()
