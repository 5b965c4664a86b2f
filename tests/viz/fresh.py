"""Scripts made of views, run in a process of their own: what they save is compared bit for bit."""

import ast
import os
from pathlib import Path

import numpy as np
from PIL import Image

import models
from tests.viz.copied import copied
from viz import LayerActivations
from viz.findings.edit_effects import difference
from viz.findings.leaves import chosen_leaf
from viz.findings.values import LayerValues
from viz.passes.forward import BLANK, survey_with_layouts
from viz.passes.loaded import LoadedModel, one_pass
from viz.pictures.photo import Photo, photograph
from viz.pictures.subject import Subject
from viz.request.inspection import Inspection, LayerView
from viz.script.code import script
from viz.script.code_check import digest
from viz.script.edit_places import edit_places
from viz.script.script_facts import ScriptFacts, sides
from viz.script.work import has_fused_attention, is_overwritten, meets_misread_norms
from viz.views.drawing import draw_view

ROOT = Path(__file__).parents[2]
OURS = {"models", "viz"}
Captured = tuple[LayerValues, LayerView, ScriptFacts]
SAME = "The same numbers as in the view: 0 of their size away"


def noise_photo() -> Photo:
    """A picture (90 × 70) of noise, wider than high."""
    pixels = np.random.default_rng(0).integers(0, 256, (70, 90, 3), dtype=np.uint8)
    return photograph(Image.fromarray(pixels))


def wanted_of(photo: Photo, model: str, layer: str, **more: object) -> Inspection:
    """The request for a layer of an untrained model."""
    more = {"weights": "random"} | more
    return Inspection(photo.fingerprint, model, layer=layer, **more)  # type: ignore[arg-type]


def captured(wanted: Inspection, photo: Photo) -> Captured:
    """A layer's values as an engine gets them, their view, and what a script must know."""
    card = models.describe(wanted.model)
    subject = Subject(
        models.load(wanted.model, wanted.weights), card.preprocessing, card.preprocessing.as_seen
    )
    layers = LayerActivations(subject.module, "cpu")
    rows = survey_with_layouts(layers, subject.arguments(BLANK))[0] if wanted.edits else ()
    loaded = LoadedModel(subject, layers, rows)
    found = [one_pass(loaded, side, photo, whole=False)[side.layer] for side in sides(wanted)]
    values = difference(found[1], found[0]) if len(found) > 1 else found[0]
    digests = tuple(digest(chosen_leaf(side, wanted)[1].array) for side in found)
    places = edit_places(layers, subject.arguments(photo.image), wanted.in_force)
    fused = has_fused_attention(layers.model)
    arguments = subject.arguments(photo.image)
    overwritten = is_overwritten(layers, arguments, wanted)
    misread = meets_misread_norms(layers, arguments, wanted, wanted.layer)
    return values, draw_view(values, wanted), ScriptFacts(digests, places, fused, overwritten, misread)


def run(text: str, photo: Photo, folder: Path, **environment: str) -> str:
    """Run a script in a process and a folder of its own, and return what it says.

    The checkout is not on its path, unless it imports us and says why. It begins in a copy of a process that
    has run its imports in the same environment, and nothing else.
    """
    photo.original.image.save(folder / "picture.png")
    (folder / "view.py").write_text(text, encoding="utf-8")
    path = {"PYTHONPATH": str(ROOT)} if imported(text) & OURS else {}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = copied("view.py", folder, {**inherited, **path, "PYTHONWARNINGS": "error", **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def imported(text: str) -> set[str]:
    """The modules that a script imports, without those inside them."""
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {(getattr(node, "module", None) or node.names[0].name).partition(".")[0] for node in found}


def made(text: str, photo: Photo, folder: Path) -> np.ndarray:
    """Run a script, which must find the numbers of the view, and return the array that it saves."""
    assert run(text, photo, folder).startswith(SAME)
    with Image.open(folder / "maps.png") as drawn:
        assert drawn.width > 100
    return np.load(folder / "values.npy")


def assert_script_agrees(wanted: Inspection, photo: Photo, folder: Path) -> np.ndarray:
    """The script of a view saves exactly the array that the view shows, which is returned."""
    values, view, facts = captured(wanted, photo)
    saved = made(script(wanted, view, models.describe(wanted.model), facts, crop=photo.crop), photo, folder)
    shown = values.call(wanted.call)[view.leaf].array
    assert (saved.dtype, saved.shape) == (shown.dtype, shown.shape)
    assert saved.tobytes() == shown.tobytes()
    return shown
