"""Edits as plain values and in links: ``layer1.0.conv1:zero:3,17``.

The text is ``layer:kind:channels:amount:seed``; parts at the end are left out if they have usual values.
For values from another picture it is ``layer:swap:channels:sample``, such as ``conv1:swap:3:cat``; for a
visitor's own picture, ``own_`` and 32 digits of its fingerprint replace the sample. For a layer that runs
several times, ``layer@2`` is only its second call; ``layer:inputs.zero`` changes what goes in. In a backward
pass ``layer:gradient.zero`` changes what comes back to the output, and ``layer:inputs_gradient.zero`` what
the layer passes on to its input. Several edits are separated by semicolons, and work in this order where they
meet.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import quote, unquote

from ..errors import RequestError
from ..pictures.own_donors import OWN_NAME, is_own_picture
from ..pictures.samples import sample_title
from ..sentences import Sentence

KINDS = ("zero", "scale", "mean", "noise", "clamp", "swap")
WITH_AMOUNT = ("scale", "noise", "clamp")
SIDES = ("output", "inputs", "gradient", "inputs_gradient")
ON_GRADIENTS = ("zero", "scale", "noise", "clamp")
MOST_EDITS, MOST_CHANNELS, LARGEST_SEED = 32, 16_384, 999_999
LARGEST_CHANNEL, MOST_CALLS, LONGEST_LAYER = 999_999, 9_999, 1_000
MOST_TEXT = 131_072  # characters: any one edit fits, even with every second of twice MOST_CHANNELS channels
_FORM = Sentence("layer:kind:channels:amount:seed, such as {example}", example="layer1.0.conv1:zero:3,17")


@dataclass(frozen=True)
class EditRequest:
    """One edit of one layer.

    Attributes:
        layer: the layer's dotted name.
        call: which of its calls, counted from 0; None for all of them.
        kind: ``"zero"``; ``"scale"``: times the amount; ``"mean"``: each channel's mean over the picture;
            ``"noise"``: plus Gaussian noise of this deviation; ``"clamp"``: cut off at ± the amount;
            ``"swap"``: what the layer makes of the donor in the model without edits.
        channels: which channels, from 0; none for all of them.
        amount: the number that the kind needs; 0 if it needs none.
        seed: for the noise; 0 for the other kinds.
        side: ``"output"``; ``"inputs"`` for the first thing that the layer is given; ``"gradient"`` for what
            comes back to its output in a backward pass; ``"inputs_gradient"`` for what goes on from there to
            the first thing that it was given.
        donor: the name of a swap's sample picture, or of a visitor's own (``own_donors``); empty for the
            other kinds.

    Raises:
        RequestError: there is no such kind, side or sample, or a name or a number cannot be used.
    """

    layer: str
    call: int | None = None
    kind: str = "zero"
    channels: tuple[int, ...] = ()
    amount: float = 0.0
    seed: int = 0
    side: str = "output"
    donor: str = ""

    def __post_init__(self) -> None:
        _check_words(self)
        _check_numbers(self)
        # equal edits become equal values, however they were written
        object.__setattr__(self, "channels", tuple(sorted(set(self.channels))))
        object.__setattr__(self, "amount", float(self.amount) if self.kind in WITH_AMOUNT else 0.0)
        object.__setattr__(self, "seed", self.seed if self.kind == "noise" else 0)
        object.__setattr__(self, "donor", self.donor if self.kind == "swap" else "")

    @property
    def backward(self) -> bool:
        """True if the edit changes a gradient, rather than a value."""
        return self.side.endswith("gradient")

    @property
    def of_inputs(self) -> bool:
        """True if the edit changes the layer's inputs, rather than its output."""
        return self.side.startswith("inputs")

    @property
    def listed(self) -> str:
        """The channels as a link writes them: ``3,5-7``, or ``all``."""
        return _ranges(self.channels)

    @property
    def text(self) -> str:
        """The edit as a link writes it; ``edits_from`` reads it."""
        call = "" if self.call is None else f"@{self.call + 1}"
        side = "" if self.side == "output" else f"{self.side}."
        parts = [quote(self.layer, safe=""), f"{side}{self.kind}", self.listed]
        parts += [repr(self.amount).removesuffix(".0")] if self.kind in WITH_AMOUNT else []
        parts += [str(self.seed)] if self.seed else []
        parts += [self.donor] if self.donor else []
        if parts[2:] == ["all"]:
            parts.pop()
        return ":".join([parts[0] + call, *parts[1:]])


