"""Sketches of the catalogue's models, to find the models worth comparing.

To make every model would take minutes, so ``sketches.json`` keeps a few hashes of each: the smallest of all
its names with their shapes, so that similar models keep the same. They only choose; the comparison itself
asks the model. ``python -m tools.sketches --update`` writes the file.
"""

import json
from base64 import b85decode, b85encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path

from ..state_finding import WRAPPERS, endings

__all__ = ["KEPT", "candidates", "sketch"]

KEPT = Path(__file__).with_suffix(".json")
_SAMPLE = 12  # hashes of each model
_BYTES = 4  # of a hash
_MOST_PARTS = 24  # of a name, counted from its end; the longest in the catalogue has 14
_MOST_MODELS, _MOST_NEW = 24, 4  # to be compared; new are those that have no sketch yet

Shapes = Mapping[str, Sequence[int]]


def sketch(shapes: Shapes) -> str:
    """Return the sketch of a model's names and shapes, as text."""
    marks = sorted({_mark(name, shape) for name, shape in shapes.items()})
    return b85encode(b"".join(marks[:_SAMPLE])).decode()


def candidates(shapes: Shapes, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known models that may fit names and shapes, likeliest first.

    A model's names may begin anywhere in the file's, ``state_dict/module.conv1.weight``, and have wrappers
    inside. The first few models without a sketch, such as an operator's own, are always among them.
    """
    held = {_mark(end, shape) for name, shape in shapes.items() for end in _ends(name)}
    kept, known = _kept(), tuple(known)
    new = [model for model in known if model not in kept]
    shares = {model: _share(kept[model], held) for model in known if model in kept}
    likely = sorted((model for model in shares if shares[model]), key=lambda model: -shares[model])
    return (*new[:_MOST_NEW], *likely[:_MOST_MODELS])


def _share(marks: frozenset[bytes], held: set[bytes]) -> float:
    return len(marks & held) / max(len(marks), 1)


@cache
def _kept() -> dict[str, frozenset[bytes]]:
    texts: dict[str, str] = json.loads(KEPT.read_text(encoding="utf-8"))
    return {model: _marks(text) for model, text in texts.items()}


def _marks(text: str) -> frozenset[bytes]:
    raw = b85decode(text)
    return frozenset(raw[at : at + _BYTES] for at in range(0, len(raw), _BYTES))


def _mark(name: str, shape: Sequence[int]) -> bytes:
    said = f"{name} {' '.join(map(str, shape))}"
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()


def _ends(name: str) -> set[str]:
    """Return a name's ends after dots and slashes, with and without wrappers."""
    return {end for without in ((), WRAPPERS) for _, end in endings(name, _MOST_PARTS, without)}
