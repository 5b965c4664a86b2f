"""The addresses of course and quiz: what both say, and one sentence for what cannot be."""

import base64
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.viz.random_tasks import bits
from viz.answers.message import as_json
from viz.lessons.course import LESSONS
from viz.lessons.work import canvas_png, lines
from viz.pictures.photo import Photo, photograph
from viz.profile.cost import Budget
from viz.quiz import CHOICES, QUESTIONS, Level
from viz.quiz.subjects import quiz_task
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.ui.learning.course_facts import course_facts, lines_facts
from viz.ui.learning.live_facts import kept_facts
from viz.ui.learning.quiz_facts import answer_facts, question_facts
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire import answers
from viz.ui.wire.routes.teaching import routes_learning
from viz.views.hook_tasks import MemoryTask
from viz.views.one_layer import View
from viz.views.whole_model import Survey

SEED = 4711
HOSTILE = (
    *("course.json?lesson=5", "course.json?lesson=-1", "course.json?lesson=x"),
    *("course.json?lang=" + "e" * 500, "course.json?lesson=99999"),
    *("lesson.json", "lesson.json?lesson=4", "lesson.json?lesson=4&part=nosuch"),
    *("lesson.json?lesson=9&part=index", "lesson.json?lesson=3&part=product"),
    *("lesson.json?lesson=4&part=product&a=3", "lesson.json?lesson=4&part=product&a="),
    *("lesson.json?lesson=4&part=product&adds=1e9", "lesson.json?lesson=1&part=index&net=ResNet"),
    *("lesson_live.json?layer=conv99", "lesson_live.json?lesson=7"),
    "lesson_live.json?call=0",
    *("quiz.json", "quiz.json?seed=x", "quiz.json?seed=-1", "quiz.json?seed=1000000"),
    *("quiz.json?seed=1&level=", "quiz.json?seed=1&level=harder"),
    *("quiz.json?seed=1&question=8", "quiz.json?seed=1&question=-1"),
    *("quiz_answer.json?seed=1", "quiz_answer.json?seed=1&choice=4", "quiz_answer.json?seed=1&choice=-1"),
    *("quiz_answer.json?choice=1", "quiz_answer.json?seed=1&question=8&choice=1"),
)


def plain(message: object) -> Any:
    """A message as the browser reads it."""
    return json.loads(as_json(message))


@pytest.fixture
def ask(client: TestClient, subject: SubjectEntry) -> Any:
    """Asks a question about LeNet and the picture of noise."""

    def found(question: str) -> dict[str, Any]:
        answer = client.get(f"/maps/{subject.token}/{question}")
        assert answer.status_code == 200, answer.text
        assert "private" in answer.headers["cache-control"]
        return dict(answer.json())

    return found


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_a_lesson_is_told_as_it_is(ask: Any, number: int, language: str) -> None:
    """The address says which lesson and which language; without them, the first and English."""
    assert ask(f"course.json?lesson={number}&lang={language}") == plain(course_facts(number, language))
    assert ask("course.json") == plain(course_facts(0, "en"))


@pytest.mark.parametrize("part", [part.name for part in LESSONS[4].parts])
def test_numbers_are_those_of_the_lesson(ask: Any, part: str) -> None:
    """As called directly, for the first parameters and for others."""
    assert ask(f"lesson.json?lesson=4&part={part}") == plain(lines_facts(lines(4, part, {}), "en"))
    given = {"a": 1, "b": 3, "adds": -1}
    other = ask(f"lesson.json?lesson=4&part={part}&a=1&b=3&adds=-1&lang=zh")
    assert other == plain(lines_facts(lines(4, part, given), "zh"))


def test_the_part_about_every_layer_comes_with_its_canvas(ask: Any) -> None:
    """The PNG of the net that was chosen, and a text about it; other parts have none."""
    found = ask("lesson.json?lesson=1&part=index&net=SignalNet&runs=1")["canvas"]
    assert "SignalNet" in found["text"]
    shown, direct = (
        Image.open(io.BytesIO(png)) for png in (base64.b64decode(found["png"]), canvas_png("SignalNet"))
    )
    assert shown.tobytes() == direct.tobytes()
    assert "canvas" not in ask("lesson.json?lesson=1&part=conv2")


