"""Sentences from below the page, in the visitor's language."""

import pickle
import re
from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
import torch
from msgspec import UNSET, UnsetType

from models import ModelError
from models.own.uploaded_state import read_state
from tests.browser.pictures import enormous_png
from tests.viz.hooks.test_witness import Way, caught, in_context, in_thread, on_the_way_back
from tests.viz.nets import Silent
from tests.viz.profile.test_uncalled import Auxiliary, Owner
from viz.answers.message import Answer, as_plain
from viz.engine.limits import Limits, check_cost
from viz.errors import ImageError, RequestError, VizError
from viz.findings.edit_checks import check_edits
from viz.findings.values import LayerValues
from viz.hooks.activations import LayerActivations
from viz.maps.colour.wanted import colouring
from viz.maps.layout import arrange, kinds
from viz.pictures.images import read_image
from viz.pictures.samples import sample_names, sample_title
from viz.profile.rows import Evidence, LayerRow
from viz.profile.tree import survey
from viz.profile.uncalled import SCRIPTED, UNKNOWN
from viz.request.edit_request import EditRequest, edits_from
from viz.request.inspection import Inspection
from viz.sentences import Sentence
from viz.take_home.album import chosen_rows
from viz.take_home.animation import animation
from viz.ui.locale.translated import in_each_language, translated

HAN = re.compile(r"[\u4e00-\u9fff]")
SHAPES = [
    *((1, 3, 4, 5), (2, 3, 4), (1, 197, 8), (1, 196, 8), (1, 5, 7), (1, 9), (3,), ()),
    *((1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6), (1, 2, 197, 197), (197, 1, 8)),
]


def in_chinese(sentence: str) -> str:
    """The sentence in Chinese, after a check that it is Chinese and keeps every number."""
    chinese = translated(sentence, "zh")
    assert HAN.search(chinese), sentence
    assert sorted(re.findall(r"\d+", chinese)) == sorted(re.findall(r"\d+", sentence))
    return chinese


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_layout_is_described_in_chinese(shape: tuple[int, ...]) -> None:
    """Every kind of layout is; no English word is left except for the multiplication sign."""
    for kind in kinds(shape) or ("auto",):
        try:
            chinese = in_chinese(arrange(np.ones(shape, np.float32), kind=kind).description)
        except VizError:
            continue
        assert not re.search("[a-z]{2}", chinese), chinese


def test_the_phase_and_gradients_are_described_in_chinese() -> None:
    """One sentence inside another; a class keeps its name."""
    phase = arrange(np.ones((1, 2, 3, 4), np.complex64), kind="phase").description
    assert in_chinese(phase).startswith("相位")
    score = Sentence("class {label} (logit {number})", label="'tabby cat'", number="-1.25")
    gradient = Sentence(
        "gradient of {score} with respect to this layer's output: {note}", score=score, note=phase
    )
    chinese = in_chinese(gradient)
    assert chinese.startswith("类别 'tabby cat'")
    assert chinese.endswith(in_chinese(phase))


def test_every_reason_for_no_call_has_its_chinese() -> None:
    """We check those of nets that have each kind of evidence, and one reason inside another."""
    ways = (caught, in_context, in_thread, on_the_way_back)
    nets = [Silent(), Auxiliary(), Owner(), *(Way(use, torch.nn.Linear(4, 4)) for use in ways)]
    found = [row for net in nets for row in survey(LayerActivations(net, device="cpu"), torch.rand(2, 4))]
    reasons = {row.evidence: row.reason for row in found if row.reason} | {
        "scripted": SCRIPTED,
        "none": UNKNOWN,
    }
    assert set(reasons) == set(get_args(Evidence))
    for reason in {row.reason for row in found if row.reason} | set(reasons.values()):
        whole = Sentence("it is part of {layer}: {reason}", layer="a.b", reason=reason)
        chinese = translated(whole, "zh")  # where English says "once", it has a number
        assert chinese.startswith("它属于 a.b")
        assert HAN.search(translated(reason, "zh")), reason
        assert not re.search("[a-z] [a-z]", chinese.replace("a.b", "")), chinese


@pytest.mark.parametrize("data", [b"", b"Shopping list", b"%PDF-1.7", enormous_png(), b"\x89PNG\r\n\x1a\nx"])
def test_a_bad_picture_is_refused_in_chinese(data: bytes) -> None:
    """Numbers, formats and advice."""
    with pytest.raises(ImageError) as caught:
        read_image(data)
    in_chinese(str(caught.value))


