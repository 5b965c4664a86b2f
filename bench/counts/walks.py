"""The main ways through the product, each counted."""

import os
import re
from collections import Counter
from typing import Any

# Before anything of ours is imported: one process, and nothing that depends on this machine's memory.
os.environ |= {"LAYERGLASS_ENGINE": "local", "LAYERGLASS_DEVICE": "cpu", "LAYERGLASS_VALUES_MB": "960"}

import numpy as np
from PIL import Image
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient
from streamlit import file_util

from bench.counts.meter import CALLS, Meter
from viz.hooks.activations import LayerActivations
from viz.pictures.photo import Photo, photograph
from viz.pictures.samples import sample
from viz.ui.visit.service import engine, load_subject
from viz.ui.visit.visit import Visit
from viz.ui.wire.routes.routes import routes
from viz.ui.wire.routes.routes_assets import asset_routes
from viz.ui.wire.shell_files import ShellFiles
from viz.ui.wire.shell_packs import packs
from viz.views.whole_model import Survey

MODEL = "photonet"
FIRST, ANOTHER = "stage1.0", "stage2.0"
ROOM = "room=608x464"  # that of a window of 1366 × 768
TURNS = 7  # of each walk, whose least counts: a thread that was not asked now and then finishes something
FETCHED = re.compile(r'<(?:script|link rel="(?!service|alternate)|img)[^>]*?(?:src|href)="\./([^"]+)"')
SCRIPT = ("text/javascript", "application/json")


class Walks:
    """A visitor, and what counts their ways."""

    def __init__(self, meter: Meter, client: TestClient) -> None:
        self._meter, self._client = meter, client
        self._visit, self._photos = Visit("counts"), 0
        self._rows = engine().do(Survey(MODEL, "pretrained"), visitor=self._visit.visitor).result()

    def all(self) -> dict[str, dict[str, int]]:
        """Return each walk's least counts over several turns.

        Each turn has a photo of its own.
        """
        ways = {
            "the first layer of a photo": self._first_layer,
            "another layer": self._another_layer,
            "another colour map": self._colours,
            "Grad-CAM": self._grad_cam,
            "an edit": self._edit,
        }
        for way in ways.values():
            way()  # imports what it needs
        return {name: _least([way() for _ in range(TURNS)]) for name, way in ways.items()}

    def _first_layer(self) -> Counter[str]:
        return self._pick(self._subject(), f"layer={FIRST}")

    def _another_layer(self) -> Counter[str]:
        token = self._subject()
        self._pick(token, f"layer={FIRST}")
        return self._pick(token, f"layer={ANOTHER}")

    def _colours(self) -> Counter[str]:
        token = self._subject()
        self._pick(token, f"layer={FIRST}")
        return self._pick(token, f"layer={FIRST}&colormap=magma")

    def _grad_cam(self) -> Counter[str]:
        token = self._subject()
        return self._ask(token, {"answer": f"attribution.json?view=gradients&target=3&{ROOM}"})

    def _edit(self) -> Counter[str]:
        token = self._subject()
        self._pick(token, f"layer={ANOTHER}")
        return self._pick(token, f"layer={ANOTHER}&edit={FIRST}:zero:3")

    def _pick(self, token: str, look: str) -> Counter[str]:
        return self._ask(token, {"maps": f"layer.png?{look}&{ROOM}"})

    def _ask(self, token: str, questions: dict[str, str]) -> Counter[str]:
        with self._meter.counting() as counts:
            answers = {what: self._client.get(f"/maps/{token}/{path}") for what, path in questions.items()}
        for what, answer in answers.items():
            answer.raise_for_status()
            counts[f"bytes of the {what}"] = len(answer.content)
        return counts

    def _subject(self) -> str:
        """The token of a photo that nobody has asked about."""
        self._photos += 1
        return self._visit.subject(_photo(self._photos), MODEL, "pretrained", self._rows).token


def _photo(number: int) -> Photo:
    """A photograph, other in one pixel alone."""
    pixels = np.array(sample("astronaut"))
    pixels[0, 0] = number
    return photograph(Image.fromarray(pixels))


def _least(turns: list[Counter[str]]) -> dict[str, int]:
    least = {name: min(turn[name] for turn in turns) for name in sorted(set().union(*turns))}
    # A wait that is looked at more than once calls some functions again.
    return least | {CALLS: int(float(f"{least[CALLS]:.2g}"))}


def capture_of_all_layers(meter: Meter) -> dict[str, int]:
    """Count a notebook's ``capture()`` of every layer."""
    subject = load_subject(MODEL, "pretrained")
    layers, inputs = LayerActivations(subject.module, device="cpu"), subject.prepare(sample("astronaut"))

    def turn() -> Counter[str]:
        with meter.counting() as counts, layers.capture():
            layers.run(inputs)
        return counts

    turn()
    return _least([turn() for _ in range(TURNS)])


def first_page() -> dict[str, int]:
    """Count the requests and bytes of a page and its first pack.

    The bytes are those of a browser that reads gzip.
    """
    static = Mount("/", StaticFiles(directory=file_util.get_static_dir()))
    files = ShellFiles(Starlette(routes=[*asset_routes(), static]))
    client = TestClient(files, headers={"accept-encoding": "gzip"})
    page = client.get("/")
    named = dict.fromkeys(FETCHED.findall(page.text))
    if made := packs():
        named[f"static/{made.later}"] = None
    found = {"": page} | {name: client.get(f"/{name}") for name in named}
    return {
        "requests": len(found),
        "bytes": sum(_carried(each) for each in found.values()),
        "bytes of scripts": sum(
            _carried(each) for each in found.values() if each.headers["content-type"].startswith(SCRIPT)
        ),
    }


def _carried(answer: Any) -> int:
    """Bytes of a body as the line carries it."""
    answer.raise_for_status()
    return int(answer.headers["content-length"])


def counted() -> dict[str, dict[str, int]]:
    """The counts of all walks in this process."""
    forward = type(load_subject(MODEL, "pretrained").module).forward.__code__
    with Meter(forward) as meter, TestClient(Starlette(routes=routes())) as client:
        return {
            "the first page": first_page(),
            **Walks(meter, client).all(),
            "capture of all layers": capture_of_all_layers(meter),
        }
