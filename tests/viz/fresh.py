"""Scripts made of views, run in a fresh process: what they save is compared bit for bit."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

import models
from viz import LayerActivations
from viz.passes.edit_effects import difference
from viz.passes.forward import LayerValues, survey_subject
from viz.passes.loaded import Loaded, one_pass
from viz.pictures.photo import Photo, photograph
from viz.pictures.subject import Subject
from viz.request.inspection import Inspection, LayerView
from viz.script.code import script
from viz.script.edit_places import EditPlace, edit_places
from viz.views.drawing import draw_view

ROOT = Path(__file__).parents[2]
Captured = tuple[LayerValues, LayerView, tuple[EditPlace, ...]]


def noise_photo() -> Photo:
    """A picture (90 × 70) of noise, wider than high."""
    pixels = np.random.default_rng(0).integers(0, 256, (70, 90, 3), dtype=np.uint8)
    return photograph(Image.fromarray(pixels))


def wanted_of(photo: Photo, model: str, layer: str, **more: object) -> Inspection:
    """The request for a layer of an untrained model."""
    return Inspection(photo.fingerprint, model, "random", layer, **more)  # type: ignore[arg-type]


def captured(wanted: Inspection, photo: Photo) -> Captured:
    """A layer's values as an engine gets them, their view, and where the edits act."""
    card = models.describe(wanted.model)
    subject = Subject(
        models.load(wanted.model, wanted.weights), card.preprocessing, card.preprocessing.as_seen
    )
    layers = LayerActivations(subject.module, "cpu")
    loaded = Loaded(subject, layers, survey_subject(layers, subject) if wanted.edits else ())
    shows = ("after", "before") if wanted.show == "difference" else (wanted.show,)
    found = [one_pass(loaded, replace(wanted, show=show), photo, whole=False) for show in shows]
    values = difference(*(each[wanted.layer] for each in found)) if len(found) > 1 else found[0][wanted.layer]
    places = edit_places(layers, subject.arguments(photo.image), wanted.in_force)
    return values, draw_view(values, wanted), places


def made(text: str, photo: Photo, folder: Path) -> np.ndarray:
    """Run a script in a process and a folder of its own, and return the array that it saves."""
    photo.image.save(folder / "picture.png")
    (folder / "view.py").write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "view.py"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with Image.open(folder / "maps.png") as drawn:
        assert drawn.width > 100
    return np.load(folder / "values.npy")


def assert_script_agrees(wanted: Inspection, photo: Photo, folder: Path) -> np.ndarray:
    """The script of a view saves exactly the array that the view shows, which is returned."""
    values, view, places = captured(wanted, photo)
    saved = made(script(wanted, view, models.describe(wanted.model), places), photo, folder)
    shown = values.call(wanted.call)[view.leaf].array
    assert (saved.dtype, saved.shape) == (shown.dtype, shown.shape)
    assert saved.tobytes() == shown.tobytes()
    return shown
