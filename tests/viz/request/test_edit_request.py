"""Edits as values and as the text of a link."""

import dataclasses
import json

import pytest

from viz.errors import RequestError
from viz.request.edit_request import MOST_CHANNELS, MOST_EDITS, EditRequest, edits_from, edits_text
from viz.request.inspection import Inspection

WRITTEN = [
    ("layer1.0.conv1:zero:3,17", EditRequest("layer1.0.conv1", channels=(17, 3, 3))),
    ("layer2@2:inputs.scale:4-7:0.5", EditRequest("layer2", 1, "scale", (4, 5, 6, 7), 0.5, side="inputs")),
    ("a:noise:all:0.001:7", EditRequest("a", None, "noise", (), 1e-3, 7)),
    ("a:mean", EditRequest("a", kind="mean")),
    ("fc:clamp:0,1:2", EditRequest("fc", kind="clamp", channels=(0, 1), amount=2)),
    ("conv1:swap:3:cat", EditRequest("conv1", kind="swap", channels=(3,), donor="cat")),
    (
        f"conv1:swap:3:own_{'0a' * 16}",
        EditRequest("conv1", kind="swap", channels=(3,), donor=f"own_{'0a' * 16}"),
    ),
    ("a@3:inputs.swap:all:zone_plate", EditRequest("a", 2, "swap", side="inputs", donor="zone_plate")),
    ("a@1:gradient.clamp:0-2:0.5", EditRequest("a", 0, "clamp", (0, 1, 2), 0.5, side="gradient")),
    ("a:inputs_gradient.scale:1:2", EditRequest("a", None, "scale", (1,), 2, side="inputs_gradient")),
    ("a:scale:all:-1e-07", EditRequest("a", kind="scale", amount=-1e-7)),
    ("blocks.a%3Ab%3B%40%E5%B1%82:zero:0", EditRequest("blocks.a:b;@层", channels=(0,))),
]


@pytest.mark.parametrize(("text", "edit"), WRITTEN)
def test_an_edit_is_written_and_read_in_one_way(text: str, edit: EditRequest) -> None:
    """Defaults at the end are left out, channels are sorted, runs of three are a range."""
    assert edit.text == text
    assert edits_from(text) == (edit,)


def test_several_edits_keep_their_order() -> None:
    """They are separated by semicolons; an empty text has no edits."""
    edits = tuple(edit for _, edit in WRITTEN)
    assert edits_from(edits_text(edits)) == edits
    assert edits_from("") == edits_from(" ; ") == ()
    assert edits_text(()) == ""


def test_equal_edits_are_equal_values() -> None:
    """An amount or a seed that means nothing for the kind does not tell two edits apart."""
    assert EditRequest("a", kind="zero", amount=3, seed=4) == EditRequest("a")
    assert EditRequest("a", kind="mean", donor="cat") == EditRequest("a", kind="mean")
    assert EditRequest("a", kind="scale", amount=2, seed=4) == EditRequest("a", kind="scale", amount=2.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("conv1", "is no edit: write layer:kind:channels"),
        ("conv1:blur:3", "no edit 'blur'; there are: zero, scale"),
        ("conv1:gradients.zero:3", "output, inputs, gradient or inputs_gradient, not its 'gradients'"),
        ("conv1:gradient.mean:3", "a gradient is changed by zero, scale, noise, clamp, not by 'mean'"),
        (
            "conv1:inputs_gradient.swap:3:cat",
            "a gradient is changed by zero, scale, noise, clamp, not by 'swap'",
        ),
        ("conv1:scale:3", "'scale' needs an amount"),
        ("conv1:swap:3", "'swap' needs a sample picture"),
        ("conv1:swap:3:dog", "no sample picture named 'dog'; there are: dot"),
        ("conv1:swap:3:../cat", "is no edit"),
        ("conv1:scale:3:1e999", "finite number, not inf"),
        ("conv1:scale:3:1e", "'1e' is no number"),
        ("conv1:zero:9-3", "names no channels"),
        ("conv1:zero:,", "names no channels"),
        ("conv1@0:zero:3", "is no edit"),
        ("conv1:zero:0-99999", f"at most {MOST_CHANNELS:,} channels"),
        (";".join(["a:zero"] * (MOST_EDITS + 1)), "33 edits; at most 32"),
        ("<script>" * 50, "is no edit"),
    ],
)
def test_what_is_no_edit_is_refused_in_one_sentence(text: str, said: str) -> None:
    """That includes what a visitor can only type into the address."""
    with pytest.raises(RequestError, match=said) as refused:
        edits_from(text)
    assert len(str(refused.value)) < 250


def test_an_edit_of_a_channel_below_zero_is_refused() -> None:
    """Channels are counted from 0 here, without Python's counting from the end."""
    with pytest.raises(RequestError, match="no channel -1"):
        EditRequest("a", channels=(-1,))


def test_a_request_with_edits_goes_through_json() -> None:
    """Equal, with an equal digest; another order of edits is another request."""
    edits = tuple(edit for _, edit in WRITTEN)
    wanted = Inspection("0" * 64, "lenet", "random", "conv1", edits=edits)
    again = Inspection(**json.loads(json.dumps(dataclasses.asdict(wanted))))
    assert again == wanted
    assert again.digest == wanted.digest
    assert dataclasses.replace(wanted, edits=edits[::-1]).digest != wanted.digest


def test_what_is_shown_before_the_edits_is_the_pass_without_them() -> None:
    """So it shares everything that is kept of that pass."""
    plain = Inspection("0" * 64, "lenet", "random", "conv1")
    edited = dataclasses.replace(plain, edits=edits_from("conv1:zero:0"))
    assert dataclasses.replace(edited, show="before").run == plain.run != edited.run


def test_edits_of_gradients_are_in_force_only_where_a_gradient_is_wanted() -> None:
    """So a pass for the values themselves builds no graph, and shares what is kept of it."""
    values = Inspection("0" * 64, "lenet", "random", "conv1", edits=edits_from("a:zero;b:gradient.zero"))
    assert [edit.layer for edit in values.in_force] == ["a"]
    gradients = dataclasses.replace(values, gradient=3)
    assert [edit.layer for edit in gradients.in_force] == ["a", "b"]
    assert gradients.forward == values
    assert dataclasses.replace(gradients, show="before").in_force == ()
