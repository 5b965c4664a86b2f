"""Classes over a real server's lines: what a teacher shows arrives, and nothing that nobody may see or do."""

import asyncio
import http.client
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
import pytest

from tests.viz.ui.classroom.conftest import Clock
from tests.viz.ui.classroom.lines import PATIENCE, Browser, allowed, newest
from tools.answers import answered
from viz.answers.teaching import asking
from viz.answers.teaching import classroom as told
from viz.hooks.activations import LayerActivations
from viz.ui.classroom import events
from viz.ui.classroom.classroom import Classroom
from viz.ui.classroom.routes_classroom import classroom_routes
from viz.ui.classroom.saying import LINES, LOOKS, SAYINGS, classrooms
from viz.ui.door.limits import DoorLimits

ANSWERS = {
    "class_open.json": told.ClassroomOpened,
    "class_take.json": told.ClassroomOpened,
    "class_show.json": told.ClassroomHeard,
    "class_point.json": told.ClassroomHeard,
    "class_order.json": told.ClassroomHeard,
    "class_join.json": told.ClassroomJoined,
    "class_leave.json": told.ClassroomHeard,
    "class_say.json": told.ClassroomHeard,
    "class_subject.json": told.SharedSubject,
    "class_ask.json": asking.AskedHeard,
    "class_quiz.json": asking.AskedHeard,
    "class_asking.json": asking.AskedHeard,
    "class_answer.json": asking.AskedHeard,
    "class_name.json": asking.NicknameHeard,
}


def test_every_answer_is_what_its_handler_says() -> None:
    """From that the scripts' types are made."""
    assert answered(classroom_routes()) == ANSWERS


def test_a_look_arrives_at_everybody_and_is_read_by_its_struct(arrive: Callable[[], Browser]) -> None:
    """The teacher's own page hears of it too, and of who is here."""
    teacher, students = arrive(), [arrive() for _ in range(3)]
    code = teacher.teach()
    own = teacher.listen()
    for number, each in enumerate(students, 1):
        status, joined = each.ask("class_join.json", {"code": code})
        assert (status, joined["number"]) == (200, number)
    lines = [each.listen() for each in students]
    for line in lines:
        line.wait(lambda line: [each.look for each in line.named("look")] == ["layer=conv1"])
        assert not line.named("roster")
    assert teacher.show("view=layer&layer=conv2&channel=3&step=2") == 200
    for line in (*lines, own):
        newest(line, "look", lambda said: said.look == "layer=conv2&channel=3&step=2")
    newest(own, "roster", lambda said: [each.number for each in said.students if each.here] == [1, 2, 3])


def test_a_line_that_was_cut_gets_the_newest_state_alone(arrive: Callable[[], Browser]) -> None:
    """With the mark of that state, nothing; whatever was shown in between is not played again."""
    teacher, student = arrive(), arrive()
    student.ask("class_join.json", {"code": teacher.teach()})
    first = student.listen()
    first.wait(lambda line: bool(line.marks))
    first.close()
    for number in range(30):
        assert teacher.show(f"channel={number}") == 200
    second = student.listen(first.marks[-1])
    second.wait(lambda line: bool(line.named("look")))
    assert [each.look for each in second.named("look")] == ["channel=29"]
    third = student.listen(second.marks[-1])
    teacher.show("channel=30")
    third.wait(lambda line: bool(line.named("look")))
    assert [each.look for each in third.named("look")] == ["channel=30"]


def test_a_page_has_one_line(arrive: Callable[[], Browser]) -> None:
    """A second one takes the place of the first, which ends; the student stays here."""
    teacher, student = arrive(), arrive()
    student.ask("class_join.json", {"code": teacher.teach()})
    first = student.listen()
    first.wait(lambda line: bool(line.all))
    second = student.listen()
    second.wait(lambda line: bool(line.all))
    assert first.over.wait(PATIENCE)
    room = classrooms.of(student.subject.visitor)
    assert room
    assert [each.here for each in room.students.values()] == [True]


