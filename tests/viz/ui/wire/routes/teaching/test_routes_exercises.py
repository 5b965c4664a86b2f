"""Exercises over the wire: help comes in steps, an answer is posted, and what cannot be is one sentence."""

import pytest
from starlette.testclient import TestClient

from viz.exercises.folder import find, served
from viz.ui.visit.visit import SubjectEntry


def get(client: TestClient, subject: SubjectEntry, path: str) -> dict[str, object]:
    """Return the answer to a question."""
    found = client.get(f"/maps/{subject.token}/{path}")
    read: dict[str, object] = found.json() | {"status": found.status_code}
    return read


def test_the_list_has_every_exercise_in_its_group(client: TestClient, subject: SubjectEntry) -> None:
    """In the visitor's language."""
    for language in ("en", "zh"):
        groups = get(client, subject, f"exercises.json?lang={language}")["groups"]
        assert isinstance(groups, list)
        titles = [each["title"] for group in groups for each in group["exercises"]]
        assert titles == [exercise.title for exercise in served(language)]


def test_help_comes_in_steps_and_the_solution_last(client: TestClient, subject: SubjectEntry) -> None:
    """No answer but the last has code, and nothing that is sent before has the solution."""
    solution = find("keep-maps", "en").solution
    assert solution.splitlines()[3].strip() not in str(
        get(client, subject, "exercise.json?exercise=keep-maps")
    )
    codes = [
        get(client, subject, f"exercise_help.json?exercise=keep-maps&help={step}")["code"]
        for step in range(4)
    ]
    assert codes == [None, None, None, solution]
    assert get(client, subject, "exercise_help.json?exercise=keep-maps&help=4")["status"] == 422


def test_an_answer_is_judged_in_the_visitors_language(client: TestClient, subject: SubjectEntry) -> None:
    """A right one says why; what is filled in is never HTML."""
    address = f"/maps/{subject.token}/answer.json?exercise=keep-maps"
    right = client.post(address, content=find("keep-maps", "en").solution).json()
    assert (right["right"], right["problems"]) == (True, [])
    assert right["why"]
    wrong = client.post(f"{address}&lang=zh", content="maps = picture").json()
    assert "形状" in wrong["problems"][0]["text"]
    assert "<code>maps</code>" in wrong["problems"][0]["text"]
    evil = client.post(address, content="x = {}\nx['<img src=x>']").json()
    assert "&lt;img" in evil["problems"][0]["text"]
    assert "<img" not in evil["problems"][0]["text"]
    assert evil["problems"][0]["line"] == 2


@pytest.mark.parametrize(
    ("query", "content"),
    [("exercise=none", b"x = 1"), ("exercise=keep-maps", b"x" * 50_000), ("exercise=keep-maps", b"\xff\xfe")],
)
def test_what_is_no_answer_is_refused_in_a_sentence(
    client: TestClient, subject: SubjectEntry, query: str, content: bytes
) -> None:
    """An exercise that there is not, a text that is too long, bytes that are no text."""
    found = client.post(f"/maps/{subject.token}/answer.json?{query}", content=content)
    assert found.status_code == 422
    assert found.json()["error"]
