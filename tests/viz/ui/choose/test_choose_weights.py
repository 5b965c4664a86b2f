"""A visitor's file of weights: its name decides nothing, and the page says where in it the weights are."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from tests.models.uploads import saved, state
from tests.viz.ui.conftest import Opened, told
from viz.ui.visit.own_weights import OWN

TWO = {"student": {f"module.{name}": value for name, value in state(1).items()}, "teacher": state(2)}
EXACT = {"model": "lenet", "sample": "cat"}
HEAD = {**state(3), "fc3.weight": torch.zeros(7, 84), "fc3.bias": torch.zeros(7)}


def said(page: AppTest) -> str:
    """Everything that the page says in Markdown, without its escapes."""
    return " ".join(str(each.value) for each in page.markdown).replace("\\", "")


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
