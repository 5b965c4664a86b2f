"""``open``: a file's outline, its model of the catalogue, and its predictions."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...catalogue import models
from ...errors import RequestError
from ...hooks.activations import LayerActivations
from ...passes.forward import predict
from ...pictures.photo import Photo
from ...pictures.subject import Subject
from ...profile.cost import free_memory
from ...profile.rows import LayerRow
from ...profile.tree import survey
from ...reader import Bounds, Reader
from ...request.inspection import Prediction
from ..files import contents
from . import job

COPIES = 4  # of a file in memory while it is read


@dataclass(frozen=True)
class OpenedFile:
    """A model file that was read.

    Attributes:
        outline: what it is.
        data: the bytes that the outline's table is about.
        fits: models of the catalogue that fit it, the best first.
        library: the library whose classes it names.
    """

    outline: models.own.FileOutline
    data: bytes
    fits: tuple[models.own.ModelFit, ...] = ()
    library: models.own.Library | None = None

    @property
    def best(self) -> models.own.ModelFit | None:
        """The best fit, if the file opens that model."""
        return next((fit for fit in self.fits[:1] if fit.opens), None)

    @property
    def problem(self) -> str:
        """The reason why the file cannot be read; empty if it can."""
        return self.outline.problem


@dataclass(frozen=True)
class ModelRun:
    """One picture in the opened model: its prediction and its layers."""

    prediction: Prediction
    rows: Sequence[LayerRow]


def opened_file(source: str) -> OpenedFile:
    """Return an opened file or folder, with the models it fits.

    It is read in a process of its own.

    Raises:
        RequestError: there is no such file, or it is larger than memory allows.
        TooLargeError: reading it takes more time or memory than it may.
    """
    data = _bytes_of(Path(source))
    bounds = Bounds.of_weights(len(data))
    with Reader({"outline": f"{job.__name__}:outline"}) as reader:
        facts, body = reader.read("outline", data, {}, bounds)
    held = bytes(body) or data
    outline = models.own.outline_from_plain(facts, len(held))
    if outline.problem:
        return OpenedFile(outline, held)
    fits = models.own.fits_of(models.own.outlines(outline.table))
    classes = () if outline.kind == "ONNX" else outline.tree  # an ONNX graph has operations and no classes
    library = models.own.library_of(classes, outline.settings.get("config"))
    return OpenedFile(outline, held, fits, library)


def subject_of(opened: OpenedFile, best: models.own.ModelFit) -> Subject:
    """Return a model with the file's weights, ready for a picture."""
    state = models.own.tensors(opened.data, opened.outline.table)
    module, card = models.own.fitted_model(best, state), models.describe(best.report.model)
    names = _names(opened.outline.classes, best.classes if best.heads else None, card.classes)
    prepare = card.preprocessing
    return Subject(module, prepare, prepare.as_seen, names, card.output, best.untrained)


def run_of(layers: LayerActivations, subject: Subject, photo: Photo) -> ModelRun:
    """Run an opened model on a picture.

    Raises:
        RequestError: it does not run with the file's weights.
    """
    try:
        rows = survey(layers, *subject.arguments(photo.image))
        return ModelRun(predict(layers, subject, photo, rows), rows)
    except RuntimeError as error:  # PyTorch's, as weights that nearly fit may cause
        raise RequestError(
            "The model does not run with these weights: {problem}", problem=str(error).partition("\n")[0]
        ) from error


def _names(said: Sequence[str], changed: int | None, known: Sequence[str]) -> tuple[str, ...]:
    """Return the classes' names: the file's, the model's, or numbers."""
    count = len(known) if changed is None else changed
    if len(said) == count:
        return tuple(said)
    return tuple(known) if changed is None else tuple(map(str, range(count)))


def _bytes_of(path: Path) -> bytes:
    """Return a file's bytes, or a folder's as a ZIP."""
    try:
        return _packed(path) if path.is_dir() else _whole(path)
    except OSError as error:  # a path that is too long, or that nobody here may look at
        raise RequestError("cannot read {source}: {error}", source=path, error=error.strerror) from error


def _whole(path: Path) -> bytes:
    """Return a file's bytes, if it ends and fits into memory."""
    if path.exists() and not path.is_file():
        raise RequestError("{file} is neither a file nor a folder", file=path)
    _check_memory(path.stat().st_size if path.is_file() else 0)
    return contents(str(path))  # says why if there is no such file


def _packed(folder: Path) -> bytes:
    """Return a folder's weights and their descriptions as a ZIP."""
    held = [path for path in sorted(folder.iterdir()) if path.is_file()]
    files = [path for path in held if path.name.endswith((*models.own.PACKED, ".json"))]
    if not any(path.name.endswith(models.own.PACKED) for path in files):
        raise RequestError("there is no file of weights in the folder {folder}", folder=folder)
    _check_memory(sum(path.stat().st_size for path in files), 2 * COPIES)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in files:
            archive.writestr(path.name, contents(str(path)))
    return packed.getvalue()


def _check_memory(size: int, copies: int = COPIES) -> None:
    if copies * size > free_memory():
        raise RequestError(
            "this model has {size} GB; to read it takes {copies} times as much, and {free} GB are free",
            size=f"{size / 1e9:,.1f}",
            copies=copies,
            free=f"{free_memory() / 1e9:,.1f}",
        )