def test_a_part_that_the_server_cannot_bear_says_so(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence in both languages; the other parts are answered."""
    large = replace(LESSONS[4].parts[2], cost=10**15)
    monkeypatch.setitem(vars(LESSONS[4]), "parts", (*LESSONS[4].parts[:2], large, LESSONS[4].parts[3]))
    answer = client.get(f"/maps/{subject.token}/lesson.json?lesson=4&part={large.name}&a=2")
    assert answer.status_code == 422
    assert "this part of the lesson would take about" in answer.json()["error"]
    assert answer.json()["said"]["zh"]["error"]
    assert client.get(f"/maps/{subject.token}/lesson.json?lesson=4&part=kinds&a=2").is_success


def test_the_hooks_of_the_layer_on_screen_fire_both_ways(ask: Any) -> None:
    """LeNet names classes, so there is a way back; shapes are those of its layer."""
    found = ask("lesson_live.json?lesson=3&layer=conv2")
    given, returned = "(1, 6, 14, 14)", "(1, 16, 10, 10)"
    assert [tuple(hook.values()) for hook in found["hooks"]] == [
        ("pre-hook", given),
        ("forward hook", f"{given} · {returned}"),
        ("full backward pre-hook", returned),
        ("tensor hook", returned),
        ("full backward hook", f"{given} · {returned}"),
    ]
    assert "<code>conv2</code>" in found["text"]
    assert not {"kept", "maps"} & found.keys()


def test_without_memory_for_the_way_back_hooks_fire_one_way(
    ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is asked: the lesson shows what it can."""
    monkeypatch.setattr(routes_learning, "budget", lambda: Budget(ask=0, refuse=10**12))
    found = ask("lesson_live.json?lesson=3&layer=conv1")
    assert [hook["hook"] for hook in found["hooks"]] == ["pre-hook", "forward hook"]


def test_lesson_zero_says_what_was_kept_of_the_layer(ask: Any, subject: SubjectEntry) -> None:
    """As the engine reports it."""
    wanted = Inspection(subject.photo.fingerprint, "lenet", "pretrained", "relu1")
    memory = engine().do(MemoryTask(wanted, subject.photo), visitor="test").result()
    assert ask("lesson_live.json?layer=relu1")["kept"] == plain(kept_facts(memory))


def test_lesson_one_draws_the_layer_in_its_own_colours(ask: Any, subject: SubjectEntry) -> None:
    """Hot, whatever the look's colours, and with the look's edits."""
    found = ask("lesson_live.json?lesson=1&layer=conv2&colormap=magma&edit=conv1:zero:2")["maps"]
    wanted = Inspection(
        subject.photo.fingerprint, "lenet", "pretrained", "conv2", edits=edits_from("conv1:zero:2")
    )
    view = View(replace(wanted, colormap="hot", viewport=(800, 600)), subject.photo)
    png = base64.b64decode(found["png"])
    assert bits(png) == bits(engine().do(view, visitor="test").result().png)
    assert 350 < found["width"] <= 400
    assert found["width"] % Image.open(io.BytesIO(png)).width == 0
    assert found["text"] == "Feature maps of conv2 in the colours “hot”"


def test_a_layer_that_does_not_run_gets_a_sentence(ask: Any) -> None:
    """An operation between layers has no hooks; lessons 0 and 1 show nothing of it either."""
    for number in range(len(LESSONS)):
        found = ask(f"lesson_live.json?lesson={number}&layer=conv2&call=2")
        assert (found["hooks"], found["text"][:26]) == ([], "None of this layer's hooks")
        assert not {"kept", "maps"} & found.keys()


@pytest.mark.parametrize("level", ["climb", "easy", "hard"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("number", range(QUESTIONS))
def test_a_question_is_asked_without_its_answer(ask: Any, number: int, language: str, level: Level) -> None:
    """The browser gets the facts of the question that the quiz makes; what is right is another answer."""
    made = engine().do(quiz_task(SEED, number, level), visitor="test").result()
    about = f"seed={SEED}&level={level}&question={number}&lang={language}"
    assert ask(f"quiz.json?{about}") == plain(question_facts(made, language))
    for choice in range(CHOICES):
        found = ask(f"quiz_answer.json?{about}&choice={choice}")
        assert found == plain(answer_facts(made, choice, language))


def test_a_quiz_goes_from_easy_to_hard_if_no_level_is_said(ask: Any) -> None:
    """An address of the time before there were levels still opens a quiz."""
    assert ask(f"quiz.json?seed={SEED}") == ask(f"quiz.json?seed={SEED}&level=climb")
    assert ask(f"quiz.json?seed={SEED}") != ask(f"quiz.json?seed={SEED}&level=hard")


def test_a_class_gets_the_same_questions(client: TestClient, subject: SubjectEntry, photo: Photo) -> None:
    """Another visitor, another picture, another model: the same message, because only the seed counts."""
    rows = engine().do(Survey("photonet", "pretrained"), visitor="test").result()
    other = Visit("another session")
    theirs = other.subject(photograph(photo.image.rotate(90)), "photonet", "pretrained", rows)
    for question in (
        f"quiz.json?seed={SEED}&question=1",
        f"quiz_answer.json?seed={SEED}&question=1&choice=2",
    ):
        mine, found = (client.get(f"/maps/{each.token}/{question}&layer=x") for each in (subject, theirs))
        assert mine.json() == found.json()


def test_a_question_fetched_ahead_waits_behind_whatever_is_looked_at(
    client: TestClient, subject: SubjectEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser fetches it while the visitor reads why the last answer was right."""
    urgency = []

    class Listening:
        def do(self, task: Any, *, visitor: str, urgent: bool) -> Any:
            urgency.append(urgent)
            return engine().do(task, visitor=visitor, urgent=urgent)

    monkeypatch.setattr(answers, "engine", Listening)
    address = f"/maps/{subject.token}/quiz.json?seed={SEED}&question=2"
    assert client.get(address, headers={"x-layerglass-prefetch": "1"}).json() == client.get(address).json()
    assert urgency == [False, True]


@pytest.mark.parametrize("question", HOSTILE)
def test_what_cannot_be_is_refused_in_one_sentence(
    client: TestClient, subject: SubjectEntry, question: str
) -> None:
    """Never a traceback, never an answer to something else."""
    answer = client.get(f"/maps/{subject.token}/{question}")
    assert answer.status_code == 422
    assert 20 < len(answer.json()["error"]) < 200
    assert answer.json()["said"]["zh"]["error"]


@pytest.mark.parametrize("question", ["course.json", "lesson_live.json", f"quiz.json?seed={SEED}"])
def test_their_addresses_end_with_the_visit(
    client: TestClient, subject: SubjectEntry, visit: Visit, question: str
) -> None:
    """Like every address of a visitor."""
    visit.end()
    assert client.get(f"/maps/{subject.token}/{question}").status_code == 410
