"""All classes of a server: codes that are not guessed, and an end that comes by itself."""

from collections.abc import Callable, Iterator

import pytest

from tests.viz.ui.classroom.conftest import Clock
from viz.errors import RateError, RequestError
from viz.pictures.photo import Photo
from viz.ui.classroom import classrooms
from viz.ui.classroom.classroom import AWAY_SECONDS, MOST_STUDENTS, Classroom
from viz.ui.classroom.classrooms import LONGEST_SECONDS, OF_CLASS, TRIES, Classrooms
from viz.ui.classroom.codes import LENGTH, LETTERS
from viz.ui.door.counting import Rates
from viz.ui.door.limits import DoorLimits
from viz.ui.visit.visit import GRACE_SECONDS, SubjectEntry, Visit

OF_ADDRESS = DoorLimits().sockets_of_address + 128  # visits: its pages, and those gone that Streamlit keeps


def test_a_code_leads_into_its_class(rooms: Classrooms, room: Classroom) -> None:
    """However it is typed; a page is in one class at a time."""
    found, student = rooms.join("a", f" {room.code.lower()} ", "")
    assert (found, student.number) == (room, 1)
    assert rooms.of("a") is room
    other = rooms.open(Visit("").subject(room.subject.photo, "lenet", "random", ()), "")
    assert rooms.of("a") is room
    del other


def test_a_page_that_joins_another_class_leaves_the_first(
    rooms: Classrooms, room: Classroom, photo: Photo
) -> None:
    """Also a page that opens a class of its own."""
    visits = [Visit("") for _ in range(2)]
    second = rooms.open(visits[0].subject(photo, "lenet", "random", ()), "")
    rooms.join("a", room.code, "")
    rooms.join("a", second.code, "")
    assert (room.student_of("a"), rooms.of("a")) == (None, second)
    entry = visits[1].subject(photo, "lenet", "random", ())
    rooms.join(entry.visitor, room.code, "")
    own = rooms.open(entry, "")
    assert rooms.of(entry.visitor) is own
    assert room.student_of(entry.visitor) is None


def test_the_code_dies_with_the_class(rooms: Classrooms, room: Classroom) -> None:
    """A student who knows it gets the same sentence as one who has made one up."""
    rooms.end(room.teacher)
    said = []
    for code in (room.code, "BCDFGHJK"):
        with pytest.raises(RequestError) as refusal:
            rooms.join("a", code, "")
        said.append(str(refusal.value))
    assert said[0] == said[1]


def test_a_password_is_asked_for_but_not_after_a_reload(rooms: Classrooms, taught: SubjectEntry) -> None:
    """The ticket says that it was known once."""
    room = rooms.open(taught, "", "secret")
    with pytest.raises(RequestError, match="password"):
        rooms.join("a", room.code, "wrong")
    _, student = rooms.join("a", room.code, "secret")
    assert rooms.join("b", room.code, "", student.ticket)[1] is student
    with pytest.raises(RequestError, match="password"):
        rooms.join("c", room.code, "", "0" * 32)


def test_a_class_ends_when_its_teacher_stays_away(rooms: Classrooms, room: Classroom, clock: Clock) -> None:
    """Not at a reload, and not while the line is open, however long that takes."""
    clock.now += 3_000
    rooms.sweep()
    assert not room.ended
    line = room.connected(room.teacher)
    room.disconnected(room.teacher, line, clock.now)
    clock.now += GRACE_SECONDS - 1
    rooms.sweep()
    assert not room.ended
    clock.now += 2
    rooms.sweep()
    assert room.ended
    assert rooms.of(room.teacher) is None


def test_a_class_whose_teacher_never_came_ends_too(
    rooms: Classrooms, taught: SubjectEntry, clock: Clock
) -> None:
    """Without a line from the beginning."""
    room = rooms.open(taught, "")
    clock.now += GRACE_SECONDS + 1
    rooms.sweep()
    assert room.ended


def test_a_class_ends_with_its_teachers_visit_and_at_the_end_of_the_day(
    rooms: Classrooms, room: Classroom, visit: Visit, taught: SubjectEntry, clock: Clock
) -> None:
    """Open lines do not keep it."""
    visit.end()
    rooms.sweep()
    assert room.ended
    again = rooms.open(visit.subject(taught.photo, "lenet", "pretrained", ()), "")
    again.connected(again.teacher)
    clock.now += LONGEST_SECONDS + 1
    rooms.sweep()
    assert again.ended


def test_a_teacher_has_one_class(rooms: Classrooms, taught: SubjectEntry) -> None:
    """A second one ends the first."""
    first = rooms.open(taught, "")
    second = rooms.open(taught, "")
    assert (first.ended, second.ended) == (True, False)


def test_codes_are_not_guessed(rooms: Classrooms, room: Classroom, clock: Clock) -> None:
    """A page tries five, and one a minute; beyond that even the right one is not looked up."""
    assert tries(rooms, "one page") == TRIES
    with pytest.raises(RateError):
        rooms.join("one page", room.code, "")
    clock.now += 60
    assert tries(rooms, "one page") == 1
    clock.now += 60
    rooms.join("one page", room.code, "")


