"""Base of all messages with the browser, and their JSON."""

import json
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

Heard = TypeVar("Heard")
Found = Annotated[
    float | None,
    Meta(title="Found", description="A number; null where there is none, such as the mean of NaN alone."),
]
Exact = Annotated[
    float | Literal["NaN", "∞", "−∞"],
    Meta(title="Exact", description="A number, any number: a text if JSON has none for it."),
]
Png = Annotated[str, Meta(title="Png", description="A picture: PNG in base64.")]
Markup = Annotated[
    str,
    Meta(title="Markup", description="HTML that can only be emphasis and code, made of our own Markdown."),
]
Shape = tuple[int, ...]
Said = dict[str, dict[str, str]]


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message to the browser, or from it."""


class Notice(Message, frozen=True):
    """A sentence on the page, and the document about it.

    Attributes:
        text: the sentence, in the visitor's language.
        document: what says more, of the documents below ``help/``.
    """

    text: str
    document: str


class Answer(Message, frozen=True, kw_only=True):
    """An answer about a subject, or the reason why there is none.

    An instance of this class itself is always a reason.

    Attributes:
        error: one sentence, in English.
        superseded: whether the visitor has asked for something else meanwhile; then the question may be
            asked again.
        of_edit: whether an edit is impossible.
        document: what says more about the reason, of the documents below ``help/``.
        said: the sentences in the other languages, by the language's code and the field's name.
    """

    error: str | UnsetType = UNSET
    superseded: bool | UnsetType = UNSET
    of_edit: bool | UnsetType = UNSET
    document: str | UnsetType = UNSET
    said: Said | UnsetType = UNSET


def as_json(message: object) -> bytes:
    """Return a message, or several, as JSON.

    Fields that are not set are left out.
    """
    return _ENCODER.encode(message)


def as_plain(message: object) -> Any:
    """Return a message, or several, as dicts, lists, texts and numbers.

    Fields that are not set are left out.
    """
    return msgspec.to_builtins(message, enc_hook=_plain)


def heard(plain: object, kind: type[Heard]) -> Heard:
    """Return a message that a part of the page has sent.

    By way of JSON, which has no halves of characters: nothing that quotes one could be sent back.

    Raises:
        msgspec.DecodeError: it is of another kind, or has half a character.
    """
    return msgspec.json.decode(json.dumps(plain), type=kind)


def _plain(value: object) -> str:
    """A sentence (``viz.sentences``) as the text that it is."""
    if isinstance(value, str):
        return str.__str__(value)
    raise NotImplementedError(f"{type(value)} is nothing that a message may hold")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)
