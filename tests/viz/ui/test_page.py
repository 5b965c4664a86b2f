"""The page's script: choices, languages, pictures, and what is said when something is wrong."""

import gc
import io
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import spawn
from typing import NoReturn

import pytest
import streamlit as st
from PIL import Image
from streamlit.testing.v1 import AppTest

from tests.conftest import same_main_module
from tests.models.uploads import saved, state
from tests.viz.ui.conftest import APP, Opened, told
from viz.answers.message import Notice
from viz.errors import BusyError, ImageError, SupersededError
from viz.profile.cost import Budget
from viz.profile.rows import LayerRow
from viz.ui import page as page_script
from viz.ui.choose import loading
from viz.ui.locale.translated import translated
from viz.ui.locale.words import say
from viz.ui.visit.jobs.reading import read_photo
from viz.ui.visit.markdown import escaped


def _png(colour: str, size: tuple[int, int] = (50, 40)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, "PNG")
    return buffer.getvalue()


def _calm(page: AppTest) -> bool:
    return not (page.exception or page.error or page.warning)


def test_the_first_run_shows_a_layer_and_says_nothing(opened: Opened) -> None:
    """The browser is told every layer, and with which one to begin: the model's first convolution."""
    page = opened()
    assert _calm(page)
    facts = told(page)
    assert facts["first"] == "conv1"
    assert [row["name"] for row in facts["rows"]][:3] == ["conv1", "relu1", "pool1"]


def test_processes_begun_after_a_page_do_not_run_it_first(opened: Opened) -> None:
    """Streamlit leaves the page's script in the place of the main module, which Python runs in each."""
    with same_main_module():
        opened()
        assert spawn.get_preparation_data("child")["init_main_from_path"] == str(APP)
    assert spawn.get_preparation_data("child").get("init_main_from_path") != str(APP)


def test_the_script_leaves_the_garbage_collector_on(opened: Opened) -> None:
    """Its first lines turn it off for the imports; a server that goes on without it grows."""
    gc.enable()
    assert _calm(opened())
    assert gc.isenabled()


def test_another_model_begins_with_its_own_first_layer(opened: Opened) -> None:
    """Its weights are not here: it is shown untrained."""
    page = opened()
    page.selectbox(key="model").select("resnet18").run()
    page.button(key="untrained").click().run()
    assert _calm(page)
    assert told(page)["address"]["weights"] == "random"
    assert told(page)["first"] == "conv1"


def test_an_upload_replaces_the_sample_and_leaves_the_address(opened: Opened) -> None:
    """The picture is the visitor's alone: a link restores everything but it."""
    page = opened()
    page.file_uploader(key="upload").upload("own.png", _png("teal"), "image/png").run()
    assert _calm(page)
    assert page.session_state["photo"].image.size == (50, 40)
    assert "sample" not in told(page)["address"]
    page.selectbox(key="sample").select("coffee").run()
    assert told(page)["address"]["sample"] == "coffee"


@pytest.mark.parametrize("content", [b"", b"no picture", _png("red")[:60], _png("red", (1, 5000))])
def test_a_bad_upload_keeps_the_picture_on_screen(opened: Opened, content: bytes) -> None:
    """Also on later runs, until something good is chosen."""
    page = opened()
    page.file_uploader(key="upload").upload("good.png", _png("teal"), "image/png").run()
    good = page.session_state["photo"].fingerprint
    page.file_uploader(key="upload").upload("bad.png", content, "image/png").run()
    for _ in range(2):
        assert len(page.warning) == 1
        assert page.session_state["photo"].fingerprint == good
        page.run()
    page.selectbox(key="sample").select("cat").run()
    assert _calm(page)


def test_the_language_switch_keeps_the_subject(opened: Opened) -> None:
    """Labels and words change, choices do not."""
    page = opened(weights="random", sample="coffee")
    before = told(page)
    page.session_state["lang"] = "zh"
    page.run()
    assert _calm(page)
    assert page.selectbox(key="model").label == say("zh", "model")
    assert (told(page)["subject"], told(page)["words"]["language_code"]) == (before["subject"], "zh")


def test_an_emptied_uploader_keeps_the_picture_on_screen(opened: Opened) -> None:
    """The browser empties it just before it sends another file; only a choice brings a sample back."""
    page = opened()
    page.file_uploader(key="upload").upload("own.png", _png("teal"), "image/png").run()
    own = page.session_state["photo"].fingerprint
    page.file_uploader(key="upload").clear().run()
    assert page.session_state["photo"].fingerprint == own
    assert page.selectbox(key="sample").value is None
    page.selectbox(key="sample").select("cat").run()
    assert page.session_state["photo"].fingerprint != own