def test_who_knows_the_code_comes_in_as_often_as_they_like(rooms: Classrooms, room: Classroom) -> None:
    """A page that went through all the classes of a day has its tries still."""
    for _ in range(3 * TRIES):
        rooms.join("one page", room.code, "")
    assert tries(rooms, "one page") == TRIES


def test_a_day_of_guessing_finds_no_class(rooms: Classrooms, clock: Clock) -> None:
    """From one address, with all the pages that the door lets in, each used at once and as it goes.

    A page is open for as long as the address's places allow, and known for a while after that.
    """
    door, measured = DoorLimits(), 600
    arrivals = Rates(door.arrivals_rate, door.arrivals_burst, clock)
    lives = round(door.sockets_of_address / door.arrivals_rate + GRACE_SECONDS)
    arrived: list[list[str]] = []
    guesses = 0
    for second in range(measured):
        arrived.append([])
        while not arrivals.take("home"):
            arrived[-1].append(f"page {len(arrived[-1])} of second {second}")
        going = arrived[second - lives] if second >= lives else []
        guesses += sum(tries(rooms, page) for page in (*arrived[-1], *going))
        clock.now += 1
    found = guesses / measured * LONGEST_SECONDS / len(LETTERS) ** LENGTH
    assert found < 1 / 14_000
    assert 100 * found < 1 / 140


def test_an_hour_of_guessing_tries_few_passwords(
    rooms: Classrooms, taught: SubjectEntry, clock: Clock
) -> None:
    """By who knows the code, with all the pages that the door lets in from one address."""
    code, door = rooms.open(taught, "", "secret").code, DoorLimits()
    arrivals = Rates(door.arrivals_rate, door.arrivals_burst, clock)
    pages: list[str] = []
    guesses: list[int] = []
    for _ in range(61):
        while not arrivals.take("home"):
            pages.append(f"page {len(pages)}")
        guesses.append(sum(tries(rooms, page, code) for page in pages))
        clock.now += 1
    assert guesses[0] == door.arrivals_burst + OF_CLASS
    assert 60 * sum(guesses[1:]) == 19_800


def test_guesses_at_a_password_keep_nobody_out_and_tell_nothing(
    rooms: Classrooms, taught: SubjectEntry, clock: Clock
) -> None:
    """A page's first is looked at; a second is refused in the same words, right or wrong, and is not lost."""
    room = rooms.open(taught, "", "secret")
    room.connected(taught.visitor)
    assert tries(rooms, "typed wrongly", "BCDFGHJK", most=1) == 1
    for number in range(2 * OF_CLASS):
        tries(rooms, f"stranger {number}", room.code)
    for page in ("a student", "typed wrongly"):
        assert rooms.join(page, room.code, "secret")[0] is room
    assert tries(rooms, "another", room.code) == 1
    refused = []
    for password in ("wrong", "secret") * TRIES:
        with pytest.raises(RateError) as refusal:
            rooms.join("another", room.code, password)
        refused.append(str(refusal.value))
    assert len(set(refused)) == 1
    assert rooms.join("another, loaded again", room.code, "secret")[0] is room
    clock.now += 2
    assert rooms.join("another", room.code, "secret")[0] is room


def tries(rooms: Classrooms, visitor: str, code: str = "BCDFGHJK", most: int = 1_000) -> int:
    """Return the number of wrong codes or passwords that are looked at for a page, one after the other."""
    for number in range(most):
        try:
            rooms.join(visitor, code, "")
        except RateError:
            return number
        except RequestError:
            pass
    return most


def test_a_class_of_a_hundred_joins_at_once(rooms: Classrooms, room: Classroom) -> None:
    """From one network address, where a school is."""
    for number in range(100):
        rooms.join(f"student {number}", room.code, "")
    assert len(room.students) == 100


def test_a_ticket_is_no_guess(rooms: Classrooms, room: Classroom) -> None:
    """A hall that loses its network comes back at once, again and again; a made up ticket counts."""
    tickets = [rooms.join(f"{number}", room.code, "")[1].ticket for number in range(200)]
    for time in range(3):
        for number, ticket in enumerate(tickets):
            _, student = rooms.join(f"{number} for time {time}", room.code, "", ticket)
            room.connected(student.visitor)
            tickets[number] = student.ticket
    assert len(room.students) == 200
    for _ in range(TRIES):
        rooms.join("a page", room.code, "", "0" * 32)
    with pytest.raises(RateError):
        rooms.join("a page", room.code, "", "0" * 32)


def test_who_comes_back_to_a_class_that_is_over_is_told_so(rooms: Classrooms, room: Classroom) -> None:
    """A newcomer who types its code only reads that there is none."""
    _, student = rooms.join("a", room.code, "")
    rooms.end(room.teacher)
    with pytest.raises(RequestError, match="has ended"):
        rooms.join("a", room.code, "", student.ticket)


