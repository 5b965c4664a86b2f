"""Requests to the engine that addresses make; what cannot be, or is not one's own, is refused."""

import asyncio
import contextlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from viz.errors import EditError, RequestError, UnknownLayerError, VizError
from viz.pictures.own_donors import own_name, own_picture
from viz.pictures.photo import Photo, photograph
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.request.look import Look
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.inspecting import inspection_of, read_query
from viz.ui.wire.questions import LayerQuestion, ModelQuestion, PairQuestion
from viz.views.whole_model import Predict, Survey


def asked(
    subject: SubjectEntry, query: str, kind: type[LayerQuestion] | type[ModelQuestion] = LayerQuestion
) -> Inspection:
    """Return the request that an address of this kind makes."""
    look, question = read_query(query, kind)
    return asyncio.run(inspection_of(subject, look, question))


def shade(number: int) -> Photo:
    """A picture of one colour."""
    return photograph(Image.new("RGB", (40, 30), (number, 0, 0)))


def test_everything_that_a_look_says_of_a_layer_is_asked_for(subject: SubjectEntry) -> None:
    """Against the request put together by hand; the question adds the room on the screen."""
    query = (
        "layer=conv2&call=2&leaf=inputs&kind=maps&row=1&index=3&colormap=magma&scale=clipped&order=mean"
        "&show=before&edit=conv1:zero:1&columns=3&room=640x400&view=layers&channel=4&lang=zh"
    )
    assert asked(subject, query) == Inspection(
        subject.photo.fingerprint,
        "lenet",
        "pretrained",
        "conv2",
        1,
        leaf="inputs",
        kind="maps",
        index=3,
        row=1,
        colormap="magma",
        scale="clipped",
        order="mean",
        columns=3,
        viewport=(640, 400),
        edits=edits_from("conv1:zero:1"),
        show="before",
    )


def test_a_look_that_says_nothing_is_the_models_first_layer(
    subject: SubjectEntry, wanted: Inspection
) -> None:
    """As on the page."""
    assert asked(subject, "") == wanted


def test_a_question_about_the_whole_model_leaves_out_what_is_said_of_one_layer(subject: SubjectEntry) -> None:
    """So one answer serves all layers; colours and edits are those of the look."""
    one = "layer=conv2&call=7&leaf=nothing&kind=none&row=9&index=9&show=before&room=9x9&"
    every = "colormap=hot&scale=model&edit=conv1:zero:1"
    assert asked(subject, one + every, ModelQuestion) == asked(subject, every)


def test_gradients_are_of_the_chosen_class_or_of_the_most_probable_one(subject: SubjectEntry) -> None:
    """The view says that there are any, or the question; a class alone does not."""
    prediction = engine().do(Predict(subject.photo, "lenet", "pretrained"), visitor="test").result()
    assert asked(subject, "target=3").gradient is None
    assert asked(subject, "view=gradients&target=3").gradient == 3
    assert asked(subject, "view=hooks&back=1&target=0").gradient == 0
    assert asked(subject, "back=1", ModelQuestion).gradient == prediction.classes[0]
    assert asked(subject, "view=gradients").gradient == prediction.classes[0]


def test_a_model_without_classes_has_no_gradients_but_hooks(visit: Visit, photo: Photo) -> None:
    """The way back is left out; the view of gradients says why it shows nothing."""
    rows = engine().do(Survey("fcn_resnet50", "random"), visitor=visit.visitor).result()
    subject = visit.subject(photo, "fcn_resnet50", "random", rows)
    for target in ("", "&target=3"):
        assert asked(subject, f"view=hooks&back=1{target}").gradient is None
        with pytest.raises(RequestError, match="scores for each place, and none for the picture as a whole"):
            asked(subject, f"view=gradients{target}")