@pytest.mark.parametrize(("lang", "said"), [("en", "draws random numbers"), ("zh", "随机数")])
def test_a_model_that_draws_random_numbers_says_so(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, lang: str, said: str
) -> None:
    """And from which layer on: the one that runs first, wherever it stands in the tree."""
    surveyed = loading._surveyed

    def drawing(*asked: str) -> list[LayerRow]:
        return [replace(row, chance=row.name in {"relu2", "conv2"}) for row in surveyed(*asked)]

    monkeypatch.setattr(loading, "_surveyed", drawing)
    (notice,) = told(opened(lang=lang))["notices"]
    assert said in notice["text"]
    assert "conv2" in notice["text"]
    assert notice["document"] == "questions#why-do-i-get-another-result-each-time"
    monkeypatch.undo()
    assert told(opened(lang=lang))["notices"] == []


def test_the_cost_of_a_model_is_said_with_a_link_to_the_limits(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the visitor cannot agree to it."""
    for most, answers in ((1 << 40, {"cost_instead", "cost_go_on"}), (1, {"cost_instead"})):
        monkeypatch.setattr("viz.ui.choose.costs.budget", lambda most=most: Budget(1, most))
        page = opened(model="photonet")
        (notice,) = page.warning
        assert notice.value.endswith(" [More](help/limits#how-much-memory-may-it-all-take)")
        assert {str(button.key) for button in page.button} >= answers
        assert ("cost_go_on" in {button.key for button in page.button}) == ("cost_go_on" in answers)


def test_a_model_without_layers_is_one_sentence(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """No report of a bug: its forward computes everything itself."""
    monkeypatch.setattr("viz.ui.page.ready_model", lambda *_: [])
    page = opened()
    (error,) = page.error
    assert error.value.replace("\\", "").startswith("this model has no layers to look at: its forward()")


def test_the_own_picture_comes_back_once_the_sample_is_closed(opened: Opened) -> None:
    """The box that still names its file says what is on screen."""
    page = opened()
    page.file_uploader(key="upload").upload("own.png", _png("teal"), "image/png").run()
    own = page.session_state["photo"].fingerprint
    page.selectbox(key="sample").select("coffee").run()
    assert page.session_state["photo"].fingerprint != own
    page.selectbox(key="sample").set_value(None).run()
    assert _calm(page)
    assert page.session_state["photo"].fingerprint == own
    assert "sample" not in told(page)["address"]


def test_a_refused_file_changes_neither_box_nor_address(opened: Opened) -> None:
    """The sample on screen stays in the link; the refusal goes with the next picture, whatever kind it is."""
    page = opened(sample="coffee")
    before = told(page)["address"]
    page.file_uploader(key="upload").upload("list.txt", b"milk, bread", "text/plain").run()
    assert len(page.warning) == 1
    assert (told(page)["address"], page.selectbox(key="sample").value) == (before, "coffee")
    page.selectbox(key="sample").select("cat").run()
    assert _calm(page)
    page.selectbox(key="sample").set_value(None).run()
    assert _calm(page)
    assert told(page)["address"]["sample"] == "cat"


@pytest.mark.parametrize("key", ["upload", "other_upload"])
def test_a_refusal_goes_with_a_picture_that_comes_by_the_address(opened: Opened, key: str) -> None:
    """One that the visitor goes back to, or that a lesson's step shows."""
    page = opened(sample="coffee")
    page.file_uploader(key=key).upload("list.txt", b"milk, bread", "text/plain").run()
    assert len(page.warning) == 1
    page.session_state["asked_subject"] = {"model": "photonet", "sample": "cat"}
    page.run()
    assert _calm(page)
    assert told(page)["address"]["sample"] == "cat"
    page.run()
    assert _calm(page)


def test_the_last_good_picture_comes_back_after_a_refused_file(opened: Opened) -> None:
    """The box has the refused file by then."""
    page = opened()
    page.file_uploader(key="upload").upload("own.png", _png("teal"), "image/png").run()
    own = page.session_state["photo"].fingerprint
    page.file_uploader(key="upload").upload("list.txt", b"milk, bread", "text/plain").run()
    page.selectbox(key="sample").select("coffee").run()
    page.selectbox(key="sample").set_value(None).run()
    assert _calm(page)
    assert page.session_state["photo"].fingerprint == own


def test_a_refusal_of_the_other_side_goes_with_the_next_picture(opened: Opened) -> None:
    """A comparison's box is another kind of box."""
    page = opened()
    page.file_uploader(key="other_upload").upload("list.txt", b"milk, bread", "text/plain").run()
    assert len(page.warning) == 1
    page.selectbox(key="sample").select("coffee").run()
    assert _calm(page)
    page.file_uploader(key="upload").upload("own.png", _png("teal"), "image/png").run()
    assert _calm(page)
    assert [each["title"] for each in told(page)["own"]] == ["own.png"]


@pytest.mark.parametrize("key", ["upload", "other_upload"])
def test_a_refusal_is_in_the_language_of_the_page(opened: Opened, key: str) -> None:
    """Also once the visitor has changed it: in the reader's own words, which the catalogue translates."""
    with pytest.raises(ImageError) as refused:
        read_photo(b"milk, bread", "")
    page = opened(lang="en")
    page.file_uploader(key=key).upload("list.txt", b"milk, bread", "text/plain").run()
    for lang in ("en", "zh"):
        page.session_state["lang"] = lang
        page.run()
        said = say(lang, "picture_kept", error=translated(str(refused.value), lang))
        assert page.warning[0].value.startswith(escaped(said))


@pytest.mark.parametrize("shown", ["coffee", "own", ""])
def test_a_folders_picture_that_cannot_be_read_changes_nothing_but_a_sentence(
    opened: Opened, shown: str
) -> None:
    """Box, address and crop go on naming what is on screen, until another picture is chosen."""
    page = opened(sample="coffee", crop="10,20,100,90")
    folder = page.session_state["visit"].folder
    good, bad = (
        f"own:{folder.add(path, data)}" for path, data in (("a.png", _png("teal")), ("b.png", b"no"))
    )
    if shown != "coffee":
        page.session_state["asked_subject"] = {"model": "lenet", "sample": good, "crop": "1,2,30,30"}
        page.run()
    if not shown:
        page.file_uploader(key="upload").upload("own.png", _png("red"), "image/png").run()
    before, box = told(page), page.selectbox(key="sample").value
    assert _calm(page)
    page.session_state["asked_subject"] = {"model": "lenet", "sample": bad, "crop": "5,5,20,20"}
    for _ in range(2):
        page.run()
        assert len(page.warning) == 1
        for name in ("subject", "address"):
            assert told(page)[name] == before[name]
        assert page.selectbox(key="sample").value == box
    page.selectbox(key="sample").select("cat").run()
    assert _calm(page)


def test_a_link_to_a_folders_picture_that_cannot_be_read_shows_a_sample(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was on screen before; the address names what is."""
    monkeypatch.setattr("viz.ui.choose.address.is_here", lambda *_: True)
    page = opened(sample="own:gone")
    assert len(page.warning) == 1
    assert told(page)["address"]["sample"] == page.selectbox(key="sample").value == "cat"


def test_a_run_that_is_ended_hands_its_sentences_to_the_next(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those about the address and about a callback, each once."""
    page, ready, ends = opened(), page_script.ready_model, [False, True]

    def cut_off(model: str, weights: str, visitor: str) -> Sequence[LayerRow] | None:
        if ends.pop():  # the first time
            st.rerun()
        return ready(model, weights, visitor)

    monkeypatch.setattr(page_script, "ready_model", cut_off)
    page.session_state["asked_subject"] = {"model": "lenet", "sample": "dog"}
    page.session_state["callback_faults"] = [Notice("a callback failed", "messages")]
    page.run()
    address, callback = told(page)["notices"]
    assert "dog" in address["text"]
    assert callback == {"text": "a callback failed", "document": "messages"}
    ends.append(False)
    page.run()
    assert told(page)["notices"] == []


@pytest.mark.parametrize("error", [BusyError("too many others."), SupersededError("a newer one."), OSError()])
@pytest.mark.parametrize(
    "place",
    ["choose.choose_model.needs_in_words", "choose.choose_weights.weights_kinds", "page.choose_picture"],
)
def test_an_error_before_a_box_is_drawn_changes_no_choice(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, place: str, error: Exception
) -> None:
    """Streamlit forgets the state of boxes that are not drawn; own weights outlast their box's file."""

    def fails(*_: object) -> NoReturn:
        raise error

    page = opened(sample="coffee")
    page.selectbox(key="model").select("photonet").run()
    page.segmented_control(key="weights").select("random").run()
    page.selectbox(key="model").select("lenet").run()
    page.file_uploader(key="own_weights").upload("mine.pt", saved(state(4))).run()
    before = told(page)
    monkeypatch.setattr(f"viz.ui.{place}", fails)
    page.run()
    monkeypatch.undo()
    page.run()
    assert _calm(page)
    assert (told(page)["subject"], told(page)["address"]) == (before["subject"], before["address"])
    assert page.session_state["weights"] == "own"
