"""Each route's answer is what its struct says, strictly; the table knows every route."""

import io
from collections.abc import Sequence
from typing import get_args, get_origin

import msgspec
import pytest
from starlette.testclient import TestClient

from tools.answers import answered
from viz.answers import (
    attribution,
    edits,
    hooks,
    layer,
    live,
    model,
    number,
    operating,
    other,
)
from viz.answers.folders import folder, lens, optimised
from viz.answers.message import Answer
from viz.answers.teaching import exercises, learning, plans
from viz.answers.views import figure, graph, reduced, units
from viz.pictures.photo import Photo
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.routes.routes import routes

GRADIENTS = "view=gradients&target=3"
ANSWERS = (
    ("layer.json", "layer=conv2&room=90x90&order=mean&scale=channel&lang=zh", layer.LayerFacts),
    ("layer.json", "layer=fc1&scale=model", layer.LayerFacts),
    ("layer.live", "layer=conv1&room=20x20", live.LiveFacts),
    ("overview.live", "scale=model", live.LiveLayersFacts),
    ("pair.json", "layer=conv1&with={token}&edit=conv1:zero:2&with_edits=none", layer.PairFacts),
    ("pair.json", "layer=conv1&with={token}&with_layer=fc1&with_call=2", layer.PairFacts),
    ("attribution.json", f"at=layer&layer=conv2&{GRADIENTS}", attribution.ExplanationFacts),
    ("attribution.json", f"method=saliency&{GRADIENTS}", attribution.ExplanationFacts),
    ("attribution.json", f"method=occlusion&window=16&stride=16&{GRADIENTS}", attribution.ExplanationFacts),
    ("attribution.json", f"method=integrated-gradients&steps=3&{GRADIENTS}", attribution.ExplanationFacts),
    (
        "attribution.json",
        f"method=conductance&steps=3&at=layer&layer=conv2&{GRADIENTS}",
        attribution.ExplanationFacts,
    ),
    ("optimised.json", "layer=conv1&channel=2&length=2", optimised.OptimisedFacts),
    ("names.json", "", attribution.NamesFacts),
    ("place.json", "", operating.PlaceFacts),
    ("filter.json", "layer=conv1&channel=2", layer.FilterFacts),
    ("unit.json", "layer=conv2&channel=2", units.UnitFacts),
    ("reduced.json", "layer=conv2&reduce=top&top=2", reduced.ReducedFacts),
    ("reduced.json", "layer=conv2&reduce=pca", reduced.ReducedFacts),
    ("figure.json", "figure=lenet:pretrained:conv2&figure_pictures=cat", figure.FigureFacts),
    ("unit.json", "layer=relu1&edit=conv1:zero:1", units.UnitFacts),
    ("cell.json", "layer=conv1&channel=2&y=3", number.Arithmetic),
    ("cell.json", "layer=pool1&channel=2&y=3", number.Arithmetic),
    ("cell.json", "layer=fc1&channel=2", number.Arithmetic),
    ("cell.json", "layer=relu1&leaf=output&edit=relu1:zero:2&channel=2", number.Arithmetic),
    ("reading.json", "layer=conv1&channel=2&y=3&x=4", number.Reading),
    ("reading.json", "layer=pool1&channel=2", number.Reading),
    ("reading.json", "layer=relu1&channel=2", number.Reading),
    ("reading.json", "layer=fc1", number.Reading),
    ("ablation.json", "layer=conv1&size=3", edits.AblationFacts),
    ("edits.json", "edit=conv1:zero:2;conv1:gradient.noise:1:3", edits.EditsFacts),
    ("look.json", "layer=none&call=x", edits.LookFacts),
    ("classes.json", "", model.ClassesFacts),
    ("graph.json", "", graph.GraphFacts),
    ("graph.json", "edit=conv1:zero:2", graph.GraphFacts),
    ("tree.json", "operations=1", list[model.TreeRow]),
    ("prediction.json", "", model.PredictionFacts),
    ("prediction.json", "edit=conv1:zero:2", model.PredictionFacts),
    ("overview.json", "scale=model", list[model.Thumb]),
    ("ribbon.json", "", model.RibbonFacts),
    ("ribbon.json", "edit=conv1:zero:2", model.RibbonFacts),
    ("timeline.json", "layer=conv1&back=1", hooks.TimelineFacts),
    ("memory.json", "layer=conv1", hooks.MemoryFacts),
    ("contents.json", "", learning.CourseContents),
    ("plans.json", "", plans.LessonPlans),
    ("lesson_text.json", "lesson=calls", learning.LessonText),
    ("step.json", "lesson=transformer&lesson_step=2", learning.StepFacts),
    ("step_maps.json", "lesson=transformer&lesson_step=3", learning.StepMaps),
    ("course.json", "lesson=1", learning.LessonFacts),
    ("lesson.json", "lesson=1&part=index&net=SignalNet&runs=1", learning.LessonNumbers),
    ("lesson_live.json", "lesson=0&layer=conv1", learning.LessonLiveFacts),
    ("lesson_live.json", "lesson=1&layer=conv1", learning.LessonLiveFacts),
    ("quiz.json", "seed=4711&question=2", learning.QuizQuestionFacts),
    ("quiz_answer.json", "seed=4711&question=2&choice=0", learning.QuizAnswerFacts),
    ("exercises.json", "lang=zh", exercises.ExerciseList),
    ("exercise.json", "exercise=keep-maps", exercises.ExerciseFacts),
    ("exercise_help.json", "exercise=keep-maps&help=1", exercises.ExerciseHelp),
    ("exercise_help.json", "exercise=keep-maps&help=3&lang=zh", exercises.ExerciseHelp),
    ("answer.json", "exercise=keep-maps", exercises.AnswerFacts),
    ("pictures.add", "file=a.png", folder.AddedFacts),
    ("pictures.label", "file=labels.csv", folder.LabelledFacts),
    ("folders.json", "lang=zh", folder.FoldersFacts),
    ("folder.pass", "source=own&act=stop", folder.FoldersFacts),
    ("exemplars.json", "layer=conv1&source=own", folder.ExemplarsFacts),
    ("excited.json", "layer=conv1&source=own", folder.UnusualFacts),
    ("lens.json", "source=own", lens.LensFacts),
    ("lens-layer.json", "layer=conv1&source=own", lens.LensLayerFacts),
    ("pictures.forget", "", folder.FoldersFacts),
    ("other.json", "view=compare", other.OtherFacts),
    ("models.json", "", list[other.ModelOffer]),
)
OF_TWO_MODELS = {"lens-against.json": lens.LensAgainstFacts}  # read in folder/test_routes_against.py
FILES = {
    *(
        "layer.png",
        "channel.png",
        "seen.png",
        "photo.jpg",
        "picture.png",
        "pair.{side:str}.png",
        "values",
        "reduced",
    ),
    "exemplar.jpg",
    *(
        "export.{form:str}",
        "overview.{form:str}",
        "reduced.{form:str}",
        "figure.{form:str}",
        "code.py",
        "attribution.py",
    ),
    *("home.html", "home.gif", "left-out.txt"),
}
POSTED = {"layer.live", "overview.live", "pictures.add"}
ANSWERED = {
    "answer.json": b"maps = picture",
    "folder.pass": b"-",
    "pictures.forget": b"-",
    "pictures.label": b"picture,label\nown.jpg,mine\n",
}


