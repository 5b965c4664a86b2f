"""Code that Python cannot read, in words for a beginner.

Python's own message is English, and for experts.
"""

import re
import unicodedata
from collections.abc import Callable

from ..sentences import Sentence

_KEYBOARD = {
    **dict.fromkeys("“”„«»「」『』", '"'),
    **dict.fromkeys("‘’´", "'"),  # noqa: RUF001  # these are what it is about
    "。": ".",
    "、": ",",
    "【": "[",
    "】": "]",
    "《": "<",
    "》": ">",
    "〈": "<",
    "〉": ">",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "*",
    "·": "*",
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}
"""What a Chinese keyboard or a word processor writes, and Python's own sign; NFKC knows most others."""
_TEXTS = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|#.*')
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_WHERE = Sentence(
    "Python cannot read this line. Look for a missing bracket, quote, colon or comma, here or at the end of "
    "the line above."
)
_QUOTE = Sentence("A text begins in this line and does not end: its closing quote is missing.")
_COLON = Sentence(
    "A colon `:` is missing in this line: lines that begin with `def`, `for`, `while`, `if`, `with` or `try` "
    "end with one."
)
_DEEPER = Sentence(
    "A line above ends with a colon, and nothing indented follows it. Begin this line with four spaces "
    "more, or write `pass` before it."
)
_TOO_DEEP = Sentence(
    "This line begins further right than the one above it, without a reason: indent it less."
)
_BETWEEN = Sentence(
    "This line begins between two others: let it begin exactly below the line that it goes on from."
)
_TABS = Sentence("Some lines begin with tabs, others with spaces: indent all of them with spaces.")
_STORE = Sentence('Only a name or a place can stand left of `=`, such as `maps` or `kept["maps"]`.')
_ROUND = Sentence(
    'Nothing can be stored in a call. A place in a list or a dict has square brackets: `kept["maps"] = …`.'
)
_COMPARE = Sentence("One `=` gives a name to a value. To compare two values, write `==`.")
_FINALLY = Sentence("After the block of `try` comes a block of `finally:`.")
_SIMPLE: tuple[tuple[str, Sentence], ...] = (
    ("expected ':'", _COLON),
    ("expected an indented block", _DEEPER),
    ("unexpected indent", _TOO_DEEP),
    ("unindent does not match", _BETWEEN),
    ("inconsistent use of tabs", _TABS),
    ("unterminated", _QUOTE),
    ("cannot assign to function call", _ROUND),
    ("cannot assign to literal", _STORE),
    ("Maybe you meant '=='", _COMPARE),
    ("cannot assign to", _STORE),
    ("illegal expression for augmented assignment", _STORE),
    (
        "Perhaps you forgot a comma",
        Sentence("Something is missing between two values in this line: a comma, perhaps, or a sign."),
    ),
    ("Missing parentheses", Sentence("A function is called with brackets: `print(maps)`.")),
    (
        "invalid decimal literal",
        Sentence("A name cannot begin with a digit, and a number has no letters in it."),
    ),
    ("leading zeros", Sentence("A number does not begin with 0: write `1` for `01`.")),
    (
        "line continuation",
        Sentence("A backslash `\\` stands in this line where none may be: take it away."),
    ),
    ("expected 'except' or 'finally'", _FINALLY),
    (
        "positional argument follows",
        Sentence("Values without a name come first, and those with a name and `=` after them."),
    ),
    ("'return' outside function", Sentence("`return` belongs into a function: is this line indented?")),
    ("outside loop", Sentence("`break` and `continue` belong into a loop: is this line indented?")),
    ("not properly in loop", Sentence("`break` and `continue` belong into a loop: is this line indented?")),
)
"""What Python says, or a part of it, and what we say; the first that fits counts."""


def unreadable(source: str, error: SyntaxError) -> Sentence:
    """Return a sentence on the error, with the text to write."""
    said, line = str(error.msg), _line(source, error.lineno or 1)
    return (
        _of_keyboard(said, line)
        or _of_brackets(said)
        or next((says for part, says in _SIMPLE if part in said), None)
        or _WHERE
    )


def _line(source: str, number: int) -> str:
    lines = source.splitlines()
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _of_keyboard(said: str, line: str) -> Sentence | None:
    """Return advice on characters that Python lacks, or None."""
    unfinished = "unterminated" in said
    if not (unfinished or (said.startswith("invalid ") and "U+" in said)):
        return None
    code = line if unfinished else _TEXTS.sub("", line)
    # A text that does not end may well hold other characters: only its quotes are in question.
    strange = [
        each for each in dict.fromkeys(code) if _sign(each) and not (unfinished and _sign(each) not in "'\"")
    ]
    if "".join(strange).isspace():
        return Sentence("This line has a wide space, as a Chinese keyboard writes it. Write a plain one.")
    if strange:
        return Sentence(
            "This line has `{characters}`, as a Chinese keyboard or a word processor writes it. Write "
            "`{instead}` instead.",
            characters=" ".join(each for each in strange if not each.isspace()),
            instead=" ".join(dict.fromkeys(_sign(each) for each in strange if not each.isspace())),
        )
    if unfinished:
        return None
    return Sentence(
        "This line has the character `{character}`, which Python knows only inside texts.",
        character=_named(said),
    )


def _sign(character: str) -> str:
    """Python's own sign for one of a Chinese keyboard, or empty."""
    if character.isascii() or character.isalpha():
        return ""
    plain = _KEYBOARD.get(character) or unicodedata.normalize("NFKC", character)
    return plain if plain.isascii() else ""


def _named(said: str) -> str:
    """The character that Python names, such as in "invalid character '€' (U+20AC)"."""
    code = re.search(r"U\+([0-9A-F]{4,6})", said)
    character = chr(int(code[1], 16)) if code else ""
    return character if character.isprintable() else f"U+{code[1]}" if code else ""


def _of_brackets(said: str) -> Sentence | None:
    for pattern, says in _BRACKETS:
        found = re.search(pattern, said)
        if found:
            return says(found)
    return None


def _open(found: re.Match[str]) -> Sentence:
    return Sentence(
        "The bracket `{bracket}` in this line is never closed: a `{closing}` is missing.",
        bracket=found[1],
        closing=_CLOSING[found[1]],
    )


def _unlike(found: re.Match[str]) -> Sentence:
    return Sentence(
        "Here `{bracket}` closes what `{opening}` opened: brackets come in pairs of one kind.",
        bracket=found[1],
        opening=found[2],
    )


def _single(found: re.Match[str]) -> Sentence:
    return Sentence("There is one `{bracket}` too many in this line.", bracket=found[1])


_BRACKETS: tuple[tuple[str, Callable[[re.Match[str]], Sentence]], ...] = (
    (r"'([(\[{])' was never closed", _open),
    (r"'(.)' does not match opening parenthesis '(.)'", _unlike),
    (r"unmatched '(.)'", _single),
)
