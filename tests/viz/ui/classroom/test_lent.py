"""Questions that students may ask about the teacher's subject: that one, and nothing else of the visit."""

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from viz.pictures.own_donors import own_name
from viz.pictures.photo import Photo, cropped, photograph
from viz.request.look import Look
from viz.ui.classroom.classrooms import Classrooms
from viz.ui.classroom.lent import KEPT, StudentAccess, share_donors
from viz.ui.visit.own_pictures import OwnPictures
from viz.ui.visit.visit import SubjectEntry, Visit, find_subject


def lent_to(visitor: str) -> StudentAccess:
    """Nothing yet."""
    return StudentAccess(visitor, OwnPictures())


def test_each_student_has_an_address_of_their_own(taught: SubjectEntry) -> None:
    """For the same picture; it cannot be told from the teacher's, and waits in the student's name."""
    one, other = lent_to("one"), lent_to("other")
    entries = [one.subject(taught), other.subject(taught)]
    assert len({taught.token, *(each.token for each in entries)}) == 3
    assert [each.visitor for each in entries] == ["one", "other"]
    assert {each.photo.fingerprint for each in entries} == {taught.photo.fingerprint}
    assert one.subject(taught) is entries[0]


def test_of_a_cropped_picture_nothing_outside_is_lent(visit: Visit, photo: Photo) -> None:
    """The teacher may have left out more than room."""
    part = visit.subject(cropped(photo, "4,2,20,10"), "lenet", "pretrained", ())
    lent = lent_to("a").subject(part)
    assert lent.photo.original.image.size == (20, 10)
    assert lent.photo.fingerprint == part.photo.fingerprint


def test_only_pictures_that_the_edits_on_screen_name_are_lent(visit: Visit, taught: SubjectEntry) -> None:
    """Of two that the teacher's visit holds; an unreadable edit lends none."""
    brought = [photograph(Image.fromarray(np.full((8, 8, 3), grey, np.uint8))) for grey in (10, 200)]
    for each in brought:
        visit.pictures.hold(each)
    shared = OwnPictures()
    share_donors(shared, taught, Look(edit="no edit at all:::"))
    share_donors(shared, taught, Look(edit=f"conv1:swap:0:{own_name(brought[1])}"))
    assert [name for name, _ in shared.newest_first()] == [own_name(brought[1])]


def test_pictures_of_a_figure_are_lent_while_it_is_shown(visit: Visit, taught: SubjectEntry) -> None:
    """In another view, nobody sees them; names of samples lend nothing."""
    brought = photograph(Image.fromarray(np.full((8, 8, 3), 90, np.uint8)))
    visit.pictures.hold(brought)
    names = f"cat,{own_name(brought)}"
    for view, lent in (("layer", []), ("figure", [own_name(brought)])):
        shared = OwnPictures()
        share_donors(shared, taught, Look(view=view, figure_pictures=names))
        assert [name for name, _ in shared.newest_first()] == lent


def test_a_class_that_opens_on_an_own_picture_lends_it(
    rooms: Classrooms, visit: Visit, taught: SubjectEntry
) -> None:
    """Its first look is shown like each later one; nothing else of the visit is lent."""
    brought = [photograph(Image.fromarray(np.full((8, 8, 3), grey, np.uint8))) for grey in (10, 200)]
    for each in brought:
        visit.pictures.hold(each)
    room = rooms.open(taught, f"layer=conv1&edit=conv1:swap:0:{own_name(brought[0])}")
    lent = room.join("student", 0.0).lent.subject(taught)
    assert [name for name, _ in lent.pictures.newest_first()] == [own_name(brought[0])]


def test_few_addresses_are_kept_and_all_end(taught: SubjectEntry) -> None:
    """The oldest goes first; the other side of a comparison counts."""
    lent = lent_to("a")
    made = [lent.subject(replace(taught, model=f"model {number}")) for number in range(KEPT)]
    beside = lent.beside(made[-1], taught.photo, "lenet", "random", ())
    assert beside is not None
    assert find_subject(made[0].token) is None
    assert find_subject(made[1].token) is made[1]
    assert lent.beside(made[0], taught.photo, "lenet", "random", ()) is None
    lent.end()
    assert [find_subject(each.token) for each in (*made, beside)] == [None] * (KEPT + 1)
    assert lent.beside(made[-1], taught.photo, "lenet", "random", ()) is None


@pytest.fixture
def eager() -> Iterator[None]:
    """Threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("eager")
def test_no_address_outlives_a_class_that_ends_while_other_sides_are_found(taught: SubjectEntry) -> None:
    """Threads find them, and the server's loop ends the class; neither trips over the other."""
    for _ in range(300):
        lent = lent_to("a")
        first = lent.subject(taught)
        sides = Sides(lent, first)
        sides.begun.wait()
        lent.end()
        sides.thread.join()
        assert sides.failed == []
        assert all(find_subject(each.token) is None for each in (first, *sides.found))


class Sides:
    """A student who compares with one model after the other, in a thread, until nothing is lent any more."""

    def __init__(self, lent: StudentAccess, first: SubjectEntry) -> None:
        self.lent, self.first = lent, first
        self.begun = threading.Event()
        self.found, self.failed = list[SubjectEntry](), list[Exception]()
        self.thread = threading.Thread(target=self.find)
        self.thread.start()

    def find(self) -> None:
        """Find them; what fails is told."""
        number = 0
        try:
            while (side := self.beside(number)) is not None:
                self.found.append(side)
                self.begun.set()
                number += 1
        except Exception as error:  # noqa: BLE001
            self.failed.append(error)
        self.begun.set()

    def beside(self, number: int) -> SubjectEntry | None:
        """One more of them."""
        return self.lent.beside(self.first, self.first.photo, f"model {number}", "random", ())
