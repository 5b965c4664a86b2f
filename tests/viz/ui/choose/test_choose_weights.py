"""A visitor's file of weights: its name decides nothing, and the page says where in it the weights are."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest

from tests.models.uploads import saved, state
from tests.viz.ui.conftest import Opened, told
from viz.catalogue import models
from viz.ui.locale.translated import translated
from viz.ui.locale.words import say
from viz.ui.visit.markdown import escaped
from viz.ui.visit.own_weights import OWN, own_weights

TWO = {"student": {f"module.{name}": value for name, value in state(1).items()}, "teacher": state(2)}
EXACT = {"model": "lenet", "sample": "cat"}
HEAD = {**state(3), "fc3.weight": torch.zeros(7, 84), "fc3.bias": torch.zeros(7)}


NO_TRAINED = "timm/test_mambaout"  # timm has the model, and no trained weights for it


def said(page: AppTest) -> str:
    """Everything that the page says in Markdown, without its escapes."""
    return " ".join(str(each.value) for each in page.markdown).replace("\\", "")


def test_the_box_its_promise_and_its_report_lead_to_what_is_to_know(opened: Opened) -> None:
    """The files that there may be, who sees them, and the way to look at the weights."""
    page = uploaded(opened(model="lenet"), "mine.pt", saved(state(4)))
    box, captions, texts = page.file_uploader(key="own_weights"), page.caption, page.markdown
    assert box.help.endswith(" [More](help/open-a-file#which-files-are-understood)")
    links = [each.value.partition(" [")[2] for each in (*captions, *texts) if "](help/" in each.value]
    assert links == [
        "More](help/your-files#who-sees-my-files-of-weights)",
        "More](help/open-a-file#how-do-i-look-at-my-weights-on-the-page)",
    ]


@pytest.mark.parametrize("name", ["epoch=3.ckpt", "pytorch_model.bin", "best.pth.tar", "weights"])
def test_a_file_of_weights_is_taken_whatever_it_is_called(opened: Opened, name: str) -> None:
    """Its weights are on screen, and the page says that all fit."""
    page = opened(model="lenet", layer="conv1")
    page.file_uploader(key="own_weights").upload(name, saved({"state_dict": state(4)})).run()
    assert [*page.exception, *page.error, *page.warning] == []
    assert page.session_state["weights"] == OWN
    assert "All 10 tensors fit lenet." in said(page)


def test_an_address_of_the_page_without_weights_means_the_own_ones(opened: Opened) -> None:
    """It leaves out no others: so Back and a picture of a folder keep them. One that names others wins."""
    page = opened(model="lenet", layer="conv1")
    page.file_uploader(key="own_weights").upload("mine.pt", saved(state(4))).run()
    trained = {"model": "lenet", "weights": "pretrained"}
    for asked, own in (({"model": "lenet", "sample": "coffee"}, True), (trained, False), (EXACT, True)):
        page.session_state["asked_subject"] = asked
        page.run()
        assert [*page.exception, *page.error, *page.warning] == []
        assert (page.session_state["weights"] == OWN) == own
        assert ("weights" in told(page)["address"]) != own


def test_the_page_says_where_in_the_file_the_weights_are(opened: Opened) -> None:
    """Under the first of two, while ten other tensors are left out."""
    page = opened(model="lenet", layer="conv1")
    page.file_uploader(key="own_weights").upload("two.pth", saved(TWO)).run()
    assert "They stand under student/module.; the file's 10 other tensors are left out." in said(page)
    assert "As many fit under teacher/." in said(page)
    assert told(page)["address"]["model"] == "lenet"


def test_the_page_says_that_a_head_has_other_classes(opened: Opened) -> None:
    """LeNet tells ten classes apart, the file's last layer seven."""
    page = opened(model="lenet", layer="conv1")
    page.file_uploader(key="own_weights").upload("head.pt", saved(HEAD)).run()
    assert "The file's last layer tells 7 classes apart, not 10: that layer stays untrained." in said(page)


