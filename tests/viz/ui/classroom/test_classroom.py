"""Views and rights in a class, all of which end with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.answers.teaching.asking import ClassQuestion
from viz.answers.teaching.classroom import PointerPosition
from viz.errors import RequestError
from viz.pictures.photo import Photo
from viz.ui.classroom.classroom import AWAY_SECONDS, MOST_GONE, MOST_STUDENTS, Classroom
from viz.ui.classroom.events import state_of
from viz.ui.visit.visit import SubjectEntry, Visit, find_subject


def test_what_the_teacher_shows_everybody_sees(room: Classroom, taught: SubjectEntry) -> None:
    """Each look is a version of its own; the same one again is none."""
    before = room.version
    room.show(taught.visitor, "layer=conv2", taught)
    room.show(taught.visitor, "layer=conv2", taught)
    assert (room.look, room.version) == ("layer=conv2", before + 1)
    room.show(taught.visitor, "layer=conv2", taught, caption="Look at the edges.")
    assert (room.caption, room.version) == ("Look at the edges.", before + 2)
    room.show(taught.visitor, "layer=conv2", taught, caption="Look at the edges.", hides="sizes")
    assert (state_of(room).hides, room.version) == ("sizes", before + 3)


def test_a_pointer_stays_while_its_maps_do(room: Classroom, taught: SubjectEntry) -> None:
    """A cell and what stands open move none; another channel's maps do."""
    pointed = PointerPosition(what="map 1", y=0.5, x=0.5)
    room.show(taught.visitor, "layer=conv2", taught)
    room.point(taught.visitor, pointed)
    for look in ("layer=conv2&cell=1,2", "layer=conv2&filter=open&optimised=drawn"):
        room.show(taught.visitor, look, taught)
        assert room.pointer == pointed
    room.show(taught.visitor, "layer=conv2&order=mean", taught)
    assert room.pointer is None


def test_nobody_but_the_teacher_writes_on_every_screen(room: Classroom, taught: SubjectEntry) -> None:
    """A student who leads shows a look; what they say about it is left out."""
    student = room.join("student", 0.0)
    room.hand_over(taught.visitor, student.number)
    room.show("student", "layer=fc1", caption="Rude.", hides="sizes")
    assert (room.look, room.caption, room.hides) == ("layer=fc1", "", "")


def test_a_student_cannot_show_point_freeze_hand_over_remove_shut_or_end(room: Classroom) -> None:
    """Nothing of the class changes, and each is refused in a sentence."""
    room.join("student", 0.0)
    before = (room.version, room.look, room.frozen, room.lead, room.pointer, room.ended, room.shut)
    for attempt in (
        lambda: room.show("student", "layer=conv2"),
        lambda: room.point("student", PointerPosition(what="map 1", y=0.5, x=0.5)),
        lambda: room.freeze("student", frozen=True),
        lambda: room.hand_over("student", 1),
        lambda: room.remove("student", 1),
        lambda: room.shut_door("student", shut=True),
        lambda: room.end("student"),
        lambda: room.show("nobody", "layer=conv2"),
        lambda: room.say("nobody", following=True),
    ):
        with pytest.raises(RequestError):
            attempt()
    assert (room.version, room.look, room.frozen, room.lead, room.pointer, room.ended, room.shut) == before
    assert list(room.students) == [1]


def test_a_student_leads_until_the_teacher_takes_it_back(room: Classroom, taught: SubjectEntry) -> None:
    """Meanwhile the teacher's page shows nothing; the subject stays the teacher's."""
    student = room.join("student", 0.0)
    room.say("student", hand=True)
    room.hand_over(taught.visitor, student.number)
    assert not student.hand
    room.show("student", "layer=fc1")
    assert (room.look, room.subject) == ("layer=fc1", taught)
    with pytest.raises(RequestError):
        room.show(taught.visitor, "layer=conv1", taught)
    room.hand_over(taught.visitor, 0)
    with pytest.raises(RequestError):
        room.show("student", "layer=fc2")
    room.show(taught.visitor, "layer=conv1", taught)
    assert room.look == "layer=conv1"