def check_seed(seed: int) -> None:
    """Refuse a number that cannot be a seed.

    Raises:
        RequestError: it is negative or too large.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise RequestError(
            "a seed is a whole number from 0 to {most}, not {seed}.", most=f"{LARGEST_SEED:,}", seed=seed
        )


def edits_text(edits: Iterable[EditRequest]) -> str:
    """Return all edits as one text; empty for none."""
    return ";".join(edit.text for edit in edits)


def edits_from(text: str) -> tuple[EditRequest, ...]:
    """The edits in a text, in their order.

    Raises:
        RequestError: a part of it is not an edit, there are too many, or the text is too long.
    """
    if len(text) > MOST_TEXT:
        raise RequestError(
            "these edits take {count} characters; at most {most} are read.", count=len(text), most=MOST_TEXT
        )
    parts = [part for part in text.split(";") if part.strip()]
    if len(parts) > MOST_EDITS:
        raise RequestError(
            "these are {count} edits; at most {most} work at once.", count=len(parts), most=MOST_EDITS
        )
    return tuple(_edit_from(part.strip()) for part in parts)


def _edit_from(text: str) -> EditRequest:
    found = re.fullmatch(
        r"(?P<layer>[^:@]+)(@(?P<call>[0-9]{1,4}))?:((?P<side>[a-z_]+)\.)?(?P<kind>[a-z]+)"
        r"(:(?P<channels>all|[0-9,-]+))?(:(?P<amount>[-+.0-9e]+))?(:(?P<seed>[0-9]{1,6}))?"
        rf"(:(?P<donor>{OWN_NAME}|[a-z][a-z_]{{1,39}}))?",
        text,
    )
    if found is None or found["call"] == "0" or (found["donor"] and found["kind"] != "swap"):
        raise RequestError("{text} is no edit: write {form}.", text=repr(text[:80]), form=_FORM)
    return EditRequest(
        layer=unquote(found["layer"]),
        call=int(found["call"]) - 1 if found["call"] else None,
        kind=found["kind"],
        channels=_channels(found["channels"] or "all"),
        amount=_amount(found["amount"], found["kind"]),
        seed=int(found["seed"] or 0),
        side=found["side"] or "output",
        donor=found["donor"] or "",
    )


def _channels(text: str) -> tuple[int, ...]:
    """``3,5-7`` as (3, 5, 6, 7); empty for ``all``.

    They are counted before they are made, because a few bytes can name the same thousands again and again.
    """
    channels: list[int] = []
    for part in () if text == "all" else text.split(","):
        ends = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", part)
        if ends is None or int(ends[2] or ends[1]) < int(ends[1]):
            raise RequestError(
                "{text} names no channels: write them as 3,17 or 8-15, or all.", text=repr(text[:80])
            )
        named = range(int(ends[1]), int(ends[2] or ends[1]) + 1)
        _check_count(len(channels) + len(named))
        channels += named
    return tuple(channels)


def _ranges(channels: tuple[int, ...]) -> str:
    """(3, 5, 6, 7) as ``3,5-7``; ``all`` for none."""
    runs = groupby(enumerate(channels), lambda at: at[1] - at[0])
    parts = []
    for _, run in runs:
        members = [channel for _, channel in run]
        long = len(members) > 2  # noqa: PLR2004  a comma is as short for two neighbours
        parts += [f"{members[0]}-{members[-1]}"] if long else [str(channel) for channel in members]
    return ",".join(parts) or "all"


def _amount(text: str | None, kind: str) -> float:
    if text is None:
        if kind in WITH_AMOUNT:
            raise RequestError(
                "{name} needs an amount: write layer:{kind}:3:0.5.", name=repr(kind), kind=kind
            )
        return 0.0
    try:
        return float(text)
    except ValueError:
        raise RequestError("the amount {text} is no number.", text=repr(text[:40])) from None


def _check_count(channels: int) -> None:
    if channels > MOST_CHANNELS:
        raise RequestError(
            "an edit names at most {most} channels; leave them out to mean all.", most=f"{MOST_CHANNELS:,}"
        )


def _check_words(edit: EditRequest) -> None:
    if not _is_name(edit.layer):
        raise RequestError(
            "{text} cannot be a layer's name: write {form}.", text=repr(edit.layer[:80]), form=_FORM
        )
    if edit.kind not in KINDS:
        raise RequestError(
            "there is no edit {kind}; there are: {kinds}.", kind=repr(edit.kind[:40]), kinds=", ".join(KINDS)
        )
    if edit.side not in SIDES:
        raise RequestError(
            "an edit changes a layer's output, inputs, gradient or inputs_gradient, not its {side}.",
            side=repr(edit.side[:40]),
        )
    if edit.backward and edit.kind not in ON_GRADIENTS:
        raise RequestError(
            "a gradient is changed by {kinds}, not by {kind}.",
            kinds=", ".join(ON_GRADIENTS),
            kind=repr(edit.kind),
        )
    if edit.kind == "swap":
        if not edit.donor:
            raise RequestError("'swap' needs a sample picture to take values from: write layer:swap:3:cat.")
        if not is_own_picture(edit.donor):
            sample_title(edit.donor)


def _check_numbers(edit: EditRequest) -> None:
    _check_count(len(edit.channels))
    if min(edit.channels, default=0) < 0:
        raise RequestError(
            "channels are counted from 0; there is no channel {channel}.", channel=min(edit.channels)
        )
    if max(edit.channels, default=0) > LARGEST_CHANNEL:
        raise RequestError(
            "no layer has a channel {channel}; write at most {most}.",
            channel=max(edit.channels),
            most=LARGEST_CHANNEL,
        )
    if edit.call is not None and not 0 <= edit.call < MOST_CALLS:
        raise RequestError(
            "calls are written from 1 to {most}; there is no call {call}.",
            most=MOST_CALLS,
            call=edit.call + 1,
        )
    if not math.isfinite(edit.amount):
        raise RequestError("the amount of an edit is a finite number, not {amount}.", amount=edit.amount)
    check_seed(edit.seed)


def _is_name(layer: str) -> bool:
    """Check whether a link can contain a layer's name."""
    halves = any("\ud800" <= letter <= "\udfff" for letter in layer[:LONGEST_LAYER])
    return 0 < len(layer) <= LONGEST_LAYER and not halves
