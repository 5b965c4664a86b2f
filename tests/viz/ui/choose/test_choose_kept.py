"""Things that a reload takes over: the visitor's own, and nothing that a teacher has lent to a class."""

import numpy as np
import pytest
from PIL import Image

from tests.browser.pictures import png
from tests.viz.ui.conftest import Opened, told
from viz.pictures.photo import Photo, cropped, photograph
from viz.ui.classroom.lent import StudentAccess
from viz.ui.visit.own_pictures import OwnPictures
from viz.ui.visit.visit import SubjectEntry, Visit

OWN_WEIGHTS = "own:0123456789abcdef"


@pytest.fixture
def brought(visit: Visit, photo: Photo) -> SubjectEntry:
    """A picture that a visitor has brought, in weights of their own; beside it one to take values from."""
    visit.pictures.hold(photograph(Image.fromarray(np.full((8, 8, 3), 90, np.uint8))))
    return visit.subject(photo, "lenet", OWN_WEIGHTS, ())


def test_a_lent_subject_becomes_nobodys_own(opened: Opened, visit: Visit, brought: SubjectEntry) -> None:
    """A student's page asks for it as a reload does: neither picture, donors nor weights are taken over.

    With the teacher's own token, which no student is told, the same request takes all of them.
    """
    lending = StudentAccess("student", visit.pictures)
    lent = lending.subject(brought)
    for token, theirs in ((lent.token, True), (brought.token, False)):
        page = opened()
        page.session_state["asked_subject"] = {"model": "lenet", "kept": token}
        page.run()
        state = page.session_state
        shown = {subject.photo.fingerprint for subject in state["visit"].subjects}
        assert (brought.photo.fingerprint not in shown) == theirs
        held: OwnPictures = state["visit"].pictures
        assert (held.newest_first() == []) == theirs
        assert ("frozen" not in state) == theirs
        assert ("own_before" not in state and "own_weights_lost" not in state) == theirs


def test_pictures_to_look_through_are_taken_over(opened: Opened, visit: Visit, brought: SubjectEntry) -> None:
    """With their bytes."""
    visit.folder.add("a.png", b"one")
    page = opened()
    page.session_state["asked_subject"] = {"model": "lenet", "kept": brought.token}
    page.run()
    folder = page.session_state["visit"].folder
    assert [(each.path, each.data) for each in folder.files.values()] == [("a.png", b"one")]


def test_a_cropped_picture_is_taken_back_whole(opened: Opened, visit: Visit, photo: Photo) -> None:
    """The address says the crop, which is cut out of the whole once and can be taken away again."""
    before = visit.subject(cropped(photo, "10,5,20,20"), "lenet", "pretrained", ())
    page = opened()
    page.session_state["asked_subject"] = {"model": "lenet", "kept": before.token, "crop": "10,5,20,20"}
    page.run()
    assert told(page)["notices"] == []
    assert told(page)["address"]["crop"] == "10,5,20,20"
    assert page.session_state["photo"].fingerprint == photo.fingerprint
    assert page.session_state["cropped"].fingerprint == before.photo.fingerprint


@pytest.mark.parametrize("here", [True, False])
def test_a_picture_of_an_own_folder_comes_back_or_is_asked_for(
    opened: Opened, visit: Visit, photo: Photo, here: bool
) -> None:
    """In one sentence, which is the picture's: that the address names it says nothing new."""
    name = f"own:{visit.folder.add('a.png', png(photo.image))}"
    kept = visit.subject(photo, "lenet", "pretrained", ()).token
    if not here:
        visit.end()
    page = opened()
    named = {"model": "lenet", "weights": "pretrained", "sample": name}
    page.session_state["asked_subject"] = named | {"kept": kept}
    page.run()
    assert (told(page)["notices"], told(page)["address"]["sample"]) == ([], name if here else "cat")
    assert (page.session_state["photo"].fingerprint == photo.fingerprint) == here
    assert [each.value[:22] for each in page.warning] == ([] if here else ["Your picture is no lon"])
