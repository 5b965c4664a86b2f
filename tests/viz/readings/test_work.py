"""A reading from the engine: one pass, with the edits in force, or refused in a sentence."""

from dataclasses import replace

import pytest

from tests.machine import patience
from tests.viz.subjects import Shelf, by_hand, photo, wanted
from viz.answers.number import Reading, UnexplainedReading
from viz.engine.engine import Engine, Limits, LocalEngine, answer_bytes
from viz.errors import RequestError, TooLargeError
from viz.readings.tasks import ReadingTask
from viz.request.edit_request import edits_from

WAIT = patience(120)


def _reading(engine: Engine, task: ReadingTask) -> Reading:
    facts = engine.do(task, visitor="ann").result(WAIT).facts
    assert isinstance(facts, Reading)
    return facts


def test_a_block_is_read_from_one_pass(engine: Engine, shelf: Shelf) -> None:
    """All its numbers are those that the layer returns by hand; asked again, nothing runs."""
    picture = photo(1)
    _reading(engine, ReadingTask(wanted(photo(2), "first"), photo(2)))  # what loading takes
    passes = shelf.net.passes
    task = ReadingTask(wanted(picture, "second"), picture, 2)
    found = _reading(engine, task)
    assert shelf.net.passes == passes + 1
    output = by_hand(picture)["second"][0]
    assert (found.height, found.width, len(found.cells)) == (4, 4, 16)
    for cell in found.cells:
        assert cell.index == (0, 2, cell.y, cell.x)
        assert float(cell.value) == pytest.approx(float(output[cell.index]), rel=1e-5)
        assert cell.agrees
    assert _reading(engine, task) == found
    assert shelf.net.passes == passes + 1


def test_the_second_call_and_what_works_in_place_are_read_too(engine: Engine) -> None:
    """The ReLU writes into its input, and the sigmoid runs twice."""
    picture = photo(1)
    relu = _reading(engine, ReadingTask(wanted(picture, "relu"), picture))
    first = by_hand(picture)["first"][0]
    for cell in relu.cells:
        (x,) = [float(each.value) for each in cell.numbers if each.name == "x"]
        assert x == pytest.approx(float(first[cell.index]), rel=1e-5)
    twice = _reading(engine, ReadingTask(wanted(picture, "last", call=1), picture))
    values = by_hand(picture)["last"][1]
    (cell,) = twice.cells
    assert float(cell.value) == pytest.approx(float(values[cell.index]))


def test_edits_are_in_force_and_an_edited_number_says_so(engine: Engine) -> None:
    """An edit before the layer changes its inputs; one of the layer itself breaks the sum."""
    picture = photo(1)
    before = replace(wanted(picture, "second"), edits=edits_from("first:zero:0,1"))
    found = _reading(engine, ReadingTask(before, picture))
    assert all(cell.agrees for cell in found.cells)
    assert not found.edited
    assert float(found.cells[0].value) != pytest.approx(
        float(by_hand(picture)["second"][0][found.cells[0].index])
    )
    own = replace(wanted(picture, "second"), edits=edits_from("second:zero:2"))
    edited = _reading(engine, ReadingTask(own, picture, 2))
    assert edited.edited
    assert {float(cell.value) for cell in edited.cells} == {0.0}
    assert not all(cell.agrees for cell in edited.cells)


def test_what_cannot_be_read_is_refused_in_a_sentence(engine: Engine, local_shelf: Shelf) -> None:
    """A place outside the map, inputs, training mode; and a layer that takes too much memory."""
    picture = photo(1)
    for task in (
        ReadingTask(wanted(picture, "second"), picture, 9),
        ReadingTask(wanted(picture, "second"), picture, 0, (9, 9)),
        ReadingTask(wanted(picture, "second", leaf="inputs"), picture),
        ReadingTask(wanted(picture, "second", training=3), picture),
    ):
        with pytest.raises(RequestError):
            engine.do(task, visitor="ann").result(WAIT)
    frugal = LocalEngine(local_shelf, device="cpu", limits=Limits(capture=10))
    with pytest.raises(TooLargeError, match="second would take about"):
        frugal.do(ReadingTask(wanted(picture, "second"), picture), visitor="ann").result(WAIT)
    frugal.close()


def test_what_is_kept_of_a_reading_is_counted(engine: Engine) -> None:
    """A convolution has more numbers than a mean of three; and a layer without arithmetic has hardly any."""
    picture = photo(1)
    few = engine.do(ReadingTask(wanted(picture, "last"), picture), visitor="ann").result(WAIT)
    many = engine.do(ReadingTask(wanted(picture, "second"), picture), visitor="ann").result(WAIT)
    assert 0 < answer_bytes(few) < answer_bytes(many) < 100_000
    none = replace(few, facts=UnexplainedReading(layer="last", kind="", reason="unknown"))
    assert answer_bytes(none) < answer_bytes(few)