def test_the_lead_comes_back_when_a_student_who_has_it_leaves(room: Classroom, taught: SubjectEntry) -> None:
    """By leaving, or by being away for long."""
    for gone in (lambda: room.leave("student"), lambda: room.forget_absent(AWAY_SECONDS + 1)):
        student = room.join("student", 0.0)
        room.hand_over(taught.visitor, student.number)
        gone()
        assert room.leads(taught.visitor)


def test_a_frozen_class_keeps_what_it_sees(room: Classroom, taught: SubjectEntry, photo: Photo) -> None:
    """The teacher looks at something else, on another subject even, and points: nobody hears of it."""
    other = Visit("").subject(photo, "photonet", "pretrained", ())
    room.freeze(taught.visitor, frozen=True)
    seen = (room.version, room.look, room.shared, room.pointer)
    room.show(taught.visitor, "layer=fc1", other)
    room.point(taught.visitor, PointerPosition(what="map 1", y=0.5, x=0.5))
    assert (room.version, room.look, room.shared, room.pointer) == seen
    room.freeze(taught.visitor, frozen=False)
    room.show(taught.visitor, "layer=fc1", other)
    assert (room.look, room.subject, room.shared) == ("layer=fc1", other, seen[2] + 1)


def test_only_who_knows_the_secret_takes_the_class_up_again(room: Classroom, photo: Photo) -> None:
    """After a reload the page is another visit's; the code opens nothing of that."""
    reloaded = Visit("").subject(photo, "lenet", "pretrained", ())
    for wrong in ("", room.code, "é", room.right[:-1], room.right + "0"):
        assert not room.take_over(reloaded, wrong)
    assert room.take_over(reloaded, room.right)
    room.show(reloaded.visitor, "layer=fc1", reloaded)
    assert room.look == "layer=fc1"


def test_a_student_who_reloads_is_the_same_student(room: Classroom) -> None:
    """With the ticket, which nobody else has; with another one, a new student."""
    first = room.join("before", 0.0)
    assert room.join("after", 0.0, first.ticket) is first
    assert room.student_of("before") is None
    assert room.join("guess", 0.0, "0" * 32).number != first.number


def test_a_student_who_was_away_for_long_is_the_same_student(room: Classroom) -> None:
    """The list has them no longer; the ticket stays good as long as the class lives."""
    first = room.join("before", 0.0)
    room.forget_absent(AWAY_SECONDS + 1)
    assert not room.students
    assert room.join("another", AWAY_SECONDS + 2).number != first.number
    assert room.knows(first.ticket)
    assert room.join("after", AWAY_SECONDS + 2, first.ticket).number == first.number


def test_of_two_pages_with_one_ticket_one_goes_on(room: Classroom) -> None:
    """The other one is told so, and comes back neither by its line nor with the ticket that it had."""
    student = room.join("first tab", 0.0)
    copied, line = student.ticket, room.connected("first tab")
    room.join("second tab", 1.0, copied)
    assert not student.here
    room.connected("second tab")
    assert (student.here, student.visitor, room.is_open("first tab", line)) == (True, "second tab", False)
    assert "Another page" in (room.has_moved("first tab") or "")
    assert room.has_moved("second tab") is None
    with pytest.raises(RequestError, match="Another page"):
        room.knows(copied)
    assert room.knows(student.ticket)


def test_a_lost_answer_does_not_shut_a_page_out(room: Classroom, photo: Photo) -> None:
    """With what it had before, a page comes back once more, until it has a line with what it was given."""
    visits = [Visit("") for _ in range(3)]
    subjects = [each.subject(photo, "lenet", "pretrained", ()) for each in visits]
    kept = room.right
    for subject in subjects:
        assert room.take_over(subject, kept)
    room.connected(subjects[-1].visitor)
    with pytest.raises(RequestError, match="Another page"):
        room.take_over(subjects[0], kept)
    assert room.leads(subjects[-1].visitor)
    assert room.take_over(subjects[0], room.right)


