"""One more language: with one new file, every part of the page speaks it."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.tools.pseudo import borrowed, fill_in, forget
from tests.viz.ui.conftest import Opened, told
from tools import messages
from viz.ui.locale.words import browser_words
from viz.ui.visit.visit import SubjectEntry
from viz.ui.wire.arriving import possible_look

ANSWER = re.compile(r"quiz_\d+_")  # the quiz's choices are layers, shapes and letters
WIDGETS = ("selectbox", "button", "button_group", "file_uploader", "toggle", "checkbox", "number_input")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a third language, begun by the command and filled in, once for all tests."""
    with borrowed(tmp_path_factory.mktemp("begun")) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["messages", "--new", "pl"])
        assert messages.main() == 0
        fill_in(folder / "pl.po")
        return (folder / "pl.po").read_bytes()


@pytest.fixture
def polish(made: bytes, tmp_path: Path) -> Iterator[None]:
    """A third language, which the page now speaks."""
    with borrowed(tmp_path) as folder:
        (folder / "pl.po").write_bytes(made)
        forget()
        yield


def labels(page: AppTest) -> set[str]:
    """The label of each of its widgets."""
    widgets = [widget for kind in WIDGETS for widget in page.get(kind)]
    return {str(widget.label) for widget in widgets if widget.label and not ANSWER.match(str(widget.key))}


@pytest.mark.usefixtures("polish")
@pytest.mark.parametrize("view", ["layer", "layers", "gradients", "compare", "hooks", "course", "quiz"])
def test_every_label_of_a_view_is_said_in_the_third_language(opened: Opened, view: str) -> None:
    """A label in English was not found in the catalogue."""
    page = opened(lang="pl", view=view)
    assert not page.exception
    found = labels(page)
    assert len(found) >= 5
    assert {label for label in found if "«0 " not in label} == set()


@pytest.mark.usefixtures("polish")
def test_what_the_address_asks_for_in_vain_is_said_in_the_third_language(
    opened: Opened, subject: SubjectEntry
) -> None:
    """Notices of the page and refusals of the service."""
    assert any("«0 The address" in said["text"] for said in told(opened(lang="pl", sample="dog"))["notices"])
    _, notices = possible_look("layer=conv9&edit=conv1:twist:3", subject, "pl")
    said = [notice.text for notice in notices]
    assert any("conv9" in text and text.startswith("«0 The address asks") for text in said)
    assert any("«0 there is no edit" in text for text in said)


@pytest.mark.usefixtures("polish")
def test_the_browser_gets_the_third_languages_words(opened: Opened) -> None:
    """The document's language code says so too."""
    page = opened(lang="pl")
    assert page.session_state["lang"] == "pl"
    spoken = browser_words("pl")
    assert spoken["language_code"] == "pl"
    assert {key for key, text in spoken.items() if "«" not in str(text)} == {"language_code"}
