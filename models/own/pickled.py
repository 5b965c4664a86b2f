"""An interpreter of pickles that makes nothing but plain values.

It knows containers, numbers, texts and names, looks nothing up and calls nothing. Its user (``Meanings``)
decides what a name stands for and what is made with it; an object that a pickle would make is not made
(``UnmadeObject``). The time of a step does not depend on earlier steps, and a file may take only so many
steps in all.

Source: the comments in CPython's Lib/pickletools.py, protocols 2 to 5.
"""

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from ..errors import OwnWeightsError
from .state_refusals import ADVICE, PYTORCH, damaged, more_than_weights, too_many_names

__all__ = ["Meanings", "Pickles", "UnmadeObject", "texts_of"]

_MOST_STEPS = 1_500_000  # a state dict takes about 30 for each tensor
_LONGEST_GLOBAL = 300
_HIGHEST_PROTOCOL = 5
_STOP = ord(".")
_NOTHING = object()  # fills places of the memo that the pickle skipped
_CONTAINERS = (tuple, list, dict)
_MOST_IN_KEY = 8  # parts that are looked at: a key may be long and stand in many places


@dataclass(frozen=True, slots=True, eq=False)
class UnmadeObject:
    """The contents, by name, of an object that a pickle would make.

    Attributes:
        items: its attributes, or what was put into it.
        name: the name of its class or maker in the file, which is never looked up.
    """

    items: dict[str, object] = field(default_factory=dict)
    name: str = ""


class Meanings(ABC):
    """Interface of the interpreter's user: meanings of names, calls and stored parts."""

    @abstractmethod
    def named(self, name: str) -> object:
        """Return a stand-in for a name such as ``torch.float32``."""

    @abstractmethod
    def made(self, thing: object, arguments: tuple[object, ...]) -> object:
        """Return the result of a named thing for its arguments."""

    @abstractmethod
    def kept(self, identity: object) -> object:
        """Return a stand-in for something that is kept outside the pickle."""


