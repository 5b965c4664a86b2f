"""The look, everything on screen but the subject, and its text.

The subject is the picture, the model and its weights. The text stands in an address.

The browser has the same fields: ``make answers`` writes them into ``viz/ui/browser/look/fields.js``. It reads
and writes the same text (``tests/look_vectors.json`` holds both to it), without fields at their defaults.
"""

from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from .query import VainField, fields_in, pairs_in, query_of
from .views import VIEWS

LONGEST_VALUE = 200  # characters of any value but the edits
LONGEST_EDITS = 32_000  # what the door lets in; ``edit_request`` says what they may be
LONGEST_FIGURE = 2_000
Text = Annotated[str, Meta(max_length=LONGEST_VALUE)]
Number = Annotated[int, Meta(ge=0, le=99_999)]
LargeNumber = Annotated[int, Meta(ge=0, le=999_999)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Ordinal = Annotated[int, Meta(ge=1, le=99_999)]
CELL = r"^([0-9]{1,5},[0-9]{1,5}(,[0-9]{1,5})?)?\Z"
Cell = Annotated[str, Meta(pattern=CELL)]

View = Annotated[str, Meta(pattern=rf"^(?:{'|'.join(VIEWS)})\Z")]
Scale = Literal["layer", "channel", "clipped", "model"]
Order = Literal["index", "mean", "maximum", "variance", "zeros"]
Show = Literal["after", "before", "difference"]
Level = Literal["climb", "easy", "middle", "hard"]
Lay = Literal["centred", "stretched"]
Unfolding = Literal["auto", "open", "folded"]
Reduction = Literal["mean", "abs-mean", "max", "l2", "std", "entropy", "argmax", "top", "pca", "similar"]
MethodName = Literal[
    "grad-cam",
    "saliency",
    "integrated-gradients",
    "occlusion",
    "conductance",
    "attention-rollout",
    "attention-relevance",
]


class Look(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The state of the screen.

    Attributes:
        view: the way of looking, of ``views.VIEWS``.
        layer: its dotted name; empty for the first convolution that ran, or else the first layer that did.
        call: the number of one of its calls, from 0; the text counts from 1.
        channel: the channel that is shown large; None for the one that varies most, or the first if an order
            is chosen.
        leaf: which tensor of several; empty for the first.
        kind: the layout.
        row: one of the batch, from 0.
        index: one slice of a volume, from 0.
        cell: the number that is taken apart, as ``row,column``; after another comma the channel of the
            layer's input that is shown beside it, if one is chosen; empty for none. Of the reduction
            ``"similar"`` the place that all others are compared with.
        colormap: by its name; ``"auto"`` follows from the values' signs; with ``_root`` behind it the colours
            follow the square root of values.
        scale: the colours' range.
        order: that of the channels.
        reduce: the formula that makes one picture of a layer (``maps.reduction.definitions``).
        top: the number of strongest channels that ``"top"`` sums; None for eight.
        figure: the columns of a figure (``figure.columns_in``); empty before one is begun.
        figure_pictures: the names of its pictures, with commas between them; empty for the one on screen.
        figure_over: true to lay its maps over the photos.
        figure_photos: true for a first column of the photos.
        figure_scale: the panels that share a range of colours.
        figure_letters: true for (a), (b) and on.
        figure_width: in millimetres.
        edit: the edits' text (``edit_request.edits_text``).
        show: the values after the edits, before them, or the difference.
        target: the class that is looked back from; None for the most probable one of the picture.
        method: of telling what counts for that class (``method.METHODS``).
        at: the layer that Grad-CAM and conductance look at: the last whose places count, or the one on
            screen.
        lay: where maps lie on the picture: each cell where it is centred, or stretched over all of it.
        overlay: the share of the picture that the large map lets through, in percent.
        strength: the share of the picture that a method's map covers, in percent.
        steps: the number of a method's steps; None as the method chooses.
        window: the side of an occlusion's window, in pixels; None as the method chooses.
        stride: the way from window to window, in pixels; None as the method chooses.
        filter: the channel's weights beside it, unfolded or folded; ``"auto"`` leaves that to the view.
        exemplars: likewise the pictures that excite it.
        exemplars_by: their order.
        pictures: the folder that they are from: the server's, the visitor's own or the samples; empty for the
            first of these that there is. The view of a data set is about it too.
        against: the model whose layers that view sets beside this one's; empty for its own.
        optimised: likewise the optimised picture; ``"drawn"`` makes it, too.
        optimised_aim: the values that it excites: the channel's, the cell's that is taken apart, or the
            channel's without those of another.
        optimised_minus: that other channel.
        optimised_way: the way it is made.
        optimised_count: the number of pictures.
        training: the seed of training mode; None in evaluation mode.
        lesson: the course's lesson by its id; a number for one of the sources; empty for the contents.
        lesson_step: its step, from 1; None for the one that the browser remembers.
        seed: the quiz's number.
        level: of the quiz; by default it goes from easy to hard.
        quiz_question: its question, from 1, and after the last the result; None for the one that the
            browser remembers.
        step: of the timeline, from 1.
        present: true in presentation mode.
        embed: true in a frame of another page: nothing but what is shown.
        with_sample: of a comparison the other side's picture; empty as the page chooses by itself,
            ``"same"``, ``"none"``, a name or a number. Likewise the fields after it. By itself it chooses
            another picture, or the same one if another model, weights or layer is chosen.
        with_order: the order of both sides' channels; empty for those that differ most first.
    """

    view: View = "layer"
    layer: Text = ""
    call: Annotated[int, Meta(ge=0, le=99_998)] = 0
    channel: Number | None = None
    leaf: Text = ""
    kind: Text = "auto"
    row: Number = 0
    index: Number = 0
    cell: Cell = ""
    colormap: Text = "auto"
    scale: Scale = "layer"
    order: Order = "index"
    reduce: Reduction = "mean"
    top: Ordinal | None = None
    figure: Annotated[str, Meta(max_length=LONGEST_FIGURE)] = ""
    figure_pictures: Text = ""
    figure_over: bool = False
    figure_photos: bool = False
    figure_scale: Literal["own", "row", "all"] = "own"
    figure_letters: bool = True
    figure_width: Annotated[int, Meta(ge=30, le=400)] = 180
    edit: Annotated[str, Meta(max_length=LONGEST_EDITS)] = ""
    show: Show = "after"
    target: Number | None = None
    method: MethodName = "grad-cam"
    at: Literal["last", "layer"] = "last"
    lay: Lay = "centred"
    overlay: Annotated[int, Meta(ge=0, le=90)] = 0
    strength: Percent = 60
    steps: Ordinal | None = None
    window: Ordinal | None = None
    stride: Ordinal | None = None
    filter: Unfolding = "auto"
    exemplars: Unfolding = "auto"
    exemplars_by: Literal["maximum", "mean"] = "maximum"
    pictures: Literal["", "folder", "own", "samples"] = ""
    against: Text = ""
    optimised: Literal["auto", "open", "folded", "drawn"] = "auto"
    optimised_aim: Literal["channel", "cell", "minus"] = "channel"
    optimised_minus: Number | None = None
    optimised_way: Literal["fourier", "maco", "own"] = "fourier"
    optimised_count: Literal["one", "four"] = "one"
    training: LargeNumber | None = None
    lesson: Text = ""
    lesson_step: Ordinal | None = None
    seed: LargeNumber | None = None
    level: Level = "climb"
    quiz_question: Ordinal | None = None
    step: Annotated[int, Meta(ge=1, le=999_999)] | None = None
    present: bool = False
    embed: bool = False
    with_sample: Text = ""
    with_model: Text = ""
    with_weights: Text = ""
    with_layer: Text = ""
    with_call: Text = ""
    with_edits: Text = ""
    with_order: Text = ""


def choices() -> dict[str, tuple[str, ...]]:
    """Return the possible values, by name, of fields that have few."""
    hints = get_type_hints(Look)
    few = {name: get_args(kind) for name, kind in hints.items() if get_origin(kind) is Literal}
    return {"view": tuple(VIEWS)} | few


_DEFAULTS = asdict(Look())


class WrittenLook(Look, frozen=True, kw_only=True):
    """A look as in its text: people count calls from 1."""

    call: Ordinal = 1


def look_from_query(text: str) -> tuple[Look, tuple[VainField, ...]]:
    """Return the look in a query's text, and the impossible parts.

    Those are left at their defaults.
    """
    said, vain = fields_in(pairs_in(text), WrittenLook)
    if "call" in said:
        said["call"] -= 1
    return Look(**said), vain


def look_to_query(look: Look) -> str:
    """Return the text of a look; empty for the look at first."""
    said = {name: value for name, value in asdict(look).items() if value != _DEFAULTS[name]}
    if "call" in said:
        said["call"] += 1
    return query_of([(name, _text(said[name])) for name in look.__struct_fields__ if name in said])


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)
