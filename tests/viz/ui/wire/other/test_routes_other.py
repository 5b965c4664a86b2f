"""The other side of a comparison: one address, one answer, and nothing that belongs to another visit."""

import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import msgspec
import numpy as np
import pytest
import safetensors.torch
from msgspec import UNSET
from PIL import Image
from starlette.testclient import TestClient

import models
from tests.machine import patience
from tests.models.uploads import state
from viz.answers.other import OtherFacts
from viz.pictures.own_donors import own_name
from viz.pictures.photo import Photo, photograph
from viz.pictures.samples import sample
from viz.ui.classroom.lent import StudentAccess
from viz.ui.visit.own_pictures import PICTURES_HELD, OwnPictures
from viz.ui.visit.own_weights import own_weights
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SUBJECTS_KEPT, SubjectEntry, Visit, find_subject
from viz.ui.visit.weights_words import MISSING_WEIGHTS
from viz.views.whole_model import Predict, Survey

Asks = Callable[..., dict[str, Any]]


@pytest.fixture
def asks(client: TestClient, subject: SubjectEntry) -> Asks:
    """Asks what the other side of the picture of noise in LeNet is."""

    def ask(about: SubjectEntry = subject, **look: object) -> dict[str, Any]:
        query = urlencode({"view": "compare", "layer": "conv1", "lang": "en"} | look)
        answer = client.get(f"/maps/{about.token}/other.json?{query}")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        found = msgspec.json.decode(answer.content, type=OtherFacts)
        assert [found.subject, found.ask, found.loading].count(UNSET) == 2
        return dict(answer.json())

    return ask


@pytest.fixture
def own(visit: Visit) -> Photo:
    """A second picture that the visitor brought."""
    noise = np.random.default_rng(6).integers(0, 256, (20, 20, 3), dtype=np.uint8)
    photo = photograph(Image.fromarray(noise))
    visit.pictures.hold(photo, "noise.png")
    return photo


def entry(found: dict[str, Any]) -> SubjectEntry:
    """The subject that an answer names."""
    subject = find_subject(found["subject"])
    assert subject is not None
    return subject


def in_model(visit: Visit, photo: Photo, model: str, weights: str = "pretrained") -> SubjectEntry:
    """A subject of another model."""
    rows = engine().do(Survey(model, weights), visitor=visit.visitor).result()
    return visit.subject(photo, model, weights, rows)


def test_at_first_it_is_another_sample_in_the_same_model(asks: Asks, visit: Visit) -> None:
    """The first sample, or the second if the first one is side A; layers and calls follow."""
    found = asks(layer="relu1")
    assert entry(found).photo.fingerprint == photograph(sample("cat")).fingerprint
    assert (found["model"], found["layer"], found["call"], found["follows"]) == ("lenet", "relu1", 0, True)
    assert found["alike"] is True
    assert found["notices"] == []
    assert set(found["chosen"].values()) == {"cat", "same", "difference"}
    cat = in_model(visit, photograph(sample("cat")), "lenet")
    assert entry(asks(cat)).photo.fingerprint == photograph(sample("astronaut")).fingerprint


@pytest.mark.parametrize(
    "chosen", [{"with_model": "photonet"}, {"with_weights": "random"}, {"with_layer": "conv2"}]
)
def test_beside_another_model_weights_or_layer_it_is_the_same_picture(
    asks: Asks, subject: SubjectEntry, chosen: dict[str, str]
) -> None:
    """Otherwise two things would differ at once; a picture that is named stays."""
    found = asks(**chosen)
    assert entry(found).photo.fingerprint == subject.photo.fingerprint
    assert found["chosen"]["with_sample"] == "same"
    assert asks(**chosen, with_sample="coffee")["chosen"]["with_sample"] == "coffee"
    same = dict.fromkeys(chosen, "same")
    assert asks(**same)["chosen"]["with_sample"] == "cat"
    nowhere = asks(**chosen, with_sample="cofee")
    assert nowhere["chosen"]["with_sample"] == "same"
    assert nowhere["notices"][0]["text"].endswith("(did you mean coffee?). Showing same.")