@pytest.mark.parametrize(
    ("query", "kind", "said"),
    [
        ("layer=conv3", UnknownLayerError, "did you mean conv"),
        ("colormap=viridiss", RequestError, "no colormap named 'viridiss'; did you mean viridis"),
        ("view=gradients&target=10", RequestError, "no class 10"),
        ("call=0", RequestError, "call=0"),
        ("show=never", RequestError, "show=never"),
        ("room=12", RequestError, "room=12"),
        ("room=9x9%0A", RequestError, "room=9x9,"),
        ("columns=-1", RequestError, "columns=-1"),
        ("layer=" + "%00" * 201, RequestError, "layer=,"),
        ("edit=conv1:zero:6", EditError, "channel 6"),
        ("edit=conv9:zero:0", EditError, "did you mean"),
        ("edit=conv1:melt:0", EditError, "melt"),
        ("edit=conv1@2:zero:0", EditError, "no call 2"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    subject: SubjectEntry, query: str, kind: type[VizError], said: str
) -> None:
    """It names what is wrong."""
    with pytest.raises(kind) as refused:
        asked(subject, query)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 300


def test_the_other_side_of_a_pair_is_named_in_the_query() -> None:
    """``with`` is a word of Python's."""
    assert read_query("with=abc&with_columns=3&only=0&with_layer=fc", PairQuestion) == (
        Look(with_layer="fc"),
        PairQuestion(other="abc", with_columns=3, only=0),
    )


def test_values_of_ones_own_picture_may_be_taken(subject: SubjectEntry, visit: Visit) -> None:
    """The visit holds it; using it keeps it longer than the others."""
    donor = shade(1)
    visit.pictures.hold(donor, "a.png")
    for number in range(2, 9):
        found = asked(subject, f"edit=conv1:swap:3:{own_name(donor)}")
        assert found.edits[0].donor == own_name(donor)
        visit.pictures.hold(shade(number), "b.png")
    assert visit.pictures.find(own_name(donor))


def test_no_edit_takes_values_from_another_visits_picture(subject: SubjectEntry) -> None:
    """Not even for somebody who knows its name, while its visit holds it and uses it for the same picture."""
    owner, secret = Visit("owner"), shade(77)
    owner.pictures.hold(secret, "secret.png")
    theirs = owner.subject(subject.photo, subject.model, subject.weights, subject.rows)
    query = f"edit=conv1:swap:3:{own_name(secret)}"
    assert asked(theirs, query).edits
    for text in (query, f"{query};conv2:zero:2", f"{query}&show=before", f"{query}&view=gradients&target=1"):
        for kind in (LayerQuestion, ModelQuestion):
            with pytest.raises(EditError, match="no longer here"):
                asked(subject, text, kind)
    assert own_picture(own_name(secret)) is secret


def test_a_picture_that_nobody_holds_gets_the_same_sentence(subject: SubjectEntry) -> None:
    """So nobody learns whether another visit has a picture."""
    owner = Visit("owner")
    owner.pictures.hold(shade(78), "secret.png")
    said = set()
    for number in (78, 79):
        with pytest.raises(EditError) as refused:
            asked(subject, f"edit=conv1:swap:3:{own_name(shade(number))}")
        said.add(str(refused.value))
    assert len(said) == 1


def test_a_picture_ends_with_its_visit(subject: SubjectEntry, visit: Visit) -> None:
    """Even for an address whose answer is still under way."""
    donor = shade(5)
    visit.pictures.hold(donor, "a.png")
    visit.end()
    with pytest.raises(EditError, match="no longer here"):
        asked(subject, f"edit=conv1:swap:3:{own_name(donor)}")


QUERIES = st.text(max_size=60) | st.lists(
    st.tuples(
        st.sampled_from(["layer", "call", "edit", "colormap", "room", "columns", "target", "view", "back"]),
        st.sampled_from(["conv1", "fc1", "1", "0", "640x400", "gradients", "conv1:zero:1", "hot"])
        | st.text(max_size=9),
    ),
    max_size=6,
).map(lambda pairs: "&".join("=".join(pair) for pair in pairs))


def test_any_address_is_a_request_or_one_sentence(subject: SubjectEntry) -> None:
    """Never a bug, which would raise here; a request is about this subject whatever the address says."""
    engine().do(Predict(subject.photo, "lenet", "pretrained"), visitor="test").result()

    @settings(max_examples=300, deadline=None)
    @given(QUERIES)
    def ask(query: str) -> None:
        with contextlib.suppress(VizError):
            assert asked(subject, query).run[:3] == (subject.photo.fingerprint, "lenet", "pretrained")

    ask()


def test_equal_addresses_are_equal_requests(subject: SubjectEntry, wanted: Inspection) -> None:
    """However they are written: so what was computed is found again."""
    plain = asked(subject, "layer=conv1&call=1&columns=0&room=&scale=layer&edit=conv1:zero:3,1")
    assert plain == replace(wanted, edits=edits_from("conv1:zero:1,3"))
    assert plain.digest == asked(subject, "edit=conv1%3Azero%3A1%2C3").digest