@pytest.mark.parametrize("data", [b"", b"text", b"PK\x03\x04", b"\xff" * 9, pickle.dumps({"a": object})])
def test_a_bad_file_of_weights_is_refused_in_chinese(data: bytes) -> None:
    """The advice in the sentence is in Chinese as well."""
    with pytest.raises(ModelError) as caught:
        read_state(data)
    assert not re.search("[a-z] [a-z]", in_chinese(str(caught.value)))


BAD_EDITS = (
    "conv1:twist:3",
    "conv1",
    "conv1:zero:x",
    "conv1:scale:3:much",
    "conv1:scale:3",
    "conv1:scale:3:1e",
)
BAD_EDITS += ("conv1:swap:3", "conv1:swap:3:dog", "conv1:zero:0-99999", "conv1:scale:3:1e999")


@pytest.mark.parametrize("text", BAD_EDITS)
def test_a_bad_edit_in_an_address_is_refused_in_chinese(text: str) -> None:
    """The sentence says what to write instead; no two English words follow each other."""
    with pytest.raises(VizError) as caught:
        edits_from(text)
    assert not re.search("[a-z] [a-z]", in_chinese(str(caught.value)))


@pytest.mark.parametrize("edit", [EditRequest("conv1", call=1), EditRequest("conv1", call=3)])
def test_an_edit_of_a_call_that_there_is_not_is_refused_in_chinese(edit: EditRequest) -> None:
    """There is a sentence for a layer that runs once and for one that runs several times."""
    for calls in range(1, (edit.call or 0) + 1):
        row = LayerRow(
            "conv1", "Conv2d", "", 0, 0, calls, ((1, 6, 8, 8),) * calls, (), None, (0,), children=False
        )
        with pytest.raises(VizError) as caught:
            check_edits([edit], [row])
        assert not re.search("[a-z] [a-z]", translated(str(caught.value), "zh"))


def test_an_edit_of_no_channel_is_refused_in_chinese() -> None:
    """The layer keeps its name."""
    row = LayerRow("conv1", "Conv2d", "", 0, 0, 1, ((1, 6, 8, 8),), (), None, (0,), children=False)
    with pytest.raises(VizError) as caught:
        check_edits([EditRequest("conv1", kind="zero", channels=(6,))], [row])
    assert "conv1" in in_chinese(str(caught.value))


REFUSED: dict[str, Callable[[], object]] = {
    "a block": lambda: chosen_rows([], "block 7"),
    "an animation": lambda: animation([]),
    "a scale": lambda: colouring(
        np.ones((1, 2, 2)), Inspection("picture", "net", "random", "", scale="model")
    ),
    "a call": lambda: LayerValues("conv1", "Conv2d", "cpu", ({}, {})).call(3),
    "a cost": lambda: check_cost("conv1", 10**12, Limits()),
}


@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_compared_or_taken_home_is_refused_in_chinese(refused: Callable[[], object]) -> None:
    """We raise each error, and translate its text."""
    with pytest.raises(VizError) as caught:
        refused()
    in_chinese(str(caught.value))


@pytest.mark.parametrize("name", sample_names())
def test_every_sample_has_a_chinese_title(name: str) -> None:
    """A new sample without one fails this test."""
    in_chinese(sample_title(name))


def test_what_is_not_ours_and_what_is_read_in_english_stay_as_they_are() -> None:
    """A string from elsewhere is not translated, even if it looks like one of our sentences."""
    assert translated("a single number", "zh") == "a single number"
    assert translated(Sentence("a single number"), "zh") == "单个数"
    assert translated(Sentence("a single number"), "en") == "a single number"


def test_braces_in_what_a_visitor_wrote_are_never_filled_in() -> None:
    """Neither in the sentence itself nor in what it quotes."""
    refusal = RequestError("{text} is no edit: write {form}.", text="{form.__class__}", form="a:b")
    assert str(refusal) == "{form.__class__} is no edit: write a:b."
    assert translated(str(refusal), "zh").startswith("{form.__class__} ")
    assert translated(Sentence("{form}"), "zh") == "{form}"


class Noted(Answer, frozen=True, kw_only=True):
    """An answer with a sentence, and maybe another."""

    note: str
    calls: int
    reason: str | UnsetType = UNSET


def test_facts_hold_their_sentences_in_every_language_and_all_else_once() -> None:
    """One sentence, several, or none."""
    number = Sentence("a single number")
    assert as_plain(in_each_language(Noted(note=number, calls=1))) == {
        "note": "a single number",
        "calls": 1,
        "said": {"zh": {"note": "单个数"}},
    }
    both = in_each_language(Noted(note=number, reason="theirs", calls=1))
    assert both.said == {"zh": {"note": "单个数", "reason": "theirs"}}
    silent = Noted(note="", calls=1)
    assert in_each_language(silent) is silent