def test_the_same_address_has_the_same_answer(asks: Asks) -> None:
    """Also after other questions, because nothing is kept between them."""
    first = asks(with_sample="coffee", layer="conv2")
    asks(with_sample="brick", with_layer="relu2")
    assert asks(with_sample="coffee", layer="conv2") == first


def test_a_pair_can_be_asked_for_with_its_subject(
    asks: Asks, client: TestClient, subject: SubjectEntry
) -> None:
    """The two subjects are of one visit."""
    found = asks(with_sample="same", with_weights="random")
    pair = f"/maps/{subject.token}/pair.json?layer=conv1&with={found['subject']}&with_layer={found['layer']}"
    facts = client.get(pair).json()
    assert facts["difference"]["statistics"]["maximum"] > 0
    assert found["alike"] is False


def test_each_side_says_model_weights_picture_and_prediction(asks: Asks, subject: SubjectEntry) -> None:
    """Untrained weights predict nothing that means anything."""
    best, share = engine().do(Predict(subject.photo, "lenet", "pretrained"), visitor="").result().top[0]
    left, right = asks(with_sample="coffee", with_weights="random")["labels"].values()
    assert left == f"lenet · trained · own picture · {best} {100 * share:.0f} %"
    assert right == "lenet · untrained · A cup of coffee"


def test_an_own_picture_is_offered_by_its_file_and_shown(asks: Asks, own: Photo) -> None:
    """It stands before the samples."""
    found = asks(with_sample=own_name(own))
    assert entry(found).photo.fingerprint == own.fingerprint
    first, second, *_ = found["choices"]["with_sample"]
    assert first == {"name": "same", "label": "same picture"}
    assert second == {"name": own_name(own), "label": "noise.png"}
    assert found["chosen"]["with_sample"] == own_name(own)
    assert "own picture" in found["labels"]["right"]


def test_nobody_reaches_a_picture_of_another_visit(asks: Asks, own: Photo, subject: SubjectEntry) -> None:
    """Its name is like one that nobody has: the same sentence, and the sample that is shown at first."""
    stranger = Visit("stranger")
    theirs = in_model(stranger, subject.photo, "lenet")
    found, nowhere = (asks(theirs, with_sample=name) for name in (own_name(own), f"own_{'0' * 32}"))
    assert entry(found).photo.fingerprint == photograph(sample("cat")).fingerprint
    assert entry(found).visitor == stranger.visitor
    assert found["choices"] == nowhere["choices"]
    (said,) = found["notices"]
    assert said["text"].startswith("Picture B is no longer on this server, or was uploaded in another visit")
    assert said["document"] == "your-files#my-picture-is-gone-why"
    assert [said] == nowhere["notices"]


def test_a_lost_picture_is_told_of_until_another_is_chosen(asks: Asks, subject: SubjectEntry) -> None:
    """In the language asked for; a student, who cannot bring the teacher's picture, reads what is shown."""
    gone = f"own_{'1' * 32}"
    assert "图片 B" in asks(with_sample=gone, lang="zh")["notices"][0]["text"]
    assert asks(with_sample="coffee")["notices"] == []
    student = StudentAccess("student", OwnPictures())
    (told,) = asks(student.subject(subject), with_sample=gone)["notices"]
    assert told["text"] == f"The address says with_sample={gone}, which does not exist. Showing cat."


def test_an_own_picture_on_screen_is_not_the_first_to_be_dropped(
    asks: Asks, visit: Visit, own: Photo
) -> None:
    """However many come after it: each time it is looked at, another one is the least recently used."""
    for grey in range(PICTURES_HELD + 1):
        assert entry(asks(with_sample=own_name(own))).photo.fingerprint == own.fingerprint
        visit.pictures.hold(photograph(Image.new("L", (8, 8), grey).convert("RGB")))


def test_a_visit_that_has_ended_has_no_other_side(
    client: TestClient, visit: Visit, subject: SubjectEntry
) -> None:
    """Nor can its subject be brought back by asking for one."""
    visit.end()
    answer = client.get(f"/maps/{subject.token}/other.json?view=compare")
    assert answer.status_code == 410
    assert visit.beside(subject, subject.photo, "lenet", "pretrained", subject.rows) is None
    assert find_subject(subject.token) is None


