"""``visualise``: the picture that a unit or a class wants to see."""

import io
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from ..errors import RequestError
from ..exemplars.asking import rows_about
from ..exemplars.card import weights_digest
from ..exemplars.finished.card import card_of
from ..exemplars.finished.tables import unreadable
from ..exemplars.keeping import MAXIMA_FILE
from ..findings.agreement import Agreement, Numbers, agreement
from ..hooks.activations import LayerActivations
from ..layer_names import is_operation
from ..passes.forward import BLANK, survey_with_layouts
from ..pictures.photo import Photo
from ..pictures.subject import Subject
from ..request.arrangement import first_known
from ..request.optimised import OptimisationSettings, Wish, checked
from ..sentences import Sentence, Value
from ..visualised.inputs import inputs_of
from ..visualised.rectifiers import rectifiers
from ..visualised.study import Layer, LayerResponse, OptimisedPictures

PICTURES = ("png",)


@dataclass(frozen=True)
class OptimisedResult:
    """Pictures, uint8 (pictures, height, width, colours), and their effect on the layer."""

    pictures: np.ndarray
    reached: LayerResponse
    steps: int
    stuck: bool


def wish_of(options: Namespace) -> Wish:
    """Return the wish: the unit that the picture is to excite.

    Raises:
        RequestError: a channel is asked for without its layer, or there is no such call.
    """
    if options.target is not None:
        return Wish("", channel=options.target)
    if not options.layer:
        raise RequestError("say which layer has this channel: --layer L")
    if options.call < 1:
        raise RequestError("calls are counted from 1, so there is no call {call}.", call=options.call)
    cell = (options.cell[0], options.cell[1]) if options.cell else None
    if not options.direction:
        return Wish(options.layer, options.call - 1, options.channel, cell)
    if cell:
        raise RequestError("--cell is a cell of one channel: leave it out with --direction.")
    strongest = max(options.direction, key=lambda each: each[1])[0]
    return Wish(options.layer, options.call - 1, strongest, direction=options.direction)


def making_of(options: Namespace) -> OptimisationSettings:
    """Return the settings of the picture's making; raises as ``viz.request.optimised.checked``."""
    making = OptimisationSettings(
        options.method, options.steps, options.seed, options.count, bool(options.photo)
    )
    return checked(making)


def optimised(
    layers: LayerActivations,
    subject: Subject,
    wish: Wish,
    making: OptimisationSettings,
    photo: Photo | None,
    advance: Callable[[int], object] = int,
) -> OptimisedResult:
    """Return the pictures after all steps.

    ``advance`` is called with the number of steps done.

    Raises:
        CallError: the layer has no such call.
        LayoutError: the layer returns nothing that a picture could raise.
        RequestError: the model is not given a picture, or there is no such channel or cell.
        UnknownLayerError: there is no such layer.
    """
    inputs = inputs_of(subject)
    begin = inputs.pictures(subject.arguments(photo.image)) if photo else None
    study = OptimisedPictures(inputs, wish, making, layer_of(layers, subject, wish), begin)
    while not study.finished:
        study.step(layers)
        advance(study.done)
    return OptimisedResult(study.pictures, study.reached(layers), study.done, study.stuck)


def png_of(made: OptimisedResult) -> bytes:
    """Return the pictures side by side as PNG."""
    row, file = np.concatenate(list(made.pictures), axis=1), io.BytesIO()
    Image.fromarray(row[:, :, 0] if row.shape[-1] == 1 else row).save(file, "PNG")
    return file.getvalue()


def said_of_picture(made: OptimisedResult, wish: Wish, beside: Numbers | None) -> Iterator[str]:
    """Yield lines on the pictures' effects and their agreement with maxima."""
    if made.stuck:
        yield Sentence("no picture changes this: it is the same whatever the model sees")
    for number, (reached, peaks) in enumerate(zip(made.reached.wish, made.reached.peaks, strict=True), 1):
        yield _reached_said(wish, peaks, number=number, steps=made.steps, value=f"{reached:.4g}")
        if beside is not None:
            yield _agreement_said(agreement(peaks, beside, wish.channel), wish.channel)