def test_a_frozen_class_sees_nothing_else_when_its_teacher_reloads(room: Classroom, photo: Photo) -> None:
    """Though another picture is on the teacher's screen; what is seen outlives the visit before."""
    seen, later = room.subject, Visit("")
    private = later.subject(photo, "photonet", "pretrained", ())
    room.freeze(room.teacher, frozen=True)
    assert room.take_over(private, room.right)
    assert (room.subject.photo, room.subject.model) == (seen.photo, "lenet")
    assert room.subject.visit() is later
    room.freeze(private.visitor, frozen=False)
    room.show(private.visitor, "layer=conv1", private)
    assert room.subject is private


def test_a_class_has_a_password_only_if_the_teacher_wants_one(taught: SubjectEntry) -> None:
    """It is kept as a digest alone."""
    room = Classroom("BCDFGH", taught.visitor, taught, 0.0, password="Zürich 7")
    assert room.needs_password
    assert "Zürich" not in repr(vars(room))
    assert [room.opens_with(each) for each in ("Zürich 7", "zürich 7", "")] == [True, False, False]
    assert Classroom("BCDFGH", taught.visitor, taught, 0.0).opens_with("anything")


def test_a_class_is_full_some_day(room: Classroom) -> None:
    """Then it says so; who is in stays in."""
    for number in range(MOST_STUDENTS):
        room.join(f"student {number}", 0.0)
    with pytest.raises(RequestError, match="full"):
        room.join("one more", 0.0)
    assert room.join("student 7", 0.0).number == 8


def test_a_shut_class_lets_back_in_who_was_in_it(room: Classroom, taught: SubjectEntry) -> None:
    """By their ticket, also after being away for long, or by the same page; nobody else, until it opens."""
    tickets = [room.join(name, 0.0).ticket for name in ("reloads", "was away")]
    room.join("leaves", 0.0)
    room.shut_door(taught.visitor, shut=True)
    assert room.join("reloaded", 1.0, tickets[0]).number == 1
    room.forget_absent(AWAY_SECONDS + 1)
    assert room.join("back", AWAY_SECONDS + 2, tickets[1]).number == 2
    room.leave("leaves")
    assert room.join("leaves", AWAY_SECONDS + 2).number == 3
    with pytest.raises(RequestError, match="nobody else"):
        room.join("new", AWAY_SECONDS + 2)
    room.shut_door(taught.visitor, shut=False)
    assert room.join("new", AWAY_SECONDS + 2).number == 4


def test_who_is_removed_is_out_with_their_answer_and_their_ticket(
    room: Classroom, taught: SubjectEntry
) -> None:
    """The subject that they were lent has ended, and so has their lead; by the code they come in as new."""
    student = room.join("student", 0.0)
    lent = student.lent.subject(taught)
    room.asking.ask(ClassQuestion(kind="number", text="How many?"), 0.0)
    room.asking.answer(student.number, 1, (6,), 1.0)
    room.hand_over(taught.visitor, student.number)
    room.remove(taught.visitor, student.number)
    assert (room.students, room.lead, find_subject(lent.token)) == ({}, 0, None)
    assert room.asking.now
    assert room.asking.now.tally() == []
    assert room.has_removed("student")
    assert not room.knows(student.ticket)
    with pytest.raises(RequestError, match="removed you"):
        room.join("reloaded", 1.0, student.ticket)
    assert room.join("student", 1.0).number == 2
    with pytest.raises(RequestError, match="no student 1"):
        room.remove(taught.visitor, 1)


