"""Names of layers and operations, as plain text.

``layer1.0 › add`` is the addition in the code of ``layer1.0``, and ``layer1.0 › add 2`` the second one within
one call of that code; ``› relu`` stands in the model's own ``forward``.
"""

import difflib
from collections.abc import Iterable, Mapping

from .sentences import Sentence

SEPARATOR = "›"
OPERATORS = frozenset({"add", "sub", "mul", "div", "truediv", "floordiv", "matmul", "pow", "mod"})
_SHOWN = 8
_CLOSE = 0.02  # how far below the best suggestion, by difflib's ratio, another one may be


def operation_name(layer: str, function: str, turn: int) -> str:
    """Return the name of an operation in a layer's code.

    ``turn`` is which call of the function it is, from 1; the layer ``""`` is the model.
    """
    number = f" {turn}" if turn > 1 else ""
    return f"{layer} {SEPARATOR} {function}{number}".lstrip()


def calling_layer(name: str) -> str:
    """The layer whose code called an operation; ``""`` for the model's own."""
    return name.partition(SEPARATOR)[0].rstrip()


def called_function(name: str) -> str:
    """Return the function in an operation's name, such as ``add 2``.

    The number is which of its calls it is; the first has none.
    """
    return name.rpartition(SEPARATOR)[2].strip()


def is_operation(name: str) -> bool:
    """Check whether a name is an operation's."""
    return SEPARATOR in name


def spellings(name: str) -> tuple[str, ...]:
    """Return the names of all functions with this plain name.

    The names are without underscores around them.
    """
    return (name, f"i{name}", f"r{name}") if name in OPERATORS else (name,)


def unknown(name: str, known: Mapping[str, object] | tuple[str, ...]) -> Sentence:
    """Return the sentence that no layer has this name.

    It suggests the nearest of the ``known`` names, or lists the first few.
    """
    close = nearest(name, tuple(known))
    if close:
        return Sentence(
            "no layer named {name}; did you mean {names}?", name=repr(name), names=", ".join(close)
        )
    if known:
        return Sentence("no layer named {name}; there are: {names}", name=repr(name), names=listed(known))
    return Sentence("no layer named {name}: the model has no layers", name=repr(name))


def listed(known: Iterable[str]) -> str:
    """Return the first few of these names."""
    names = list(known)
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


def nearest(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return at most three known names most like ``name``.

    They are in their original order.
    """
    near = difflib.get_close_matches(name, known, n=3)
    scores = {each: difflib.SequenceMatcher(None, each, name).ratio() for each in near}
    best = max(scores.values(), default=1.0)
    return tuple(each for each in known if scores.get(each, -1.0) >= best - _CLOSE)