def test_the_table_knows_every_question() -> None:
    """A new route needs a struct for its answer here, or answers with a file."""
    asked = [route.path.removeprefix("/maps/{subject:str}/") for route in routes()]
    assert set(asked) == FILES | set(OF_TWO_MODELS) | {path for path, *_ in ANSWERS}


def test_every_handler_says_what_its_answers_are() -> None:
    """From that the scripts' types are made; here it is what the table says, which answers are read by."""
    said = answered(routes())
    told = {path: told for path, _, told in ANSWERS} | OF_TWO_MODELS
    assert said == told | {
        "cell.json": number.Arithmetic | number.UnexplainedNumber,
        "reading.json": number.Reading | number.UnexplainedReading,
        **{path: Sequence[get_args(kind)] for path, kind in told.items() if get_origin(kind) is list},
    }


@pytest.mark.parametrize(
    ("path", "query", "kind"), ANSWERS, ids=[f"{path}?{query}" for path, query, _ in ANSWERS]
)
def test_an_answer_is_all_that_its_struct_says_and_nothing_more(
    client: TestClient, visit: Visit, subject: SubjectEntry, photo: Photo, path: str, query: str, kind: type
) -> None:
    """Read by msgspec without conversions: no field is missing, none is unknown, each has its type."""
    visit.folder.add("own.jpg", jpeg(photo))
    address = f"/maps/{subject.token}/{path}?{query.format(token=subject.token)}"
    content = jpeg(photo) if path in POSTED else ANSWERED.get(path)
    found = client.request("POST" if content else "GET", address, content=content)
    assert found.status_code == 200, found.text
    assert found.headers["content-type"] == "application/json"
    read = msgspec.json.decode(found.content, type=kind)
    for each in read if isinstance(read, list) else [read]:
        assert getattr(each, "error", msgspec.UNSET) is msgspec.UNSET


def jpeg(photo: Photo) -> bytes:
    """The picture as a camera sends it."""
    buffer = io.BytesIO()
    photo.image.save(buffer, "JPEG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("query", "of_edit"), [("layer=conv99", msgspec.UNSET), ("layer=conv1&edit=conv1:zero:99", True)]
)
def test_a_refusal_is_an_answer_with_nothing_but_its_sentence(
    client: TestClient, subject: SubjectEntry, query: str, of_edit: object
) -> None:
    """In English and in each other language; that it is about the edits is said as well."""
    found = client.get(f"/maps/{subject.token}/layer.json?{query}")
    refusal = msgspec.json.decode(found.content, type=Answer)
    assert (found.status_code, refusal.of_edit, refusal.superseded) == (422, of_edit, msgspec.UNSET)
    assert refusal.error
    assert refusal.said["zh"]["error"] != refusal.error
