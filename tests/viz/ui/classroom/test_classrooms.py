"""All classes of a server: codes that are not guessed, and an end that comes by itself."""

import pytest

from tests.viz.ui.classroom.conftest import Clock
from viz.errors import RateError, RequestError
from viz.pictures.photo import Photo
from viz.ui.classroom.classroom import AWAY_SECONDS, MOST_STUDENTS, Classroom
from viz.ui.classroom.classrooms import LONGEST_SECONDS, MOST, TRIES, UNUSED_SECONDS, Classrooms
from viz.ui.classroom.codes import LENGTH, LETTERS
from viz.ui.door.counting import Rates
from viz.ui.door.limits import DoorLimits
from viz.ui.visit.visit import GRACE_SECONDS, SubjectEntry, Visit


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


def test_a_teacher_has_one_class_and_a_server_some(
    rooms: Classrooms, taught: SubjectEntry, photo: Photo
) -> None:
    """A second one ends the first; too many are refused."""
    first = rooms.open(taught, "")
    second = rooms.open(taught, "")
    assert (first.ended, second.ended) == (True, False)
    visits = [Visit("") for _ in range(MOST)]
    for each in visits[1:]:
        rooms.open(each.subject(photo, "lenet", "pretrained", ()), "")
    with pytest.raises(RequestError, match="already"):
        rooms.open(visits[0].subject(photo, "lenet", "pretrained", ()), "")


def test_codes_are_not_guessed(rooms: Classrooms, room: Classroom, clock: Clock) -> None:
    """A page tries five, and one a minute; beyond that even the right one is not looked up."""
    assert tries(rooms, "one page") == TRIES
    with pytest.raises(RateError):
        rooms.join("one page", room.code, "")
    clock.now += 60
    assert tries(rooms, "one page") == 1
    clock.now += 60
    rooms.join("one page", room.code, "")


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
    assert found * MOST < 1 / 140


def tries(rooms: Classrooms, visitor: str) -> int:
    """Return the number of wrong codes that are looked up for a page, one after the other."""
    for number in range(1_000):
        try:
            rooms.join(visitor, "BCDFGHJK", "")
        except RateError:
            return number
        except RequestError:
            pass
    return 1_000


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


def _opens(rooms: Classrooms, photo: Photo, count: int, address: str) -> list[Visit]:
    """Strangers of one address with a class each; they last as long as the list."""
    visits = [Visit("") for _ in range(count)]
    for each in visits:
        rooms.open(each.subject(photo, "lenet", "pretrained", ()), "", address=address)
    return visits


def test_one_address_takes_half_of_the_classes(rooms: Classrooms, photo: Photo) -> None:
    """However many pages it has; who is elsewhere gets the other half."""
    strangers = _opens(rooms, photo, MOST // 2, "home")
    with pytest.raises(RequestError, match="from your network"):
        _opens(rooms, photo, 1, "home")
    teachers = _opens(rooms, photo, MOST // 2, "school")
    assert all(rooms.taught_by(each.subject(photo, "lenet", "pretrained", ()).visitor) for each in teachers)
    assert len(strangers) == MOST // 2


def test_a_class_that_nobody_joins_gives_way_to_another(
    rooms: Classrooms, photo: Photo, clock: Clock
) -> None:
    """The oldest one of the same address, after two minutes; one that a student has joined stays."""
    visits = _opens(rooms, photo, MOST // 2, "school")
    opened = [rooms.taught_by(each.subject(photo, "lenet", "pretrained", ()).visitor) for each in visits]
    classes = [each for each in opened if each]
    for each in classes:
        each.connected(each.teacher)
    rooms.join("a student", classes[0].code, "")
    clock.now += UNUSED_SECONDS - 1
    with pytest.raises(RequestError, match="from your network"):
        _opens(rooms, photo, 1, "school")
    clock.now += 1
    late = _opens(rooms, photo, 1, "school")
    assert [each.ended for each in classes] == [False, True, *[False] * (MOST // 2 - 2)]
    assert late


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