def test_a_password_is_not_asked_for_after_a_long_time_either(
    rooms: Classrooms, taught: SubjectEntry, clock: Clock
) -> None:
    """The student is the same one, though the list had them no longer."""
    room = rooms.open(taught, "", "secret")
    room.connected(room.teacher)
    _, student = rooms.join("a", room.code, "secret")
    clock.now += AWAY_SECONDS + 1
    rooms.sweep()
    assert not room.students
    assert rooms.join("b", room.code, "", student.ticket)[1].number == student.number


def test_a_class_that_is_full_leaves_a_page_where_it_was(
    rooms: Classrooms, room: Classroom, photo: Photo, clock: Clock
) -> None:
    """In the class before, with its ticket."""
    visit = Visit("")
    full = rooms.open(visit.subject(photo, "lenet", "random", ()), "")
    for number in range(MOST_STUDENTS):
        full.join(f"student {number}", clock.now)
    rooms.join("a", room.code, "")
    with pytest.raises(RequestError, match="full"):
        rooms.join("a", full.code, "")
    assert rooms.of("a") is room


@pytest.fixture
def opens(rooms: Classrooms, photo: Photo) -> Iterator[Callable[[int], Classroom]]:
    """Opens a class of a new page, in which so many students are; all lines stay open."""
    visits: list[Visit] = []

    def opened(students: int) -> Classroom:
        visits.append(Visit(""))
        subject = visits[-1].subject(photo, "lenet", "pretrained", ())
        made = rooms.open(subject, "")
        made.connected(subject.visitor)
        for number in range(students):
            page = f"student {number} of {made.code}"
            rooms.join(page, made.code, "")
            made.connected(page)
        return made

    yield opened
    rooms.close()


def test_a_stranger_who_opens_classes_ends_nobody_elses(
    rooms: Classrooms, opens: Callable[[int], Classroom], clock: Clock
) -> None:
    """With all the pages of one address, each of which opens its classes again and again."""
    begun, tutorial, locked = opens(0), opens(3), opens(20)
    for student in list(locked.students.values()):
        locked.disconnected(student.visitor, locked.connected(student.visitor), clock.now)
    strangers = [opens(0).subject for _ in range(OF_ADDRESS)]
    for _ in range(5):
        for each in strangers:
            rooms.open(each, "").connected(each.visitor)
        clock.now += 50
    assert not any(each.ended for each in (begun, tutorial, locked))
    _, student = rooms.join("a student", begun.code, "")
    assert student.number == 1


def test_a_stranger_who_holds_classes_keeps_no_teacher_out(
    rooms: Classrooms, opens: Callable[[int], Classroom]
) -> None:
    """With as many as an address can, pages of their own in each, and from another address as well."""
    for students in (1, 4):
        held = [opens(students) for _ in range(OF_ADDRESS // (1 + students))]
    held += [opens(0) for _ in range(OF_ADDRESS)]
    teachers = [opens(0) for _ in range(20)]
    for number, each in enumerate(teachers):
        assert rooms.join(f"student {number}", each.code, "")[0] is each
    assert not any(each.ended for each in (*held, *teachers))


def test_a_stranger_whose_pages_go_through_many_classes_takes_little_memory(
    rooms: Classrooms, opens: Callable[[int], Classroom], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class that fewer of them went through forgets nobody: ticket and number are good."""
    monkeypatch.setattr(classrooms, "MOST_GONE_OF_ALL", 100)
    lesson, strangers = opens(0), [opens(0) for _ in range(10)]
    tickets = [rooms.join(f"student {number}", lesson.code, "")[1].ticket for number in range(5)]
    for number in range(5):
        rooms.leave(f"student {number}")
    for page in range(60):
        for each in strangers:
            rooms.join(f"page {page}", each.code, "")
    assert 90 < sum(len(each.gone) for each in (lesson, *strangers)) <= 100
    back = [rooms.join(f"back {number}", lesson.code, "", each)[1] for number, each in enumerate(tickets)]
    assert [each.number for each in back] == [1, 2, 3, 4, 5]


def test_a_page_opens_few_classes_at_once(rooms: Classrooms, taught: SubjectEntry, clock: Clock) -> None:
    """Six, and then one a minute."""
    for _ in range(6):
        rooms.open(taught, "")
    with pytest.raises(RateError):
        rooms.open(taught, "")
    clock.now += 60
    rooms.open(taught, "")


def test_who_guesses_keeps_nobody_out(rooms: Classrooms, room: Classroom, clock: Clock) -> None:
    """A thousand pages try codes and go on for a minute; students join meanwhile, after two typos each."""
    strangers = [f"page {number}" for number in range(1_000)]
    for second in range(60):
        for stranger in strangers:
            tries(rooms, stranger)
        for _ in range(2):
            with pytest.raises(RequestError):
                rooms.join(f"student {second}", "BCDFGHJK", "")
        _, student = rooms.join(f"student {second}", room.code, "")
        assert student.number == second + 1
        clock.now += 1
