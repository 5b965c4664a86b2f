"""One number and one filter from the engine: right, computed once, with the edits in force."""

import io
from dataclasses import replace

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import Normalize
from PIL import Image

from tests.machine import patience
from tests.viz.subjects import Counting, Shelf, by_hand, photo, wanted
from viz.engine.engine import Engine, Limits, LocalEngine, answer_bytes
from viz.errors import RequestError, TooLargeError
from viz.number.tasks import BreakdownTask, FilterTask
from viz.request.edit_request import edits_from

WAIT = patience(120)


def test_a_number_is_the_one_that_the_view_shows(engine: Engine) -> None:
    """With its field, by hand: two convolutions of three by three see five by five pixels."""
    picture = photo(1)
    found = engine.do(BreakdownTask(wanted(picture, "second"), picture, (2, 1, 3)), visitor="ann").result(
        WAIT
    )
    assert found.cell == (0, 2, 1, 3)
    assert found.explanation.value == pytest.approx(by_hand(picture)["second"][0][found.cell], rel=1e-5)
    field = found.field
    assert (field.top, field.left, field.bottom, field.right, found.size) == (1, 3, 6, 8, (8, 8))
    assert found.explanation.agrees
    assert not found.edited


def test_the_next_number_of_a_layer_needs_one_pass_and_a_known_one_none(engine: Engine, shelf: Shelf) -> None:
    """Receptive fields are the same for all pictures and cells."""
    one, other = photo(1), photo(2)
    engine.do(BreakdownTask(wanted(one, "second"), one, (0, 0, 0)), visitor="ann").result(WAIT)
    passes = shelf.net.passes
    for visitor in ("bob", "eve"):
        engine.do(BreakdownTask(wanted(other, "second"), other, (1, 2, 3)), visitor=visitor).result(WAIT)
    assert shelf.net.passes == passes + 1


def test_another_channel_of_the_input_can_be_looked_at(engine: Engine) -> None:
    """One that does not exist gives way to the one that counts most."""
    picture = photo(1)
    of_first = BreakdownTask(wanted(picture, "second"), picture, (2, 1, 3), channel=0)
    patch = engine.do(of_first, visitor="ann").result(WAIT)
    assert patch.explanation.patch is not None
    assert patch.explanation.patch.channel == 0
    seen = by_hand(picture)["relu"][0][0, :, 1:4, 3:6]
    addends = (seen * Counting().second.weight[2].detach().numpy()).sum(axis=(1, 2))
    strongest = int(np.abs(addends).argmax())
    assert strongest != 0, "the channel asked for above has to be another one"
    patch = engine.do(replace(of_first, channel=9), visitor="ann").result(WAIT)
    assert patch.explanation.patch is not None
    assert patch.explanation.patch.channel == strongest


@pytest.mark.parametrize("edit", ["first:zero:0,1", "second:inputs.scale:all:3"])
def test_with_an_edit_before_it_a_number_still_agrees_with_its_arithmetic(engine: Engine, edit: str) -> None:
    """The layer got other inputs, but its arithmetic is the same."""
    picture = photo(1)
    request = replace(wanted(picture, "second"), edits=edits_from(edit))
    found = engine.do(BreakdownTask(request, picture, (2, 1, 3)), visitor="ann").result(WAIT)
    assert found.explanation.value != pytest.approx(by_hand(picture)["second"][0][found.cell])
    assert found.explanation.agrees
    assert not found.edited


def test_a_number_that_was_edited_itself_says_so(engine: Engine) -> None:
    """It is what the edit wrote, so no sum makes it; before the edits it is unchanged."""
    picture = photo(1)
    request = replace(wanted(picture, "second"), edits=edits_from("second:zero:2"))
    found = engine.do(BreakdownTask(request, picture, (2, 1, 3)), visitor="ann").result(WAIT)
    assert (found.edited, found.explanation.value, found.explanation.agrees) == (True, 0.0, False)
    before = engine.do(
        BreakdownTask(replace(request, show="before"), picture, (2, 1, 3)), visitor="ann"
    ).result(WAIT)
    assert (before.edited, before.explanation.agrees) == (False, True)


def test_what_cannot_be_taken_apart_is_refused_with_a_reason(engine: Engine) -> None:
    """A place outside the maps, and a view that no layer has made."""
    picture = photo(1)
    with pytest.raises(RequestError, match="place"):
        engine.do(BreakdownTask(wanted(picture, "second"), picture, (3, 0, 0)), visitor="ann").result(WAIT)
    with pytest.raises(RequestError, match="output"):
        engine.do(
            BreakdownTask(wanted(picture, "second", leaf="inputs"), picture, (0, 0, 0)), visitor="ann"
        ).result(WAIT)
    with pytest.raises(RequestError, match="a different picture"):
        engine.do(BreakdownTask(wanted(picture), photo(2), (0, 0, 0)), visitor="ann")


def test_a_filter_is_drawn_weight_by_weight(engine: Engine) -> None:
    """Each pixel the colour of its weight, on one scale around zero."""
    picture = photo(1)
    found = engine.do(FilterTask(wanted(picture, "first"), picture, 2), visitor="ann").result(WAIT)
    weights = Counting().first.weight[2].detach().numpy()
    limit = float(np.abs(weights).max())
    assert (found.kernels, found.first, found.limit) == ((3, 3, 3), 0, pytest.approx(limit))
    assert found.depth == 1
    assert found.bias == pytest.approx(float(Counting().first.bias.detach()[2]))
    drawn = np.asarray(Image.open(io.BytesIO(found.png)).convert("RGBA"))
    colours = colormaps["coolwarm"](Normalize(-limit, limit)(weights), bytes=True)
    for place, colour in enumerate(colours):
        top, left = place // found.columns * 4, place % found.columns * 4
        np.testing.assert_array_equal(drawn[top : top + 3, left : left + 3], colour)
    with pytest.raises(RequestError, match="Sigmoid has no filters"):
        engine.do(FilterTask(wanted(picture, "last"), picture, 0), visitor="ann").result(WAIT)
    with pytest.raises(RequestError, match="place"):
        engine.do(FilterTask(wanted(picture, "first"), picture, 9), visitor="ann").result(WAIT)


def test_a_number_of_a_layer_that_takes_too_much_memory_is_refused(local_shelf: Shelf) -> None:
    """The error says what it would take, as it does for its maps."""
    frugal, picture = LocalEngine(local_shelf, device="cpu", limits=Limits(capture=10)), photo(1)
    with pytest.raises(TooLargeError, match="second would take about"):
        frugal.do(BreakdownTask(wanted(picture, "second"), picture, (0, 0, 0)), visitor="ann").result(WAIT)
    frugal.close()


def test_what_is_kept_of_a_breakdown_is_counted(engine: Engine) -> None:
    """More numbers, more bytes; fields by their planes."""
    picture = photo(1)
    small = engine.do(BreakdownTask(wanted(picture, "relu"), picture, (0, 0, 0)), visitor="ann").result(WAIT)
    large = engine.do(BreakdownTask(wanted(picture, "second"), picture, (0, 0, 0)), visitor="ann").result(
        WAIT
    )
    assert 0 < answer_bytes(small) < answer_bytes(large) < 10_000