def test_a_quiet_line_is_heard_of(arrive: Callable[[], Browser], monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a browser notices when it is gone."""
    monkeypatch.setattr(events, "BEAT_SECONDS", 0.05)
    teacher, student = arrive(), arrive()
    student.ask("class_join.json", {"code": teacher.teach()})
    student.listen().wait(lambda line: len(line.named("beat")) > 3)


def test_students_ask_about_the_teachers_picture_with_one_pass_for_all(
    arrive: Callable[[], Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten at once, at ten addresses: the same bytes as the teacher's, from one run of the model."""
    teacher, students = arrive(), [arrive() for _ in range(10)]
    code, runs, run = teacher.teach(), [], LayerActivations.run
    monkeypatch.setattr(LayerActivations, "run", lambda *given, **more: runs.append(1) or run(*given, **more))
    tokens = []
    for each in students:
        each.ask("class_join.json", {"code": code})
        status, shared = each.ask("class_subject.json?lang=zh")
        assert status == 200
        found = msgspec.convert(shared, told.SharedSubject)
        assert (found.subject.model, found.subject.own, found.subject.frame) == ("lenet", (), None)
        tokens.append(found.subject.subject)
    path = "layer.png?layer=relu2&room=333x333&colormap=magma"
    with ThreadPoolExecutor(10) as pool:
        pictures = set(pool.map(lambda each, token: each.ask(path, None, token), students, tokens))
    assert pictures == {teacher.ask(path)}
    assert len(runs) == 1


def test_what_was_lent_ends_with_the_class(arrive: Callable[[], Browser]) -> None:
    """All lines get a word, all addresses 410, the code leads nowhere."""
    teacher, student = arrive(), arrive()
    code = teacher.teach()
    student.ask("class_join.json", {"code": code})
    token = student.ask("class_subject.json")[1]["subject"]["subject"]
    line = student.listen()
    line.wait(lambda line: bool(line.all))
    assert student.ask("seen.png", None, token)[0] == 200
    assert teacher.ask("class_order.json", {"do": "end"})[0] == 200
    assert line.over.wait(PATIENCE)
    assert line.all[-1][0] == "end"
    assert student.ask("seen.png", None, token)[0] == 410
    assert student.ask("class_join.json", {"code": code})[0] == 422
    assert student.ask("class_events")[0] == 422


def test_a_student_who_tries_to_lead_is_refused(arrive: Callable[[], Browser]) -> None:
    """By every route, also at the address that was lent; with the teacher's token alone it would work."""
    teacher, student = arrive(), arrive()
    student.ask("class_join.json", {"code": teacher.teach()})
    lent = student.ask("class_subject.json")[1]["subject"]["subject"]
    line = student.listen()
    line.wait(lambda line: bool(line.all))
    for subject in ("", lent):
        for path, said in (
            ("class_show.json", {"look": "layer=fc1"}),
            ("class_point.json", {"at": {"what": "map 1", "y": 0.1, "x": 0.2}}),
            ("class_order.json", {"do": "freeze"}),
            ("class_order.json", {"do": "lead", "student": 1}),
            ("class_order.json", {"do": "remove", "student": 1}),
            ("class_order.json", {"do": "shut"}),
            ("class_order.json", {"do": "end"}),
            ("class_take.json", {"right": "0" * 32}),
        ):
            status, refusal = student.ask(path, said, subject)
            assert status == 422
            assert refusal["said"]["zh"]["error"] != refusal["error"]
    assert teacher.show("layer=conv2") == 200
    newest(line, "look", lambda said: said.look == "layer=conv2")
    assert [each.lead for each in line.named("look")] == [0, 0]


def test_a_reloaded_teacher_takes_the_class_up_again(arrive: Callable[[], Browser]) -> None:
    """With the secret that only the first page was told; that page is the teacher's no longer."""
    teacher, reloaded, student = arrive(), arrive(), arrive()
    _, opened = teacher.ask("class_open.json", {"look": "layer=conv1"})
    student.ask("class_join.json", {"code": opened["code"]})
    line = student.listen()
    status, again = reloaded.ask("class_take.json", {"right": opened["right"]})
    assert (status, again["code"], again["look"]) == (200, opened["code"], "layer=conv1")
    assert reloaded.show("layer=fc1") == 200
    newest(line, "look", lambda said: said.look == "layer=fc1")
    assert teacher.show("layer=fc2") == 422


def test_of_two_pages_with_one_right_only_one_leads(arrive: Callable[[], Browser]) -> None:
    """As of a duplicated tab: the other one reads it on its line, and does not take the class back."""
    first, second = arrive(), arrive()
    _, opened = first.ask("class_open.json", {"look": "layer=conv1"})
    line = first.listen()
    line.wait(lambda line: bool(line.named("look")))
    _, taken = second.ask("class_take.json", {"right": opened["right"]})
    assert taken["right"] != opened["right"]
    assert line.over.wait(PATIENCE)
    name, why = line.all[-1]
    assert (name, "Another page leads this class" in why.error) == ("moved", True)
    assert set(why.said) == {"zh"}
    second.listen().wait(lambda line: bool(line.named("roster")))
    status, refusal = first.ask("class_take.json", {"right": opened["right"]})
    assert (status, refusal["error"]) == (422, why.error)
    assert second.show("layer=fc1") == 200


def test_a_beat_comes_by_the_clock_of_the_line(room: Classroom, clock: Clock) -> None:
    """Not after a while without a bell, which may ring for all again and again."""

    async def told() -> bytes:
        room.join("early", clock.now)
        line = events.events(room, "early", "", clock)
        for _ in range(2):
            await anext(line)
        coming = asyncio.ensure_future(anext(line))
        for _ in range(5):
            await asyncio.sleep(0.05)
            clock.now += events.BEAT_SECONDS / 4
            room.ring()
        return await asyncio.wait_for(coming, events.BEAT_SECONDS / 2)

    assert asyncio.run(told()) == events.BEAT


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("class_show.json", b"no JSON"),
        ("class_show.json", b"\xff\xfe"),
        ("class_show.json", {"look": "layer=" + "x" * 50_000}),
        ("class_show.json", b"x" * 100_000),
        ("class_show.json", {"look": 7}),
        ("class_show.json", {"look": "", "more": 1}),
        ("class_show.json", {"look": "", "caption": "x" * 1001}),
        ("class_point.json", {"at": {"what": "m" * 500, "y": 0.5, "x": 0.5}}),
        ("class_point.json", {"at": {"what": "map", "y": 7, "x": 0.5}}),
        ("class_order.json", {"do": "lead", "student": 99}),
        ("class_order.json", {"do": "everything"}),
        ("class_open.json", {"look": "", "password": "p" * 101}),
        ("class_join.json", {"code": "B" * 101}),
    ],
)
def test_what_no_page_says_is_refused_and_shown_to_nobody(
    arrive: Callable[[], Browser], path: str, said: Any
) -> None:
    """Each in a sentence; the class goes on."""
    teacher = arrive()
    teacher.teach()
    status, refusal = teacher.ask(path, said)
    assert status == 422
    assert refusal["error"]
    room = classrooms.of(teacher.subject.visitor)
    assert room
    assert (room.look, room.pointer, room.version) == ("layer=conv1", None, 1)


