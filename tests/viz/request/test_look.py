"""The look and its text: each comes back as it was, whatever else a link says."""

import json
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viz.maps.colour.wanted import SCALES
from viz.maps.ordering import ORDERS
from viz.request import look as looks
from viz.request.inspection import SHOWS, Inspection
from viz.request.look import LONGEST_EDITS, LONGEST_VALUE, Look, look_from_query, look_to_query
from viz.request.query import VainField, pairs_in, query_of
from viz.request.views import VIEWS

VECTORS = json.loads((Path(__file__).parents[2] / "look_vectors.json").read_text(encoding="utf-8"))


def said(vector: dict[str, Any]) -> str:
    """The text of a vector, as the name of its test."""
    return str(vector["text"])[:60]


@pytest.mark.parametrize("vector", VECTORS, ids=said)
def test_a_text_says_the_look_that_the_browser_reads_in_it(vector: dict[str, Any]) -> None:
    """The browser's tests read the same file."""
    look, vain = look_from_query(vector["text"])
    assert look == msgspec.convert(vector["look"], Look)
    assert [msgspec.to_builtins(each) for each in vain] == vector["vain"]


@pytest.mark.parametrize("vector", [each for each in VECTORS if not each["vain"]], ids=said)
def test_a_look_has_the_text_that_the_browser_writes(vector: dict[str, Any]) -> None:
    """Character by character, because the browser's cache knows answers by their address."""
    assert look_to_query(msgspec.convert(vector["look"], Look)) == vector["text"]


def test_a_field_that_is_said_at_its_default_is_left_out() -> None:
    """Addresses of equal looks are equal, whoever wrote the text that was read."""
    said = "view=layer&layer=conv1&kind=auto&scale=layer&reduce=mean&call=1&present=0&edit="
    assert look_to_query(look_from_query(said)[0]) == "layer=conv1"


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=LONGEST_VALUE)
NUMBERS = st.integers(0, 99_999)


def words(kind: object) -> st.SearchStrategy[str]:
    """One of the words of a choice."""
    return st.sampled_from(get_args(kind))


def any_look() -> st.SearchStrategy[Look]:
    """Every look that there can be."""
    hints = get_type_hints(Look)
    texts = {field.name: TEXTS for field in msgspec.structs.fields(Look) if field.default in ("", "auto")}
    choices = {name: words(hint) for name, hint in hints.items() if get_origin(hint) is Literal}
    yes = {name: st.booleans() for name, hint in hints.items() if hint is bool}
    return st.builds(
        Look,
        **texts
        | choices
        | yes
        | {
            "view": st.sampled_from(tuple(VIEWS)),
            "call": st.integers(0, 99_998),
            "channel": st.none() | NUMBERS,
            "row": NUMBERS,
            "index": NUMBERS,
            "cell": st.from_regex(looks.CELL, fullmatch=True),
            "target": st.none() | NUMBERS,
            "top": st.none() | st.integers(1, 99_999),
            "optimised_minus": st.none() | NUMBERS,
            "figure_width": st.integers(30, 400),
            "lesson_step": st.none() | st.integers(1, 99_999),
            "seed": st.none() | st.integers(0, 999_999),
            "step": st.none() | st.integers(1, 999_999),
        },
    )


@settings(max_examples=200, deadline=None)
@given(any_look())
def test_every_look_is_read_as_it_was_written(look: Look) -> None:
    """And nothing of it is in vain."""
    assert look_from_query(look_to_query(look)) == (look, ())


NAMES = st.sampled_from([*Look.__struct_fields__, "model", "sample", "nonsense"])
VALUES = (
    TEXTS | NUMBERS.map(str) | st.sampled_from(["same", "none", "gradients", "zeros", "before", "1", "0"])
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(NAMES, VALUES), max_size=12).map(query_of) | st.text(max_size=80))
def test_any_text_is_a_look_whose_own_text_says_the_same(text: str) -> None:
    """A value that cannot be is named once, with the field's default in its place."""
    look, vain = look_from_query(text)
    assert look_from_query(look_to_query(look)) == (look, ())
    first = dict(reversed(pairs_in(text)))
    assert all(first[each.name] == each.value for each in vain)
    assert all(getattr(look, each.name) == getattr(Look(), each.name) for each in vain)


def test_the_longest_edits_that_the_door_lets_in_are_read() -> None:
    """One character more is in vain, and so is a layer's name that nobody could have chosen."""
    look, vain = look_from_query(f"edit={'e' * LONGEST_EDITS}&layer={'l' * (LONGEST_VALUE + 1)}")
    assert len(look.edit) == LONGEST_EDITS
    assert vain == (VainField("layer", "l" * (LONGEST_VALUE + 1)),)
    assert look_from_query(f"edit={'e' * (LONGEST_EDITS + 1)}")[0] == Look()


def test_the_words_of_a_look_are_those_of_the_rooms_that_use_them() -> None:
    """``viz.request`` may not import ``viz.maps``, so the words stand here once more."""
    assert get_args(looks.Scale) == tuple(SCALES)
    assert get_args(looks.Order) == tuple(ORDERS)
    assert get_args(looks.Show) == SHOWS


def test_a_look_begins_where_an_inspection_does() -> None:
    """The fields that both have mean the same without being said."""
    first = Inspection("", "", "", "")
    for name in ("layer", "call", "leaf", "kind", "row", "index", "colormap", "scale", "order", "show"):
        assert getattr(Look(), name) == getattr(first, name)
