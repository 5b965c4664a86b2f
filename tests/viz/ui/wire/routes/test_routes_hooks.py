"""Answers about hooks: the timeline of a pass, and what is left of a layer's value in memory."""

from starlette.testclient import TestClient

from viz.ui.visit.visit import SubjectEntry, Visit


def test_the_timeline_is_answered_with_and_without_the_way_back(
    client: TestClient, subject: SubjectEntry
) -> None:
    """Two hooks a layer on the way there, five in all with a class; shapes are those of the layers."""
    there = client.get(f"/maps/{subject.token}/timeline.json?layer=conv2").json()
    assert {event["kind"] for event in there["events"]} == {"pre-hook", "forward hook"}
    both = client.get(f"/maps/{subject.token}/timeline.json?layer=conv2&back=1&target=3").json()
    assert (there["total"], both["total"]) == (2 * 12, 5 * 12)
    event = next(e for e in both["events"] if e["layer"] == "conv2" and e["kind"] == "full backward hook")
    code = [both["lines"][line] for line in event["code"]]
    assert code[event["lit"]] == "    print(grad_input[0].shape)  # torch.Size([1, 6, 14, 14])"
    assert code[event["caller"]] == "model(picture.requires_grad_())[0, 3].backward()"
    assert (event["input_gradients"], event["output_gradients"]) == ([[1, 6, 14, 14]], [[1, 16, 10, 10]])


def test_memory_is_answered_for_a_layer(client: TestClient, subject: SubjectEntry) -> None:
    """LeNet's layers only write to their own memory; a call that does not exist gets a sentence."""
    found = client.get(f"/maps/{subject.token}/memory.json?layer=conv2").json()
    assert (found["layer"], found["shape"], found["writes"]) == ("conv2", [1, 16, 10, 10], 0)
    assert [kept["shares"] for kept in found["kept"]] == [True, True, True, False]
    assert [(moment["number"], moment["changed"]) for moment in found["moments"]] == [(7, 0.0)]
    assert (found["bytes"], len(found["moments"][0]["blocks"])) == (4 * 16 * 10 * 10, 256)
    missing = client.get(f"/maps/{subject.token}/memory.json?layer=conv2&call=8")
    assert missing.status_code == 422
    assert "no call 7" in missing.json()["error"]


def test_their_addresses_die_with_the_visit(client: TestClient, visit: Visit, subject: SubjectEntry) -> None:
    """The same holds for every address of a visitor's picture."""
    visit.end()
    for form in ("timeline", "memory"):
        assert client.get(f"/maps/{subject.token}/{form}.json?layer=conv2").status_code == 410