def test_a_look_is_a_look_and_nothing_else(arrive: Callable[[], Browser]) -> None:
    """Another subject's token, a code, a script: names that are not the look's are told to nobody."""
    teacher, student, other = arrive(), arrive(), arrive()
    student.ask("class_join.json", {"code": teacher.teach()})
    line = student.listen()
    hidden = f"subject={other.subject.token}&with={other.subject.token}&class=BCDFGH&sample=x&layer=conv2"
    assert teacher.show(hidden) == 200
    line.wait(lambda line: [each.look for each in line.named("look")[-1:]] == ["layer=conv2"])
    assert teacher.show(f"layer={quote('<img src=x onerror=alert(1)>')}&view=none&call=-3&channel=1e9") == 200
    assert "view" not in newest(line, "look", lambda said: "%3Cimg" in said.look).look


def test_a_flood_of_looks_is_held_up_and_nobody_else(arrive: Callable[[], Browser]) -> None:
    """The leader is told that it is too much; another class goes on meanwhile."""
    flood, calm = arrive(), arrive()
    flood.teach()
    calm.teach()
    began = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: flood.show(f"channel={number}"), range(8 * LOOKS.burst)))
        assert calm.show("layer=conv2") == 200
    assert found.count(200) <= allowed(LOOKS, began)
    assert set(found) <= {200, 429}


def test_a_students_flood_is_held_up_and_reaches_the_teacher_a_few_times(
    arrive: Callable[[], Browser],
) -> None:
    """Raised hands and lines that break: most are refused in a sentence, and another student is heard."""
    teacher, flood, calm = arrive(), arrive(), arrive()
    code = teacher.teach()
    for each in (flood, calm):
        each.ask("class_join.json", {"code": code})
    own, began = teacher.listen(), time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(
                lambda number: flood.ask("class_say.json", {"following": True, "hand": bool(number % 2)}),
                range(300),
            )
        )
        assert calm.ask("class_say.json", {"following": False, "hand": True})[0] == 200
    assert [status for status, _ in found].count(200) <= allowed(SAYINGS, began)
    (refusal,) = {told["error"] for status, told in found if status == 429}
    assert refusal == "This page says more than a class can follow."
    newest(own, "roster", lambda said: [each.following for each in said.students][1:] == [False])
    assert len(own.named("roster")) <= (time.monotonic() - began) / events.ROSTER_SECONDS + 3
    statuses = []
    for _ in range(3 * LINES.burst):
        with closing(http.client.HTTPConnection(urlsplit(flood.address).netloc, timeout=PATIENCE)) as line:
            line.request("GET", f"/maps/{flood.subject.token}/class_events")
            statuses.append(line.getresponse().status)
    assert set(statuses) == {200, 429}
    assert statuses.count(200) <= allowed(LINES, began)


