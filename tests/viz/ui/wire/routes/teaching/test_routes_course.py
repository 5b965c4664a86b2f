"""The addresses of the course: a lesson runs in its own net, on the picture of whoever asks."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.machine import patience
from viz.answers.message import as_json
from viz.course.tasks import StepTask, run_of
from viz.plans.folder import served
from viz.ui.learning.step_facts import contents_facts, found_facts, lesson_facts, step_in
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry

HOSTILE = (
    *("lesson_text.json", "lesson_text.json?lesson=no", "lesson_text.json?lesson=..%2F..%2Fetc"),
    *("step.json", "step.json?lesson=calls", "step.json?lesson=calls&lesson_step=9"),
    *("step.json?lesson=3&lesson_step=1", "step.json?lesson=calls&lesson_step=0"),
    *("step_maps.json?lesson=calls", "step_maps.json?lesson=x&lesson_step=1"),
)


def plain(message: object) -> Any:
    """A message as the browser reads it."""
    return json.loads(as_json(message))


def test_contents_and_lessons_are_told_as_they_are(client: TestClient, subject: SubjectEntry) -> None:
    """In the visitor's language."""
    at = f"/maps/{subject.token}"
    assert client.get(f"{at}/contents.json?lang=zh").json() == plain(contents_facts("zh"))
    told = client.get(f"{at}/lesson_text.json?lesson=transformer&lang=zh").json()
    assert told == plain(lesson_facts("transformer", "zh"))


def test_lesson_plans_are_told_as_their_files_say(client: TestClient, subject: SubjectEntry) -> None:
    """In the visitor's language; the browser reads them."""
    told = client.get(f"/maps/{subject.token}/plans.json?lang=zh").json()
    assert [(plan["id"], plan["text"]) for plan in told["plans"]] == list(served("zh"))


def test_a_step_runs_on_the_visitors_picture(client: TestClient, subject: SubjectEntry) -> None:
    """In the lesson's net, although another model is on screen; the engine gives the same."""
    lesson, step = step_in("transformer", 5, "en")
    told = client.get(f"/maps/{subject.token}/step.json?lesson=transformer&lesson_step=5&lang=en").json()
    task = StepTask(lesson.net, "pretrained", run_of(step), subject.photo)
    found = engine().do(task, visitor="a").result(patience(120))
    assert found.error == ""
    assert told == plain(found_facts(step, found, "en"))
    assert told["right"] == 0
    assert subject.model != lesson.net


def test_maps_to_choose_say_nothing_of_what_is_right(client: TestClient, subject: SubjectEntry) -> None:
    """Three pictures, as many as the step names."""
    told = client.get(f"/maps/{subject.token}/step_maps.json?lesson=transformer&lesson_step=3").json()
    assert sorted(told) == ["maps"]
    assert len(told["maps"]) == 3


@pytest.mark.parametrize("ending", HOSTILE)
def test_a_hostile_address_gets_a_sentence(client: TestClient, subject: SubjectEntry, ending: str) -> None:
    """Never a bug, which would raise here."""
    answer = client.get(f"/maps/{subject.token}/{ending}")
    assert answer.status_code == 422
    assert 10 < len(answer.json()["error"]) < 500
