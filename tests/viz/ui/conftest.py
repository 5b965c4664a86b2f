"""A visitor, a photo and a subject of the bundled LeNet, for tests of the page without a browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.machine import patience
from tests.models_here import models_here
from viz.answers.subject import PartFacts, SubjectFacts
from viz.pictures.photo import Photo, photograph
from viz.request.inspection import Inspection
from viz.ui.visit.service import engine
from viz.ui.visit.visit import SubjectEntry, Visit
from viz.ui.wire.routes.routes import routes
from viz.views.whole_model import Survey

__all__ = ["models_here"]

APP = Path(__file__).parents[3] / "app.py"
Opened = Callable[..., AppTest]


@pytest.fixture
def photo() -> Photo:
    """A picture of noise, 40 pixels wide and 30 high."""
    noise = np.random.default_rng(5).integers(0, 256, (30, 40, 3), dtype=np.uint8)
    return photograph(Image.fromarray(noise))


@pytest.fixture
def wanted(photo: Photo) -> Inspection:
    """LeNet's first layer for the picture of noise."""
    return Inspection(photo.fingerprint, "lenet", "pretrained", "conv1")


@pytest.fixture
def visit() -> Visit:
    """One visitor's stay; its addresses work as long as a test holds it."""
    return Visit("session")


@pytest.fixture
def subject(visit: Visit, photo: Photo) -> SubjectEntry:
    """The picture of noise in LeNet."""
    rows = engine().do(Survey("lenet", "pretrained"), visitor=visit.visitor).result()
    return visit.subject(photo, "lenet", "pretrained", rows)


@pytest.fixture
def client() -> Iterator[TestClient]:
    """Asks the routes that answer about subjects; a bug in them raises here."""
    with TestClient(Starlette(routes=routes())) as client:
        yield client


@pytest.fixture
def opened() -> Opened:
    """Opens the page on an address, as a visitor's first script run."""

    def run(**address: str) -> AppTest:
        page = AppTest.from_file(APP, default_timeout=patience(120))
        page.query_params.update({"model": "lenet"} | address)
        return page.run()

    return run


def told(page: AppTest) -> dict[str, Any]:
    """Return the facts of its subject that the page's script has told the stage."""
    parts = [json.loads(part.proto.json or "{}") for part in page.get("bidi_component")]
    (found,) = [part for part in parts if "rows" in part]
    for part in parts:
        msgspec.convert(part, SubjectFacts if part is found else PartFacts)
    return found