class Pickles:
    """Pickles that follow one another in a file.

    Dicts keep only entries whose key is text, and texts whose key is a whole number, such as a class's. That
    number is kept as text: no other key is ever hashed, because an attacker can choose numbers that make a
    dict extremely slow. Sets keep only texts.

    Attributes:
        position: the byte of the file that is read next.
    """

    def __init__(self, data: bytes, start: int, stop: int, meanings: Meanings) -> None:
        self.position = start
        self._data, self._end = data, stop
        self._meanings = meanings
        self._steps = _MOST_STEPS
        self._stack: list[object] = []
        self._below: list[list[object]] = []
        self._memo: list[object] = []

    def load(self) -> object:
        """Return the content of the next pickle.

        Raises:
            OwnWeightsError: it takes too many steps, or steps that weights do not need.
            EOFError, IndexError, TypeError, ValueError: it is damaged.
        """
        self._stack, self._below, self._memo = [], [], []
        while (code := self._code()) != _STOP:
            step = _STEPS.get(code)
            if step is None:
                raise damaged(PYTORCH)
            step(self)
        return self._stack.pop()

    def _code(self) -> int:
        if self.position >= self._end:
            raise EOFError
        self._steps -= 1
        if self._steps < 0:
            raise too_many_names()
        code = self._data[self.position]
        self.position += 1
        return code

    def take(self, count: int) -> bytes:
        """Return the next bytes.

        Raises:
            EOFError: fewer bytes are left.
        """
        start, stop = self.position, self.position + count
        if stop > self._end:
            raise EOFError
        self.position = stop
        return self._data[start:stop]

    def number(self, count: int) -> int:
        """Return the unsigned whole number in the next bytes."""
        return int.from_bytes(self.take(count), "little")

    def _spend(self, steps: int) -> None:
        self._steps -= steps
        if self._steps < 0:
            raise too_many_names()

    def _push(self, value: object) -> None:
        self._stack.append(value)

    def _push_text(self, width: int) -> None:
        self._stack.append(str(self.take(self.number(width)), "utf-8"))

    def _push_bytes(self, width: int) -> None:
        self._stack.append(self.take(self.number(width)))

    def _push_long(self, width: int) -> None:
        self._stack.append(int.from_bytes(self.take(self.number(width)), "little", signed=True))

    def _mark(self) -> None:
        self._below.append(self._stack)
        self._stack = []

    def _since_mark(self) -> list[object]:
        items, self._stack = self._stack, self._below.pop()
        return items

    def _frozen_set(self) -> None:
        self._since_mark()
        self._push(UnmadeObject())

    def _tuple(self, count: int) -> None:
        if len(self._stack) < count:
            raise IndexError
        self._stack[-count:] = [tuple(self._stack[-count:])]

    def _append(self, items: list[object]) -> None:
        target = self._stack[-1]
        if isinstance(target, UnmadeObject):
            target.items.update((str(at), item) for at, item in enumerate(items, len(target.items)))
        elif isinstance(target, list):
            target.extend(items)
        else:
            raise TypeError

    def _add(self, items: list[object]) -> None:
        target = self._stack[-1]
        if not isinstance(target, UnmadeObject):
            raise TypeError
        target.items.update(texts_of(items))

    def _set(self, items: list[object]) -> None:
        target = self._stack[-1]
        held = target.items if isinstance(target, UnmadeObject) else target
        if not isinstance(held, dict) or len(items) % 2:
            raise TypeError
        for key, value in zip(items[::2], items[1::2], strict=True):
            _keep(held, key, value)

    def _remember(self, place: int) -> None:
        if place > _MOST_STEPS:
            raise IndexError
        if place >= len(self._memo):
            self._spend(place - len(self._memo))
            self._memo.extend([_NOTHING] * (place + 1 - len(self._memo)))
        self._memo[place] = self._stack[-1]

    def _recall(self, place: int) -> None:
        value = self._memo[place]
        if value is _NOTHING:
            raise IndexError
        self._stack.append(value)

    def _named_in_line(self) -> None:
        lines = []
        for _ in range(2):
            stop = self._data.index(b"\n", self.position, min(self._end, self.position + _LONGEST_GLOBAL))
            lines.append(str(self.take(stop - self.position), "utf-8"))
            self.position += 1
        self._stack.append(self._meanings.named(".".join(lines)))

    def _named_on_stack(self) -> None:
        name, module = self._stack.pop(), self._stack.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise TypeError
        self._stack.append(self._meanings.named(f"{module[:_LONGEST_GLOBAL]}.{name[:_LONGEST_GLOBAL]}"))

    def _make(self) -> None:
        arguments, thing = self._stack.pop(), self._stack.pop()
        if not isinstance(arguments, tuple):
            raise TypeError
        self._spend(sum(len(each) for each in arguments if isinstance(each, list | tuple)))
        if thing is dict:
            self._stack.append(_ordered(*arguments))
        else:
            self._stack.append(self._meanings.made(thing, arguments))

    def _make_by_name(self) -> None:
        named = self._stack.pop()
        if not isinstance(named, dict):
            raise TypeError
        self._make()

    def _finish(self) -> None:
        """Put attributes into an unmade object; drop an OrderedDict's.

        Those of an OrderedDict say the layers' version.
        """
        state, target = self._stack.pop(), self._stack[-1]
        if isinstance(target, UnmadeObject):
            parts = state if isinstance(state, tuple) else (state,)  # a pair: its __dict__ and its slots
            self._spend(sum(len(part) for part in parts if isinstance(part, dict)))
            for part in parts:
                target.items.update(part if isinstance(part, dict) else {})
        elif not isinstance(target, dict):
            raise more_than_weights("objects")


def texts_of(items: Iterable[object]) -> dict[str, object]:
    """Return a set's texts as the contents of an unmade object."""
    return {item: True for item in items if isinstance(item, str)}