def test_however_many_sides_are_tried_the_first_one_stays(visit: Visit, subject: SubjectEntry) -> None:
    """Each question about the other side keeps both."""
    for number in range(SUBJECTS_KEPT + 3):
        photo = photograph(Image.new("RGB", (4, 4), (number, 0, 0)))
        assert visit.beside(subject, photo, "lenet", "pretrained", subject.rows) is not None
    assert find_subject(subject.token) is subject


def test_the_same_weights_of_another_model_are_trained_ones_if_these_are_own(
    asks: Asks, visit: Visit, photo: Photo
) -> None:
    """Own weights fit the model that they were made for."""
    visit.own = own_weights(safetensors.torch.save(state(21)))
    subject = in_model(visit, photo, "lenet", visit.own.id)
    assert entry(asks(subject)).weights == visit.own.id
    assert asks(subject)["labels"]["right"].startswith("lenet · own weights · A cat")
    assert entry(asks(subject, with_model="photonet")).weights == "pretrained"
    untrained = in_model(visit, photo, "lenet", "random")
    assert entry(asks(untrained, with_model="photonet")).weights == "random"


def test_another_model_begins_where_it_can_follow(asks: Asks) -> None:
    """PhotoNet has no layer of LeNet's names, so its first convolution is shown."""
    found = asks(with_model="photonet")
    assert (found["layer"], found["follows"], found["alike"]) == ("stem.conv", True, False)
    assert found["rows"][0].keys() == {
        *("name", "type", "detail", "shape", "calls", "reason", "operation", "cost", "ends")
    }
    assert "with_call" not in found["choices"]


def test_an_operation_can_be_chosen_but_nobody_is_left_at_one(asks: Asks) -> None:
    """Operations are listed as such; a link may ask for one."""
    rows = asks(with_model="photonet")["rows"]
    operation = next(row["name"] for row in rows if row["operation"])
    found = asks(with_model="photonet", with_layer=operation)
    assert (found["layer"], found["follows"], found["notices"]) == (operation, False, [])


@pytest.mark.parametrize(
    ("look", "sentence"),
    [
        ({"with_sample": "cofee"}, "with_sample=cofee, which does not exist (did you mean coffee?). Showing"),
        ({"with_model": "lenett"}, "(did you mean lenet"),
        ({"with_weights": "best"}, "with_weights=best, which does not exist. Showing same."),
        ({"with_layer": "conv9"}, "with_layer=conv9, which does not exist (did you mean conv2, conv1?)"),
        ({"with_call": "2"}, "with_call=2, which does not exist. Showing 1."),
        ({"with_layer": "relu1", "with_call": "7"}, "with_call=7, which does not exist. Showing 1."),
        ({"with_order": "size"}, "with_order=size, which does not exist. Showing difference."),
        ({"with_edits": "none"}, "with_edits=none, which does not exist. Showing same."),
    ],
)
def test_what_does_not_exist_gets_one_sentence(asks: Asks, look: dict[str, str], sentence: str) -> None:
    """And what is shown at first takes its place."""
    found = asks(**look)
    (notice,) = found["notices"]
    assert sentence in notice["text"]
    assert notice["document"] == "address#the-look"
    assert "error" not in found


def test_the_first_call_needs_no_sentence(asks: Asks) -> None:
    """It is shown anyway."""
    assert asks(with_call="1")["notices"] == []


def test_edits_can_be_left_out_on_one_side(asks: Asks) -> None:
    """Then both labels say which side has them; another model has no edits at all."""
    both = asks(edit="conv1:zero:3", with_sample="same")
    assert both["choices"]["with_edits"][1] == {"name": "none", "label": "without edits"}
    assert both["labels"]["left"] == both["labels"]["right"]
    assert "edits" not in both["labels"]["left"]
    one = asks(edit="conv1:zero:3", with_sample="same", with_edits="none")
    assert one["chosen"]["with_edits"] == "none"
    assert ["with edits" in label for label in one["labels"].values()] == [True, False]
    assert ["without edits" in label for label in one["labels"].values()] == [False, True]
    other = asks(edit="conv1:zero:3", with_model="photonet")
    assert "with_edits" not in other["choices"]
    assert ["with edits" in label for label in other["labels"].values()] == [True, False]


