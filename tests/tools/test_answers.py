"""The types for the scripts: what they say of a struct, and that the file in the repository says it."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import UNSET, Meta, UnsetType

from tools import answers
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
    assert answers.type_text(kind) == text


def test_what_typescript_would_not_know_is_refused() -> None:
    """Rather than called ``any``: a set, a dict by numbers; nor may anything be told by its place."""
    for kind in (set[int], dict[int, str], bytes, tuple[str, int]):
        with pytest.raises(TypeError, match="no text in TypeScript"):
            answers.type_text(kind)


def test_docstrings_become_comments() -> None:
    """Of the struct and of its fields; a field that may be left out has a question mark."""
    assert answers.interface(Large) == (
        "/** A large thing. It says more. */\n"
        "interface Large extends Answer {\n"
        "  /** the small ones: all of them. */\n"
        "  smalls: readonly Small[];\n"
        "  /** with `code`. */\n"
        '  maybe?: "yes" | "nö";\n'
        "  plain: boolean;\n"
        "}\n"
    )


def test_the_file_is_what_the_structs_say() -> None:
    """``make answers`` writes it, and the check of ``make lint`` finds nothing."""
    assert answers.FILE.read_text("utf-8") == answers.declarations()
    checked = subprocess.run([sys.executable, "-m", "tools.answers"], check=False, capture_output=True)
    assert (checked.returncode, checked.stderr) == (0, b"")


def test_an_old_file_is_found_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence says what to do; ``--update`` does it."""
    old = tmp_path / "answers.d.ts"
    old.write_text(answers.declarations().replace("interface Facts", "interface Fiction"), "utf-8")
    monkeypatch.setattr(answers, "FILE", old)
    monkeypatch.setattr(sys, "argv", ["answers"])
    assert answers.main() == 1
    assert "run make answers" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["answers", "--update"])
    assert answers.main() == 0
    assert old.read_text("utf-8") == answers.declarations()
