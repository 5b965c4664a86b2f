"""Requests and answers: plain values that can be compared, hashed and sent."""

import dataclasses
import json
import pickle

import pytest

from viz.answers.layer import Geometry
from viz.answers.message import as_json
from viz.request.edit_request import EditRequest
from viz.request.inspection import Inspection, LayerView

PLAIN = Inspection("0" * 64, "lenet", "pretrained", "conv1", training=0)


def changed(name: str) -> Inspection:
    """The plain request with one field changed."""
    value = getattr(PLAIN, name)
    if name == "edits":
        return dataclasses.replace(PLAIN, edits=(EditRequest("conv1"),))
    return dataclasses.replace(PLAIN, **{name: value + 1 if isinstance(value, int) else f"{value}x"})


FIELDS = [field.name for field in dataclasses.fields(Inspection)]


def test_equal_requests_have_equal_digests_everywhere() -> None:
    """The digest depends on the values alone, and goes through pickle and JSON."""
    again = Inspection(**json.loads(json.dumps(dataclasses.asdict(PLAIN))))
    assert again == PLAIN == pickle.loads(pickle.dumps(PLAIN))
    assert again.digest == PLAIN.digest
    assert hash(again) == hash(PLAIN)
    assert len(PLAIN.digest) == 32


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_counts_in_the_digest(name: str) -> None:
    """Two different pictures, layers or colours can never share an address."""
    assert changed(name).digest != PLAIN.digest
    assert changed(name) != PLAIN


def test_digests_do_not_run_fields_together() -> None:
    """If text moves from the end of one field to the start of the next, it is another request."""
    left = dataclasses.replace(PLAIN, model="net", weights="a")
    right = dataclasses.replace(PLAIN, model="neta", weights="")
    assert left.digest != right.digest


def test_a_pass_depends_on_picture_model_weights_mode_and_edits_only() -> None:
    """Other layers and colours use the same pass."""
    needs_new = {name for name in FIELDS if changed(name).run != PLAIN.run}
    assert needs_new == {"image", "model", "weights", "training", "edits"}


@pytest.mark.parametrize(
    ("leaf", "expected"), [("", False), ("output[0]", False), ("inputs", True), ("inputs[1]", True)]
)
def test_inputs_are_known_by_their_path(leaf: str, *, expected: bool) -> None:
    """Only a request for inputs needs them captured."""
    assert dataclasses.replace(PLAIN, leaf=leaf).of_inputs is expected


def view(**more: object) -> LayerView:
    """A view with only what its methods need."""
    facts = dict.fromkeys((field.name for field in dataclasses.fields(LayerView)), "fact")
    drawn = {"geometry": Geometry(2, 2, 3, 3, 3, 3, 1, 7, 3), "axes": ("channel", "height", "width")}
    return LayerView(**facts | drawn | {"png": b"pixels"} | more)


def test_one_scale_gives_every_channel_the_same_limits() -> None:
    """One scale per channel gives each its own."""
    assert view(vmin=-1.0, vmax=2.0).limits(5) == (-1, 2)
    assert view(vmin=(-1.0, -3.0), vmax=(2.0, 4.0)).limits(1) == (-3, 4)


def test_facts_are_everything_but_the_pixels() -> None:
    """They are ready for JSON, with the geometry as plain values; where each number sits is for scripts."""
    facts = json.loads(as_json(view(vmin=0.0, vmax=1.0).facts()))
    assert facts["geometry"]["tile_width"] == 3
    assert facts["axes"] == {"channel": "channel", "height": "height", "width": "width"}
    assert set(facts) == {field.name for field in dataclasses.fields(LayerView)} - {"png", "arrangement"}