def _keep(target: dict[str, object], key: object, value: object) -> None:
    parts = key[:_MOST_IN_KEY] if isinstance(key, tuple) else (key,)
    if any(isinstance(part, _CONTAINERS) for part in parts):
        raise OwnWeightsError(
            "This file has names that are neither text nor number; {advice}.", advice=ADVICE
        )
    if isinstance(key, str):
        target[key] = value
    elif type(key) is int and isinstance(value, str) and 0 <= key <= _MOST_STEPS:
        target[str(key)] = value


def _ordered(pairs: object = ()) -> dict[str, object]:
    """Return an OrderedDict's pairs as a dict, Python 2's lists too."""
    found: dict[str, object] = {}
    if not isinstance(pairs, list | tuple):
        raise TypeError
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:  # noqa: PLR2004
            raise TypeError
        _keep(found, pair[0], pair[1])
    return found


def _refuse(kind: str) -> Callable[[Pickles], None]:
    def step(_: Pickles) -> NoReturn:
        raise more_than_weights(kind)

    return step


def _proto(run: Pickles) -> None:
    if run.number(1) > _HIGHEST_PROTOCOL:
        raise damaged(PYTORCH)


# ruff: noqa: SLF001
_STEPS: dict[int, Callable[[Pickles], object]] = {
    0x80: _proto,
    0x95: lambda run: run.take(8),
    ord("("): Pickles._mark,
    ord("N"): lambda run: run._push(None),
    0x88: lambda run: run._push(True),
    0x89: lambda run: run._push(False),
    ord("J"): lambda run: run._push(int.from_bytes(run.take(4), "little", signed=True)),
    ord("K"): lambda run: run._push(run.number(1)),
    ord("M"): lambda run: run._push(run.number(2)),
    0x8A: lambda run: run._push_long(1),
    0x8B: lambda run: run._push_long(4),
    ord("G"): lambda run: run._push(struct.unpack(">d", run.take(8))[0]),
    ord("X"): lambda run: run._push_text(4),
    ord("T"): lambda run: run._push_text(4),
    ord("U"): lambda run: run._push_text(1),
    0x8C: lambda run: run._push_text(1),
    0x8D: lambda run: run._push_text(8),
    ord("B"): lambda run: run._push_bytes(4),
    ord("C"): lambda run: run._push_bytes(1),
    0x8E: lambda run: run._push_bytes(8),
    0x96: lambda run: run._push_bytes(8),
    ord(")"): lambda run: run._push(()),
    0x85: lambda run: run._tuple(1),
    0x86: lambda run: run._tuple(2),
    0x87: lambda run: run._tuple(3),
    ord("t"): lambda run: run._push(tuple(run._since_mark())),
    ord("]"): lambda run: run._push([]),
    ord("a"): lambda run: run._append([run._stack.pop()]),
    ord("e"): lambda run: run._append(run._since_mark()),
    ord("}"): lambda run: run._push({}),
    ord("s"): lambda run: run._set([run._stack.pop(-2), run._stack.pop()]),
    ord("u"): lambda run: run._set(run._since_mark()),
    ord("h"): lambda run: run._recall(run.number(1)),
    ord("j"): lambda run: run._recall(run.number(4)),
    ord("q"): lambda run: run._remember(run.number(1)),
    ord("r"): lambda run: run._remember(run.number(4)),
    0x94: lambda run: run._remember(len(run._memo)),
    ord("c"): Pickles._named_in_line,
    0x93: Pickles._named_on_stack,
    ord("0"): lambda run: run._stack.pop(),
    ord("1"): Pickles._since_mark,
    ord("2"): lambda run: run._push(run._stack[-1]),
    ord("R"): Pickles._make,
    0x81: Pickles._make,
    0x92: Pickles._make_by_name,
    ord("b"): Pickles._finish,
    ord("Q"): lambda run: run._push(run._meanings.kept(run._stack.pop())),
    0x8F: lambda run: run._push(UnmadeObject()),
    0x90: lambda run: run._add(run._since_mark()),
    0x91: Pickles._frozen_set,
    **dict.fromkeys((ord("i"), ord("o"), 0x82, 0x83, 0x84), _refuse("objects")),
}