def test_a_removed_student_is_told_so_once_and_nobody_else_may_come(arrive: Callable[[], Browser]) -> None:
    """On the line that is open, or on the next one if there was none; a shut class refuses in a sentence."""
    teacher, here, away, late = (arrive() for _ in range(4))
    code = teacher.teach()
    tickets = [each.ask("class_join.json", {"code": code})[1]["ticket"] for each in (here, away)]
    line = here.listen()
    line.wait(lambda line: bool(line.all))
    assert teacher.ask("class_order.json", {"do": "shut"})[0] == 200
    for number in (1, 2):
        assert teacher.ask("class_order.json", {"do": "remove", "student": number})[0] == 200
    assert line.over.wait(PATIENCE)
    assert line.all[-1] == ("end", '{"removed":true}')
    again = away.listen()
    assert again.over.wait(PATIENCE)
    assert again.all == [("end", '{"removed":true}')]
    for ticket in tickets:
        status, told = late.ask("class_join.json", {"code": code, "ticket": ticket})
        assert (status, told["error"]) == (422, "The teacher has removed you from this class.")
    status, told = late.ask("class_join.json", {"code": code})
    assert (status, told["error"]) == (422, "The teacher lets nobody else into this class.")
    assert teacher.ask("class_order.json", {"do": "admit"})[0] == 200
    assert late.ask("class_join.json", {"code": code})[1]["number"] == 3


def test_a_caption_is_plain_text_of_the_teachers_own(arrive: Callable[[], Browser]) -> None:
    """Signs that turn its direction are left out, and a student who leads writes nothing."""
    teacher, student = arrive(), arrive()
    student.ask("class_join.json", {"code": teacher.teach()})
    line = student.listen()
    teacher.ask("class_show.json", {"look": "layer=conv2", "caption": "Look\u202e at\nthe edges.\u2066"})
    newest(line, "look", lambda said: said.caption == "Look at\nthe edges.")
    teacher.ask("class_order.json", {"do": "lead", "student": 1})
    assert student.ask("class_show.json", {"look": "layer=fc1", "caption": "Rude."})[0] == 200
    newest(line, "look", lambda said: said.look == "layer=fc1")
    assert "Rude" not in str(line.all)


def test_thousands_of_joins_are_one_student(arrive: Callable[[], Browser]) -> None:
    """However often a page joins: the class refuses no right code, the door what comes too fast for it."""
    teacher, student = arrive(), arrive()
    code = teacher.teach()
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda _: student.ask("class_join.json", {"code": code})[0], range(2_000)))
    assert said.count(200) >= DoorLimits().asked_burst
    assert set(said) <= {200, 429}
    room = classrooms.of(teacher.subject.visitor)
    assert room
    assert len(room.students) == 1


def test_guessed_codes_are_refused_before_they_are_looked_up(arrive: Callable[[], Browser]) -> None:
    """Then the right one is refused as well."""
    teacher, student = arrive(), arrive()
    code = teacher.teach()
    found = [student.ask("class_join.json", {"code": "BCDFGHJK"})[0] for _ in range(30)]
    assert found[0] == 422
    assert found[-1] == 429
    assert student.ask("class_join.json", {"code": code})[0] == 429


def test_a_page_that_has_gone_tries_no_codes_and_is_present_no_more(arrive: Callable[[], Browser]) -> None:
    """The address that its class has lent it may live on, but speaks for nobody."""
    teacher, other, student = arrive(), arrive(), arrive()
    student.ask("class_join.json", {"code": teacher.teach()})
    lent = student.ask("class_subject.json")[1]["subject"]["subject"]
    code = other.teach()
    for path, said in (
        ("class_join.json", {"code": code}),
        ("class_open.json", {"look": ""}),
        ("class_say.json", {}),
        ("class_events", None),
    ):
        assert student.ask(path, said, lent)[0] == 422
    assert student.ask("class_join.json", {"code": code})[0] == 200


def test_a_qr_code_holds_an_address_and_nothing_else(arrive: Callable[[], Browser]) -> None:
    """It is a picture; what is no address, or too long for one, is refused."""
    teacher = arrive()
    status, picture = teacher.ask(f"class_qr.svg?address={quote('http://192.168.1.20:8501/?class=BCDFGH')}")
    assert (status, picture[:4]) == (200, b"<svg")
    for wrong in ("javascript:alert(1)", "http://" + "a" * 400):
        assert teacher.ask(f"class_qr.svg?address={quote(wrong)}")[0] == 422