def test_untrained_is_said_of_one_model_and_not_of_the_next(opened: Opened) -> None:
    """Whichever is chosen next begins with its trained weights, the first one too if it is chosen again."""
    page = opened(model="lenet")
    page.segmented_control(key="weights").select("random").run()
    assert told(page)["address"]["weights"] == "random"
    for name in ("photonet", "lenet"):
        page.selectbox(key="model").select(name).run()
        assert [*page.exception, *page.error, *page.warning] == []
        assert told(page)["address"] | {"model": name, "weights": "pretrained"} == told(page)["address"]


def test_a_link_to_an_untrained_model_shows_it_untrained(opened: Opened) -> None:
    """Nobody has chosen the model in its box."""
    assert told(opened(model="photonet", weights="random"))["address"]["weights"] == "random"


def uploaded(page: AppTest, name: str, content: bytes) -> AppTest:
    """Choose a file in the box for own weights."""
    return page.file_uploader(key="own_weights").upload(name, content).run()


@pytest.mark.parametrize(("content", "warnings"), [(saved(state(4)), 0), (b"no weights", 1)])
def test_a_run_that_ends_while_it_reads_a_file_loses_nothing(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, content: bytes, warnings: int
) -> None:
    """A newer run ends it where the spinner does: that run has the weights, or the sentence."""
    page, ends = opened(model="lenet"), [False, True]

    @contextmanager
    def cut_off(*_: object, **__: object) -> Iterator[None]:
        try:
            yield
        finally:
            if ends.pop():  # the first time
                st.rerun()

    monkeypatch.setattr("streamlit.spinner", cut_off)
    uploaded(page, "mine.pt", content)
    assert (len(page.warning), page.session_state["weights"] == OWN) == (warnings, not warnings)


def test_removing_a_file_that_was_refused_leaves_the_weights_that_stay(opened: Opened) -> None:
    """The sentence says that they stay; only the removal of their own file ends them."""
    page = uploaded(opened(model="lenet"), "mine.pt", saved(state(4)))
    own = told(page)["subject"]
    uploaded(page, "list.txt", b"no weights")
    assert len(page.warning) == 1
    page.file_uploader(key="own_weights").clear().run()
    assert (len(page.warning), page.session_state["weights"], told(page)["subject"]) == (0, OWN, own)
    uploaded(page, "other.pt", saved(state(5)))
    page.file_uploader(key="own_weights").clear().run()
    assert page.session_state["weights"] == "pretrained"


def test_a_refusal_is_in_the_language_of_the_page(opened: Opened) -> None:
    """Also once the visitor has changed it: in the reader's own words, which the catalogue translates."""
    with pytest.raises(models.OwnWeightsError) as refused:
        own_weights(b"no weights")
    page = uploaded(opened(model="lenet", lang="en"), "list.txt", b"no weights")
    for lang in ("en", "zh"):
        page.session_state["lang"] = lang
        page.run()
        said_now = say(lang, "own_kept", error=translated(str(refused.value), lang))
        assert page.warning[0].value.startswith(escaped(said_now))


def test_a_model_without_trained_weights_is_shown_untrained_beside_own_ones(opened: Opened) -> None:
    """These are another model's; the box offers what there is, and the model before has its own again."""
    page = uploaded(opened(model="lenet"), "mine.pt", saved(state(4)))
    assert page.session_state["weights"] == OWN
    page.selectbox(key="model").select(NO_TRAINED).run()
    assert not page.exception
    assert told(page)["address"] | {"model": NO_TRAINED, "weights": "random"} == told(page)["address"]
    page.selectbox(key="model").select("lenet").run()
    assert page.session_state["weights"] == OWN


@pytest.mark.parametrize("choice", ["weights", "model"])
def test_lost_weights_are_told_of_until_others_are_chosen(opened: Opened, choice: str) -> None:
    """By the switch, or with another model."""
    page = opened(model="lenet")
    page.session_state["own_weights_lost"] = True
    page.run()
    assert page.warning[0].value.startswith(escaped(say("en", "lost_own_weights")))
    if choice == "weights":
        page.segmented_control(key="weights").select("random").run()
    else:
        page.selectbox(key="model").select("photonet").run()
    assert not page.warning
