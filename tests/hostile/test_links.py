"""Links that ask for too much: refused in a sentence, before they take time or memory."""

import time
import tracemalloc
from collections.abc import Callable
from urllib.parse import quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.machine import patience, took_less
from tests.viz.ui.conftest import APP, client, photo, subject, told, visit, wanted
from viz.errors import RequestError
from viz.pictures.samples import sample_names
from viz.request.edit_request import (
    LARGEST_CHANNEL,
    LARGEST_SEED,
    LONGEST_LAYER,
    MOST_CALLS,
    MOST_CHANNELS,
    MOST_EDITS,
    MOST_TEXT,
    ON_GRADIENTS,
    SIDES,
    WITH_AMOUNT,
    EditRequest,
    edits_from,
    edits_text,
)
from viz.request.look import Look
from viz.ui.visit.own_pictures import OwnPictures
from viz.ui.visit.visit import SubjectEntry
from viz.ui.wire.edit_words import edit_in_words

__all__ = ["client", "photo", "subject", "visit", "wanted"]  # the fixtures of the page without a browser

SECONDS, MEGABYTES = 3.0, 64
LONG = 48_000  # characters; the server reads no longer lines
EVERY_SECOND = tuple(range(LARGEST_CHANNEL + 1 - 2 * MOST_CHANNELS, LARGEST_CHANNEL + 1, 2))
ATTACKS = {
    "the same thousands again": ("conv1:zero:" + ",".join(["0-16383"] * 6_000), "at most 16,384 channels"),
    "the same channel again": ("conv1:zero:" + "1," * 20_000 + "1", "at most 16,384 channels"),
    "as many edits as there may be": (";".join(["a:zero:0-9999,0-9999"] * 32), "at most 16,384 channels"),
    "far too many edits": (";".join(["a:zero"] * 15_000), "15000 edits"),
    "a megabyte": ("conv1:zero:" + "0-16383," * 125_000, f"at most {MOST_TEXT} are read"),
    "nothing between commas": ("conv1:zero:" + "," * LONG, "names no channels"),
    "nothing between hyphens": ("conv1:zero:" + "-" * LONG, "names no channels"),
    "no end of digits": ("conv1:zero:" + "9" * LONG, "names no channels"),
    "no end of an amount": ("conv1:scale:3:" + "9" * LONG, "finite number"),
    "an amount of signs": ("conv1:scale:3:" + "e" * LONG, "is no number"),
    "no end of a side": ("conv1:" + "a" * LONG, "no edit"),
    "no end of a layer": ("a" * LONG + ":zero", "layer's name"),
    "an escaped layer": ("%" * LONG + ":zero", "layer's name"),
    "colons": (":" * LONG, "is no edit"),
    "at signs": ("a@" * (LONG // 2), "is no edit"),
}


def spent(work: Callable[[], object]) -> tuple[float, float]:
    """The processor's seconds that the work takes, and the most megabytes."""
    tracemalloc.start()
    began = time.process_time()
    work()
    seconds, most = time.process_time() - began, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return seconds, most / 1e6


@pytest.mark.parametrize(("text", "said"), ATTACKS.values(), ids=ATTACKS)
def test_a_link_that_names_too_much_is_refused_cheaply(text: str, said: str) -> None:
    """Each gets one sentence; the first of these once took gigabytes."""

    def refused() -> None:
        with pytest.raises(RequestError, match=said) as caught:
            edits_from(text)
        assert len(str(caught.value)) < 300

    seconds, megabytes = spent(refused)
    assert (took_less(seconds, SECONDS), megabytes < MEGABYTES) == (True, True), (seconds, megabytes)


def test_as_many_channels_as_may_be_named_are_read_cheaply() -> None:
    """The most that is allowed is also cheap: every edit with as many channels as it may name."""
    text = ";".join(["conv1:zero:0-16383"] * MOST_EDITS)
    seconds, megabytes = spent(lambda: edits_from(text))
    assert (took_less(seconds, SECONDS), megabytes < MEGABYTES) == (True, True), (seconds, megabytes)


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
CHANNELS = st.lists(st.integers(0, LARGEST_CHANNEL), max_size=30).map(tuple)
RANGES = st.tuples(st.integers(0, 5000), st.integers(0, 5000)).map(lambda ends: tuple(range(*ends)))


@st.composite
def edits(draw: st.DrawFn) -> EditRequest:
    """Any possible edit."""
    side = draw(st.sampled_from(SIDES))
    kinds = ON_GRADIENTS if "gradient" in side else ("mean", "swap", *ON_GRADIENTS)
    own = st.binary(min_size=16, max_size=16).map(lambda digest: f"own_{digest.hex()}")
    return EditRequest(
        draw(NAMES),
        draw(st.none() | st.integers(0, MOST_CALLS - 1)),
        draw(st.sampled_from(kinds)),
        draw(CHANNELS | RANGES),
        draw(st.floats(allow_nan=False, allow_infinity=False)),
        draw(st.integers(0, LARGEST_SEED)),
        side,
        draw(st.sampled_from(sample_names()) | own),
    )


@settings(max_examples=300, deadline=None)
@given(edits())
def test_every_edit_is_read_as_it_was_written(edit: EditRequest) -> None:
    """So an edit that the page accepts survives a trip through its address."""
    assert edits_from(edit.text) == (edit,)


def test_the_longest_edit_that_there_can_be_is_read_as_it_was_written() -> None:
    """The limit on the text's length never refuses an allowed edit."""
    edit = EditRequest(
        "\N{PILE OF POO}" * LONGEST_LAYER,
        MOST_CALLS - 1,
        "noise",
        EVERY_SECOND,
        -1.2345678901234567e-300,
        LARGEST_SEED,
        "inputs_gradient",
    )
    assert edits_from(edits_text([edit])) == (edit,)


PIECES = st.sampled_from([*WITH_AMOUNT, "a", "zero", "swap", "cat", "0-16383", "all", "inputs", "1e9", "@"])
TEXTS = st.lists(PIECES | st.sampled_from(":;,.-%7") | st.text(max_size=3), max_size=60).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from([1, 50, 3000]))
def test_any_text_is_edits_or_refused_within_bounds(text: str, times: int) -> None:
    """Text may also be repeated many times; edits that are read have exactly one text."""

    def read() -> None:
        try:
            found = edits_from(text * times)
        except RequestError:
            return
        assert edits_from(edits_text(found)) == found

    seconds, megabytes = spent(read)
    assert (took_less(seconds, SECONDS), megabytes < MEGABYTES) == (True, True), (seconds, megabytes)


@pytest.mark.parametrize(
    "said",
    [
        {"layer": ""},
        {"layer": "half of a character: \ud800"},
        {"layer": "a" * (LONGEST_LAYER + 1)},
        {"layer": "a", "call": -1},
        {"layer": "a", "call": MOST_CALLS},
        {"layer": "a", "channels": (LARGEST_CHANNEL + 1,)},
    ],
    ids=str,
)
def test_an_edit_that_no_link_can_say_is_refused(said: dict[str, object]) -> None:
    """It is refused when it is made; later it would break an address, or fail where nobody sees it."""
    with pytest.raises(RequestError) as refused:
        EditRequest(**said)  # type: ignore[arg-type]
    assert len(str(refused.value)) < 200


def test_a_long_list_of_channels_is_not_read_out() -> None:
    """The sentence stays short: the address has the rest."""
    edit = EditRequest("conv1", channels=tuple(range(0, 9_000, 2)))
    said = edit_in_words(edit, OwnPictures(), "en")
    assert len(said) < 120
    assert said.startswith("conv1: channels 0, 2, 4, ")
    assert "…" in said


SUBJECT = ("model", "weights", "sample", "lang", "crop")
# Characters of each value: all together stay within the half million that Streamlit reads of an address.
ROOM = 500_000 // (len(SUBJECT) + len(Look.__struct_fields__))


def filling(unit: str) -> str:
    """As many of these as have room."""
    return unit * (ROOM // len(quote_plus(unit)))


HOSTILE = {
    "digits": filling("9"),
    "ranges": filling("0-16383,"),
    "dots": filling("conv1."),
    "markup": filling("<script>"),
    "other digits": filling("\N{SUPERSCRIPT TWO}"),
    "control characters": filling("\0\x1b\r\n\N{RIGHT-TO-LEFT OVERRIDE}"),
}
LONGEST_QUERY = 60_000  # characters, as they are sent: servers and their clients end at 64 KiB
LONGEST_PART = 1_000  # characters: all parts together stay below what the page reads of an address


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_whatever_the_address_says_of_the_subject_the_page_goes_on(value: str) -> None:
    """Each of its names gives a sentence and no error."""
    notices = told(_opened(dict.fromkeys(SUBJECT, value[:LONGEST_PART])))["notices"]
    assert len(notices) == len(SUBJECT)
    assert max(len(notice["text"]) for notice in notices) < 600


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_whatever_the_address_says_of_the_look_is_a_sentence(
    client: TestClient, subject: SubjectEntry, value: str
) -> None:
    """All parts at once; what cannot be is left out of the look."""
    asked = dict.fromkeys(Look.__struct_fields__, _cut(value, LONGEST_QUERY // len(Look.__struct_fields__)))
    began = time.process_time()
    found = client.get(f"/maps/{subject.token}/look.json", params=asked).json()
    assert took_less(time.process_time() - began, SECONDS)
    assert len(found["notices"]) > 10
    assert max(len(notice["text"]) for notice in found["notices"]) < 600


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_an_address_beyond_all_bounds_is_one_sentence(value: str) -> None:
    """It reaches the page over its websocket, where the door does not count it, and is not read at all."""
    page = _opened(dict.fromkeys((*SUBJECT, *Look.__struct_fields__), value))
    (notice,) = told(page)["notices"]
    assert "32,000 characters" in notice["text"]


def _cut(value: str, length: int) -> str:
    """The longest beginning of a value that has no more than ``length`` characters in an address."""
    return next(value[:end] for end in range(length, 0, -1) if len(quote_plus(value[:end])) <= length)


def _opened(address: dict[str, str]) -> AppTest:
    page = AppTest.from_file(APP, default_timeout=patience(120))
    page.query_params.update(address)
    began = time.process_time()
    page.run()
    assert took_less(time.process_time() - began, 30)
    assert not page.exception
    assert not page.error
    return page


NUMBERS = st.integers(-2, 100_001).map(str) | st.sampled_from(["9" * 500, "\N{SUPERSCRIPT TWO}", "", "1e9"])
WORDS = st.text(max_size=8) | st.sampled_from(["output", "maps", "phase", "auto", "a." * 500, "output[0]"])
QUERY = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("row", "index", "columns", "channel", "y", "x", "source"), NUMBERS)
    | dict.fromkeys(("leaf", "kind", "show"), WORDS)
    | {"room": st.tuples(NUMBERS, NUMBERS).map("x".join)},
)
PARTS = ("layer.json", "layer.png", "values", "cell.json", "filter.json", "code.py", "pair.json")
LAYERS = st.sampled_from(["conv1", "relu1", "conv2", "fc1", "fc3", "", "conv1 › add", "nothing"])


@pytest.mark.parametrize("part", PARTS)
def test_whatever_a_map_is_asked_for_it_answers_or_refuses(
    client: TestClient, subject: SubjectEntry, part: str
) -> None:
    """A bug would raise here; no request takes more than one small layer needs."""

    @settings(max_examples=40, deadline=None)
    @given(QUERY, LAYERS, st.integers(0, 4))
    def ask(query: dict[str, str], layer: str, call: int) -> None:
        began = time.process_time()
        said = query | {"layer": layer, "call": str(call), "with": subject.token}
        answer = client.get(f"/maps/{subject.token}/{part}", params=said)
        assert answer.status_code in (200, 422)
        assert len(answer.content) < 2_000_000
        assert took_less(time.process_time() - began, SECONDS)

    ask()
