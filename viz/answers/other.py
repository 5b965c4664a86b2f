"""The other side of a comparison: its subject, its choices, its download."""

from typing import Literal

from msgspec import UNSET, UnsetType

from .message import Answer, Message, Notice
from .subject import RowFacts


class OtherOption(Message, frozen=True, kw_only=True):
    """A choice, and its label."""

    name: str
    label: str


class ModelOffer(Answer, frozen=True, kw_only=True):
    """One of models.json: a model, and its trained weights' needs."""

    name: str
    needs: str


class OtherAction(Message, frozen=True, kw_only=True):
    """A change of the look: fields about the other side, by name."""

    type: Literal["other"]
    other: dict[str, str]


class AffordableChoice(Message, frozen=True, kw_only=True):
    """Affordable choice in place of one that is too dear."""

    label: str
    action: OtherAction


class LoadingProgress(Message, frozen=True, kw_only=True):
    """Progress of the download of a model's weights, in bytes.

    ``total`` is 0 while it is unknown.
    """

    done: int
    total: int
    model: str


class Labels(Message, frozen=True):
    """Label of each side."""

    left: str
    right: str


class OtherFacts(Answer, frozen=True, kw_only=True):
    """other.json: the other side, as far as it is there.

    It is there, or needs a visitor's consent, or is loading.

    Attributes:
        model: the model's name.
        chosen: the choice that each box shows, by the field of the look.
        choices: the options of a box; a box without a choice is left out.
        notices: a sentence for each choice that cannot be.
        ask: the question to a visitor before the model is loaded.
        cost: the memory for loading it, in bytes.
        may: whether a visitor can agree; otherwise the server could not bear it.
        loading: while its weights are on their way.
        refused: whether it is untrained because its trained weights could not be had; a notice says why.
        instead: an affordable choice, beside ``ask``.
        subject: the token of the other side's subject; with it comes everything below.
        layer: the other side's layer.
        call: counted from 0.
        follows: whether that is the first side's layer, as far as possible.
        alike: whether both sides have the same model with the same weights.
        rows: every layer of the other side's model.
        first: the layer to begin with.
        all: the memory for one scale for all of its layers, in bytes.
    """

    model: str
    chosen: dict[str, str]
    choices: dict[str, tuple[OtherOption, ...]]
    notices: tuple[Notice, ...]
    refused: bool
    ask: str | UnsetType = UNSET
    cost: int | UnsetType = UNSET
    may: bool | UnsetType = UNSET
    loading: LoadingProgress | UnsetType = UNSET
    instead: AffordableChoice | UnsetType = UNSET
    subject: str | UnsetType = UNSET
    labels: Labels | UnsetType = UNSET
    layer: str | UnsetType = UNSET
    call: int | UnsetType = UNSET
    follows: bool | UnsetType = UNSET
    alike: bool | UnsetType = UNSET
    rows: tuple[RowFacts, ...] | UnsetType = UNSET
    first: str | UnsetType = UNSET
    all: int | UnsetType = UNSET
