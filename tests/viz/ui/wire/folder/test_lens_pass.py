"""The lens layer by layer: its pieces are asked for one after the other, and the page does none of them."""

import asyncio
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tests.viz.lens.made import calls_of, capture_of, in_classes
from viz.answers.folders.lens import LensFacts
from viz.errors import RateError
from viz.lens import facts
from viz.lens.capture import Capture
from viz.lens.labels import Labels, by_folder
from viz.ui.wire.folder import lens_pass
from viz.ui.wire.folder.lens_pass import look_through


def made() -> tuple[Capture, Labels]:
    """Three layers of noise, on pictures of two classes."""
    pictures = in_classes(2, 10)
    noise = np.random.default_rng(0).normal(size=(20, 6))
    return capture_of(noise, calls_of(2, 2, 2), pictures), by_folder(pictures)


async def given() -> tuple[Capture, Labels]:
    """As a route fetches them."""
    return made()


def test_pieces_are_asked_for_one_after_the_other_and_of_one_layer_each() -> None:
    """Between two of them another visitor has a turn; the last one is of all layers."""
    asked: list[tuple[str, int]] = []
    told: list[LensFacts] = []

    async def apart(name: str, about: Any, *others: Any) -> Any:
        asked.append((name.partition(":")[2], len(about.calls) if isinstance(about, Capture) else 0))
        assert len(told[-1].layers) == max(0, len(asked) - 2)
        return getattr(facts, name.partition(":")[2])(about, *others)

    found = asyncio.run(look_through(given, apart, 20, told.append))
    assert asked == [("grouped", 0)] + [("layer_found", 1)] * 3 + [("whole_found", 3)]
    assert not any(each.complete for each in told)
    assert found.complete
    assert found.layers == told[-1].layers


def test_whoever_began_it_may_be_asked_to_come_back_and_no_layer_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A class looks at the models meanwhile: what was found stays, and the rest is asked for again."""
    asked: list[str] = []

    async def apart(name: str, about: Any, *others: Any) -> Any:
        asked.append(name.partition(":")[2])
        if len(asked) in {3, 4, 6}:
            raise RateError("You have used the models for a long time, and others are waiting.")
        return getattr(facts, name.partition(":")[2])(about, *others)

    monkeypatch.setattr(lens_pass, "PAUSE", 0.0)
    found = asyncio.run(look_through(given, apart, 20, lambda _: None))
    assert asked == ["grouped"] + ["layer_found"] * 6 + ["whole_found"]
    assert found.complete
    assert len(found.layers) == 3


def test_the_page_does_not_import_what_only_the_work_needs() -> None:
    """Scikit-learn and SciPy would take the page 100 MB for each server, from its first request on."""
    script = "import sys, viz.ui.wire.routes.routes; print(sorted({'sklearn', 'scipy'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