def test_a_large_model_is_loaded_once_the_visitor_agrees(
    asks: Asks, visit: Visit, photo: Photo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LeNet takes 8 bytes for each number that it learned; picture and weights can be chosen meanwhile."""
    subject = in_model(visit, photo, "photonet")
    monkeypatch.setenv("LAYERGLASS_ASK_MB", "0")
    found = asks(subject, with_model="lenet")
    assert found["ask"].startswith("lenet takes about")
    assert found["may"] is True
    assert found["instead"]["action"]["other"]["with_model"] == "efficientnet_lite0"
    assert "subject" not in found
    assert found["choices"].keys() == {"with_sample", "with_weights"}
    agreed = asks(subject, with_model="lenet", agreed=1)
    assert entry(agreed).model == "lenet"
    conv1 = next(row for row in agreed["rows"] if row["name"] == "conv1")
    assert conv1["cost"] == 9 * 4 * 6 * 28 * 28  # kept twice, drawn seven times, at four bytes a number
    assert agreed["all"] >= 2 * 4 * 6 * 28 * 28


def test_what_the_server_cannot_bear_is_refused_whoever_agrees(
    asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ResNet-18 takes 94 MB; one request may take 50."""
    monkeypatch.setenv("LAYERGLASS_ASK_MB", "20")
    monkeypatch.setenv("LAYERGLASS_REFUSE_MB", "50")
    found = asks(with_model="resnet18", with_weights="random", agreed=1)
    assert found["ask"].endswith("One request may take 50 MB here.")
    assert found["may"] is False
    assert "subject" not in found


def test_weights_that_are_on_their_way_say_how_far(asks: Asks, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser asks again until they are here."""
    told, go_on = threading.Event(), threading.Event()

    def download(_: str, progress: Callable[[int, int], None]) -> None:
        progress(3_000_000, 9_000_000)
        told.set()
        go_on.wait(patience(60))

    monkeypatch.setattr(models, "download", download)
    monkeypatch.setattr(models, "is_ready", lambda _: False)
    asks(with_model="photonet")
    told.wait(patience(60))
    found = asks(with_model="photonet")
    assert found["loading"] == {"done": 3_000_000, "total": 9_000_000, "model": "photonet"}
    assert "subject" not in found
    go_on.set()
    while "loading" in (found := asks(with_model="photonet")):
        pass
    assert entry(found).model == "photonet"


def test_weights_that_cannot_be_fetched_are_replaced_by_untrained_ones(
    asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sides stay; a notice has the catalogue's reason, and the box says what is shown."""

    def download(*_: object, **__: object) -> None:
        raise models.WeightsUnavailableError("no network")

    monkeypatch.setattr(models, "download", download)
    monkeypatch.setattr(models, "is_ready", lambda _: False)
    found = asks(with_model="photonet")
    assert found["refused"]
    assert entry(found).weights == "random"
    assert found["chosen"]["with_weights"] == "random"
    (notice,) = found["notices"]
    assert "no network" in notice["text"]
    assert notice["document"] == MISSING_WEIGHTS


def test_all_is_said_in_the_language_of_the_page(asks: Asks) -> None:
    """Labels, choices and sentences; a language that the page does not speak is English."""
    english, chinese, unknown = (asks(with_layer="conv9", lang=lang) for lang in ("en", "zh", "xx"))
    assert unknown == english
    assert chinese["labels"] != english["labels"]
    assert chinese["notices"] != english["notices"]
    assert chinese["choices"]["with_weights"] != english["choices"]["with_weights"]
    assert chinese["subject"] == english["subject"]


def test_every_model_can_be_chosen(client: TestClient, subject: SubjectEntry) -> None:
    """Each says what its weights need, which changes: the browser keeps none of it."""
    answer = client.get(f"/maps/{subject.token}/models.json")
    offered = {each["name"]: each["needs"] for each in answer.json()}
    assert set(offered) == set(models.names())
    assert (offered["lenet"], offered["resnet50"]) == ("ready", "download 103 MB")
    assert "immutable" not in answer.headers["cache-control"]
