"""The texts of types for the scripts: each as TypeScript writes it."""

from typing import Annotated, Literal

import pytest
from msgspec import UNSET, Meta, UnsetType

from tools import type_texts
from viz.answers.message import Answer, Exact, Found, Message

Few = Annotated[int, Meta(ge=0)]


class Small(Message, frozen=True, kw_only=True):
    """A small thing."""

    name: str


class Large(Answer, frozen=True, kw_only=True):
    """A large thing.

    It says more.

    Attributes:
        smalls: the small ones:
            all of them.
        maybe: with ``code``.
    """

    smalls: tuple[Small, ...]
    maybe: Literal["yes", "nö"] | UnsetType = UNSET
    plain: bool = False


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (str, "string"),
        (Few, "number"),
        (Found, "Found"),
        (Exact | None, "Exact | null"),
        (int | float | str, "number | string"),
        (tuple[int, ...], "readonly number[]"),
        (tuple[int | None, ...], "readonly (number | null)[]"),
        (tuple[tuple[int, ...], ...], "readonly (readonly number[])[]"),
        (dict[str, tuple[Small, ...]], "Readonly<Record<string, readonly Small[]>>"),
        (Small | None, "Small | null"),
    ],
)
def test_each_type_has_its_text(kind: object, text: str) -> None:
    """As TypeScript's handbook writes it."""
    assert type_texts.type_text(kind) == text


def test_what_typescript_would_not_know_is_refused() -> None:
    """Rather than called ``any``: a set, a dict by numbers; nor may anything be told by its place."""
    for kind in (set[int], dict[int, str], bytes, tuple[str, int]):
        with pytest.raises(TypeError, match="no text in TypeScript"):
            type_texts.type_text(kind)


def test_docstrings_become_comments() -> None:
    """Of the struct and of its fields; a field that may be left out has a question mark."""
    assert type_texts.interface(Large) == (
        "/** A large thing. It says more. */\n"
        "interface Large extends Answer {\n"
        "  /** the small ones: all of them. */\n"
        "  smalls: readonly Small[];\n"
        "  /** with `code`. */\n"
        '  maybe?: "yes" | "nö";\n'
        "  plain: boolean;\n"
        "}\n"
    )
