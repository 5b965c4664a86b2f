"""Weights that cannot be had change one notice, never the view."""

import pytest
from streamlit.testing.v1 import AppTest

import models
from tests.viz.ui.conftest import Opened, told
from viz.engine.engine import LocalEngine
from viz.ui.visit.service import engine
from viz.ui.visit.weights_words import MISSING_WEIGHTS


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """No trained weights of ResNet-18 can be had until the list is empty."""
    problems = ["no network"]
    fetched = models.download

    def download(model: str, **_: object) -> None:
        if model == "resnet18" and problems:
            raise models.WeightsUnavailableError(problems[0])
        if model != "resnet18":
            fetched(model)

    monkeypatch.setattr(models, "download", download)
    return problems


def _shown(page: AppTest) -> tuple[str, str]:
    """Model and weights on screen; the boxes say the same."""
    assert not page.exception
    assert not page.error
    address = told(page)["address"]
    assert page.selectbox(key="model").value == address["model"]
    assert page.session_state["weights"] == address["weights"]
    return address["model"], address["weights"]


def test_the_view_stays_with_what_it_showed(opened: Opened) -> None:
    """The subject keeps its very token; the notice goes with the next choice."""
    page = opened()
    before = told(page)["subject"]
    page.selectbox(key="model").select("resnet18").run()
    assert _shown(page) == ("lenet", "pretrained")
    assert told(page)["subject"] == before
    (notice,) = page.warning
    assert "resnet18" in notice.value
    assert "lenet stays on screen" in notice.value
    assert "no network" in notice.value
    assert notice.value.endswith(f" [More](help/{MISSING_WEIGHTS})")
    page.selectbox(key="model").select("photonet").run()
    assert _shown(page) == ("photonet", "pretrained")
    assert not page.warning


def test_the_model_can_be_shown_untrained(opened: Opened) -> None:
    """One button; the notice goes."""
    page = opened()
    page.selectbox(key="model").select("resnet18").run()
    page.button(key="untrained").click().run()
    assert _shown(page) == ("resnet18", "random")
    assert not page.warning


def test_on_arrival_the_model_is_shown_untrained(opened: Opened) -> None:
    """Nothing was on screen that could stay; there is no button for what is there already."""
    page = opened(model="resnet18")
    assert _shown(page) == ("resnet18", "random")
    (notice,) = page.warning
    assert "shown untrained" in notice.value
    assert "untrained" not in [button.key for button in page.button]


def test_a_sentence_about_the_address_is_told_beside_a_refusal(opened: Opened) -> None:
    """The run that read the address ended with the refusal; the next choice ends the sentence."""
    page = opened(model="resnet18", sample="dog")
    (said,) = told(page)["notices"]
    assert "dog" in said["text"]
    page.selectbox(key="sample").select("coffee").run()
    assert told(page)["notices"] == []


def test_trying_again_asks_for_the_weights_again(opened: Opened, offline: list[str]) -> None:
    """In vain at first, with the newest reason."""
    page = opened()
    page.selectbox(key="model").select("resnet18").run()
    offline[0] = "still no network"
    page.button(key="refused_again").click().run()
    assert _shown(page) == ("lenet", "pretrained")
    assert "still no network" in page.warning[0].value


def test_a_file_can_be_chosen_in_the_notice(opened: Opened) -> None:
    """For the model whose weights are not available, which is shown untrained until then."""
    page = opened()
    page.selectbox(key="model").select("resnet18").run()
    page.button(key="refused_file").click().run()
    assert _shown(page) == ("resnet18", "random")
    assert [box.key for box in page.file_uploader].count("own_weights") == 1
    assert "resnet18" in page.file_uploader(key="own_weights").label


@pytest.fixture
def nothing_loaded() -> None:
    """The engine has no model, whatever tests before this one have looked at: it is one for all of them."""
    shared = engine().engine
    assert isinstance(shared, LocalEngine)
    for kept in (shared._models, shared._answers):
        kept.clear()


@pytest.mark.usefixtures("nothing_loaded")
def test_damaged_weights_are_refused_in_the_same_way(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are found out later, while the model is made."""

    def load(*_: object, **__: object) -> None:
        raise models.WeightsDamagedError("the file is another one")

    page = opened(model="photonet")
    monkeypatch.setattr(models, "load", load)
    page.selectbox(key="model").select("patchformer").run()
    assert _shown(page) == ("photonet", "pretrained")
    assert "the file is another one" in page.warning[0].value