def _reached_said(wish: Wish, peaks: Numbers, **told: Value) -> Sentence:
    """Return a sentence on a picture's effect on the wish.

    Rows and columns count from 0, as in ``--cell``.
    """
    if not wish.layer:
        return Sentence(
            "picture {number}: after {steps} steps, the model's output {channel} is {value}",
            channel=wish.channel,
            **told,
        )
    if wish.direction:
        return Sentence(
            "picture {number}: after {steps} steps, the weighted sum of the channels' means is {value}; "
            "each channel's strongest cell: {peaks}",
            peaks=", ".join(f"{channel}: {peaks[channel]:.4g}" for channel, _ in wish.direction),
            **told,
        )
    told |= {"channel": wish.channel, "peak": f"{peaks[wish.channel]:.4g}"}
    if wish.cell:
        return Sentence(
            "picture {number}: after {steps} steps, the cell in row {row}, column {column} of channel "
            "{channel} is {value}, the channel's strongest cell {peak}",
            row=wish.cell[0],
            column=wish.cell[1],
            **told,
        )
    return Sentence(
        "picture {number}: after {steps} steps, the mean of channel {channel} is {value}, "
        "its strongest cell {peak}",
        **told,
    )


def maxima_of(out: Path, wish: Wish, model: str, weights: str) -> Numbers:
    """Return a capture's maxima of a layer's call, (pictures, channels).

    Raises:
        RequestError: it is no capture, it is another model's, or it has nothing about this layer.
    """
    if not wish.layer:
        raise RequestError("--beside compares a layer's channels, and a class has none: leave it out.")
    card, path = card_of(out), out / MAXIMA_FILE
    theirs = card.model, card.weights
    if theirs != (model, weights):
        raise RequestError(
            "{out} is of {theirs}, and not of {ours}: name a capture of the same model.",
            out=out,
            theirs=", ".join(map(str, theirs)),
            ours=f"{model}, {weights}",
        )
    rows = rows_about(path, ["channel", "maximum"], wish.layer, wish.call)
    channels, maximum = (rows[name].to_numpy() for name in ("channel", "maximum"))
    count = int(channels.max()) + 1
    if len(channels) % max(1, count) or (channels != np.arange(len(channels)) % max(1, count)).any():
        raise unreadable(path)
    return np.asarray(maximum, np.float32).reshape(-1, count)


def check_same_weights(out: Path, layers: LayerActivations) -> None:
    """Refuse a capture of a model that had other weights then.

    Raises:
        RequestError: it had.
    """
    if card_of(out).weights_sha256 != weights_digest(layers.model):
        raise RequestError(
            "{out} was made with other weights than the model has now: capture the folder again.", out=out
        )


def _agreement_said(found: Agreement, channel: int) -> str:
    if found.likeness is None or found.chance is None:
        return Sentence(
            "it excites channel {channel} more than {beaten} of the {pictures} pictures do",
            channel=channel,
            beaten=found.beaten,
            pictures=found.pictures,
        )
    return Sentence(
        "it excites channel {channel} more than {beaten} of the {pictures} pictures do; likeness to the "
        "exemplars {likeness} (1: they are more like it than all others; up to {chance} by chance alone)",
        channel=channel,
        beaten=found.beaten,
        pictures=found.pictures,
        likeness=f"{found.likeness:.2f}",
        chance=f"{found.chance:.2f}",
    )


def layer_of(layers: LayerActivations, subject: Subject, wish: Wish) -> Layer:
    """Return the facts of the layer that a wish names.

    Raises:
        UnknownLayerError: there is no such layer.
    """
    kind = layers.kind(wish.layer)  # refuses a name that is none before any work
    rows, known = survey_with_layouts(layers, subject.arguments(BLANK), operations=True)
    names = (row.name for row in rows if is_operation(row.name))
    return Layer(kind, first_known(known, wish.layer, wish.call), rectifiers(layers, names))
