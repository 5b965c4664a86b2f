"""Messages between Streamlit's half of the page and the browser's."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from .message import Message, Notice

Words = Annotated[
    dict[str, str | dict[str, str]],
    Meta(title="Words", description="Texts by name; one with a count has a text for each plural form."),
]


class PartFacts(Message, frozen=True, kw_only=True):
    """Message to a part beside the stage: the subject's token."""

    subject: str


class RowFacts(Message, frozen=True, kw_only=True):
    """A layer or operation, as boxes and the module tree show it.

    Attributes:
        type: the name of its class.
        detail: its settings in a few words.
        shape: of what it returns, as text; empty without a tensor.
        calls: how often it ran.
        ends: for each call, its place in the order in which the calls of all rows ended.
        reason: why it has no call; null if it has one.
        cost: what a look at it takes, in bytes.
    """

    name: str
    type: str
    detail: str
    shape: str
    calls: int
    ends: tuple[int, ...]
    reason: str | None
    operation: bool
    cost: int


class LinkFacts(Message, frozen=True, kw_only=True):
    """A link of the model's chain.

    Attributes:
        layer: whose output leaves it.
        layers: what is in it, that one last.
        main: the one that gives the link its name.
        shape: of that output, as text; empty without a tensor.
    """

    layer: str
    layers: tuple[str, ...]
    main: str
    shape: str


class TitledPicture(Message, frozen=True, kw_only=True):
    """A picture that values can be taken from, and its title."""

    name: str
    title: str


class CostFacts(Message, frozen=True, kw_only=True):
    """Memory in bytes.

    Attributes:
        ask: from where on a visitor is asked.
        refuse: from where on nobody may.
        free: on the machine.
        all: what every layer takes at once.
        back: what a backward pass takes.
    """

    ask: int
    refuse: int
    free: int
    all: int
    back: int


class FrameFacts(Message, frozen=True, kw_only=True):
    """The part of the picture that the model looks at, in pixels.

    The pixels are the whole picture's.

    Attributes:
        width: of the picture, likewise the height.
        crop: the part that the model is given, as an address says it; empty if it is given everything.
        seen: the part that it sees of that: left, top, right, bottom.
        inner: what it sees of a square: left, top, right, bottom as shares of its side.
    """

    width: int
    height: int
    crop: str
    seen: tuple[float, ...]
    inner: tuple[float, ...]


class SubjectFacts(Message, frozen=True, kw_only=True):
    """Facts of a subject for the browser.

    Attributes:
        subject: its token.
        notices: a sentence for each thing that is not as it was asked for, or needs a word.
        model: the model's name.
        address: its names; without what a visitor brought.
        picture: the picture's name, if it is the visitor's own.
        rows: every layer, and every operation.
        first: the layer that is shown at first.
        chain: the model from its input to its answer, in a few links.
        kinds: the work of each type of layer in words, by its name.
        sentences: the work of layers on their input, each once.
        sentence_of: for each of ``rows`` its place in ``sentences``.
        trained: the weights in words.
        untrained: whether they are random.
        classes: the number of the model's classes; 0 if it names none.
        input: the (height, width) in pixels, or of a signal in values, of what it is given.
        signal: whether the model's input is a signal: one pixel high.
        frame: the part of the picture that the model looks at; null if there is none, as for a signal.
        donors: the pictures that edits can take values from.
        own: the visit's own pictures, the newest first.
        brought: the picture in the box of the other side, and which upload it is; empty if there is none.
        colours: of each colormap, evenly spaced, as ``#rrggbb``.
        diverging: the colormaps with a neutral middle, which stands for zero.
        words: in a notebook by their keys; to the page their language, and the file that has them.
    """

    subject: str
    notices: tuple[Notice, ...]
    model: str
    address: dict[str, str]
    picture: str
    rows: tuple[RowFacts, ...]
    first: str
    chain: tuple[LinkFacts, ...]
    kinds: dict[str, str]
    sentences: tuple[str, ...]
    sentence_of: tuple[int, ...]
    trained: str
    untrained: bool
    classes: int
    input: tuple[int, ...]
    signal: bool
    frame: FrameFacts | None
    donors: tuple[TitledPicture, ...]
    own: tuple[TitledPicture, ...]
    brought: str
    colormaps: tuple[str, ...]
    colours: dict[str, tuple[str, ...]]
    diverging: tuple[str, ...]
    costs: CostFacts
    words: Words


class CameraFacts(Message, frozen=True, kw_only=True):
    """Settings of the live camera.

    Attributes:
        side: the short side of a frame in pixels.
    """

    side: int
    words: Words


class SubjectNames(Message, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """Message of the browser when a visitor returns to another subject.

    It has the subject's names in an address. An address has more names, which are the look's or nobody's:
    they are passed over. After a reload, ``kept`` is the token of the subject that was on screen before, if
    the visitor had brought a part of it.
    """

    model: str | UnsetType = UNSET
    weights: str | UnsetType = UNSET
    sample: str | UnsetType = UNSET
    crop: str | UnsetType = UNSET
    lang: str | UnsetType = UNSET
    kept: str | UnsetType = UNSET


class FrozenFrame(Message, frozen=True, kw_only=True):
    """Message of the browser about a frame that becomes the picture.

    Attributes:
        jpeg: the frame: JPEG in base64.
    """

    jpeg: str


class FrameMove(Message, frozen=True, kw_only=True):
    """Message of the browser when a visitor has moved the frame.

    Attributes:
        crop: the part that the model shall be given, as an address says it; empty for everything.
    """

    crop: Annotated[str, Meta(max_length=100)]