def test_who_says_something_wakes_the_teacher_alone(room: Classroom) -> None:
    """Joining, a raised hand, a line that opens or breaks: nobody else is told, so nobody else wakes."""
    woken = []
    room.hang_up(lambda: woken.append("teacher"), teachers=True)
    room.hang_up(lambda: woken.append("student"))
    room.join("one", 0.0)
    room.say("one", hand=True)
    room.disconnected("one", room.connected("one"), 1.0)
    assert woken == ["teacher"] * 4


def test_of_those_who_have_gone_the_last_are_remembered(room: Classroom) -> None:
    """Joining and leaving for hours fills no memory."""
    for number in range(MOST_GONE + 5):
        room.join(f"student {number}", 0.0)
        room.leave(f"student {number}")
    assert list(room.gone) == list(range(6, MOST_GONE + 6))


def test_only_the_newest_line_of_a_page_is_one(room: Classroom) -> None:
    """The end of the one before does not make the student absent."""
    student = room.join("student", 0.0)
    first, second = room.connected("student"), room.connected("student")
    assert [room.is_open("student", each) for each in (first, second)] == [False, True]
    room.disconnected("student", first, 5.0)
    assert student.here
    room.disconnected("student", second, 6.0)
    assert (student.here, student.away) == (False, 6.0)


def test_what_a_student_was_lent_ends_with_the_class(room: Classroom, taught: SubjectEntry) -> None:
    """Also if they leave; their address finds the picture only until then."""
    tokens = []
    for name in ("stays", "leaves"):
        entry = room.join(name, 0.0).lent.subject(taught)
        assert find_subject(entry.token) is entry
        tokens.append(entry.token)
    room.leave("leaves")
    assert [find_subject(token) is None for token in tokens] == [False, True]
    room.end(taught.visitor)
    assert [find_subject(token) for token in tokens] == [None, None]


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["teacher", "a", "b", "c"]),
        st.sampled_from(
            ["show", "point", "freeze", "thaw", "lead", "join", "leave", "say", "reload", "remove"]
        ),
        st.integers(0, 4),
    ),
    max_size=40,
)


@given(ACTS)
def test_whatever_happens_one_page_leads_and_only_it_shows(acts: list[tuple[str, str, int]]) -> None:
    """Any order of acts by anybody: the look is the last that the leader showed while nothing was frozen."""
    subject = SubjectEntry("t", "teacher", None, "lenet", "", (), None, lambda: None)  # type: ignore[arg-type]
    room, expected = Classroom("BCDFGH", "teacher", subject, 0.0), ""
    for place, (who, what, number) in enumerate(acts):
        leads, frozen, version = room.leads(who), room.frozen, room.version
        look = f"layer={place}"
        try:
            _act(room, who, what, number, look)
        except RequestError:
            assert (what == "show" and not leads) or room.version == version
        else:
            expected = look if what == "show" and not frozen else expected
            assert what != "show" or leads
            assert what not in {"freeze", "thaw", "lead", "remove"} or who == "teacher"
        assert room.look == expected
        assert [room.leads(each) for each in ("teacher", "a", "b", "c", "a again")].count(True) <= 1
        assert room.lead == 0 or room.lead in room.students


def _act(room: Classroom, who: str, what: str, number: int, look: str) -> None:
    if what == "show":
        room.show(who, look)
    elif what == "point":
        room.point(who, PointerPosition(what="map 1", y=number / 4, x=0.0))
    elif what in {"freeze", "thaw"}:
        room.freeze(who, frozen=what == "freeze")
    elif what == "lead":
        room.hand_over(who, number)
    elif what == "remove":
        room.remove(who, number)
    elif what == "join":
        room.join(who, 0.0)
    elif what == "leave":
        room.leave(who)
    elif what == "say":
        room.say(who, following=bool(number), hand=number == 1)
    elif student := room.student_of(who):
        room.join(f"{who} again", 0.0, student.ticket)
