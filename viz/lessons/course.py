"""The course: five lessons, their parameters, and their parts.

Each part is run and checked on its own.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import RequestError
from .line import Parameters


@dataclass(frozen=True)
class Choice:
    """A parameter of a lesson, which has few values.

    So no choice costs much, and answers can be kept.

    Attributes:
        name: its name.
        values: the values that it can have.
        first: the value that it begins with; with all of these, the numbers are those of the documents.
    """

    name: str
    values: tuple[Any, ...]
    first: Any


@dataclass(frozen=True)
class Part:
    """A part of a lesson.

    Attributes:
        name: its name; the page's catalogue has its heading.
        lines: which function makes the numbers, as ``"module:function"`` of this room; likewise the others.
        plain: the function that does it by plain hooks, whose text is shown.
        ours: the function that does the same by ``LayerActivations``; empty if there is nothing to compare.
        cost: the most memory that it takes, in bytes, as measured.
    """

    name: str
    lines: str
    plain: str
    ours: str = ""
    cost: int = 20_000_000


@dataclass(frozen=True)
class Lesson:
    """One lesson: what can be chosen, and what is computed."""

    choices: tuple[Choice, ...]
    parts: tuple[Part, ...]

    def part(self, name: str) -> Part:
        """Return the part with this name.

        Raises:
            RequestError: there is no such part.
        """
        found = [part for part in self.parts if part.name == name]
        if not found:
            raise RequestError(
                "the lesson has no part {name}: it has {names}.",
                name=repr(name),
                names=", ".join(p.name for p in self.parts),
            )
        return found[0]

    def checked(self, given: Parameters) -> dict[str, Any]:
        """Return a value for every parameter: the given one, or the first.

        Raises:
            RequestError: a parameter cannot have that value.
        """
        wanted = {choice.name: given.get(choice.name, choice.first) for choice in self.choices}
        for choice in self.choices:
            if wanted[choice.name] not in choice.values:
                raise RequestError(
                    "{name} can be {values} in this lesson.",
                    name=choice.name,
                    values=", ".join(map(str, choice.values)),
                )
        return wanted

    def read(self, said: Mapping[str, str]) -> dict[str, Any]:
        """Return a value for every parameter, read from texts.

        Raises:
            RequestError: a parameter cannot have that value.
        """
        named = {choice.name: {str(value): value for value in choice.values} for choice in self.choices}
        given = {name: values.get(said[name], said[name]) for name, values in named.items() if name in said}
        return self.checked(given)


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        (
            Choice("last", tuple(range(1, 9)), 8),
            Choice("width", (96, 384, 768), 768),
            Choice("second", (-3, 0, 1, 3, 5), 3),
        ),
        (
            Part(
                "stack",
                "layer_numbers:stacked",
                "last_layers:last_by_hook",
                "last_layers:last_by_capture",
                cost=350_000_000,
            ),
            Part("neighbours", "layer_numbers:neighbours", "last_layers:reach_of_a_neighbour"),
            Part("names", "layer_numbers:named", "last_layers:seen_by_hooks", "last_layers:by_capture"),
            Part(
                "walked",
                "layer_numbers:walked",
                "what_is_kept:relu_by_hand",
                "what_is_kept:copies_by_capture",
            ),
            Part("kept", "layer_numbers:kept", "what_is_kept:ways_to_keep", "what_is_kept:fate"),
        ),
    ),
    Lesson(
        (Choice("net", ("PictureNet", "SignalNet"), "PictureNet"), Choice("runs", (1, 2, 3, 4, 5, 6), 3)),
        (
            Part(
                "conv2",
                "layer_numbers:second_convolution",
                "every_layer:conv2_by_hook",
                "every_layer:conv2_by_capture",
            ),
            Part(
                "index",
                "layer_numbers:by_index",
                "every_layer:features_by_hook",
                "every_layer:features_by_capture",
            ),
            Part("stays", "layer_numbers:staying", "every_layer:growth", "every_layer:hooks_left_by_capture"),
        ),
    ),
    Lesson(
        (Choice("side", (64, 128, 224), 224),),
        (
            Part(
                "shapes",
                "layer_numbers:shapes",
                "inputs_and_outputs:shapes_by_hook",
                "inputs_and_outputs:shapes_by_capture",
                cost=180_000_000,
            ),
            Part(
                "gradients",
                "layer_numbers:gradients",
                "inputs_and_outputs:gradients_by_hook",
                "inputs_and_outputs:gradients_by_capture",
                cost=450_000_000,
            ),
            Part(
                "changes",
                "layer_numbers:changes",
                "inputs_and_outputs:input_changed_too_late",
                "inputs_and_outputs:input_changed_by_edit",
                cost=150_000_000,
            ),
        ),
    ),
    Lesson(
        (
            Choice("value", (1, 2, 3, 5), 2),
            Choice("count", (1, 2, 4, 8), 4),
            Choice("factor", (-1, 0, 2, 10), 2),
            Choice("kernel", (1, 2, 3), 3),
        ),
        (
            Part(
                "watched",
                "gradient_numbers:watched",
                "seeing_gradients:gradient_by_hook",
                "seeing_gradients:gradient_by_capture",
            ),
            Part(
                "doubled",
                "gradient_numbers:doubled",
                "seeing_gradients:doubled_by_hook",
                "seeing_gradients:doubled_by_edit",
            ),
            Part(
                "nines",
                "gradient_numbers:nines",
                "seeing_gradients:maps_by_hook",
                "seeing_gradients:maps_by_capture",
            ),
        ),
    ),
    Lesson(
        (Choice("a", (1, 2, 7), 7), Choice("b", (3, 5, 13), 13), Choice("adds", (-1, 0, 2, 9), 2)),
        (
            Part(
                "product",
                "gradient_numbers:multiplied",
                "changing_a_running_net:product",
                "changing_a_running_net:product_by_edit",
            ),
            Part("in_place", "gradient_numbers:in_place", "changing_a_running_net:total"),
            Part(
                "pooled",
                "gradient_numbers:pooled",
                "changing_a_running_net:pooled_by_hook",
                "changing_a_running_net:pooled_by_capture",
            ),
            Part(
                "kinds",
                "gradient_numbers:three_kinds",
                "changing_a_running_net:outcome",
                "changing_a_running_net:outcome_by_edit",
            ),
        ),
    ),
)


def lesson(number: int) -> Lesson:
    """Return the lesson with this number, counted from 0.

    Raises:
        RequestError: there is no such lesson.
    """
    if not 0 <= number < len(LESSONS):
        raise RequestError(
            "the course has lessons 0 to {last}, so there is no lesson {number}.",
            last=len(LESSONS) - 1,
            number=number,
        )
    return LESSONS[number]


def source(function: str) -> str:
    """Return the text of a function of this room.

    It is read, not imported: the page shows it without PyTorch.

    ``function`` is of the form ``"module:function"``.
    """
    module, name = function.split(":")
    text = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    found = next(
        node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name
    )
    first = min([found.lineno, *(decorator.lineno for decorator in found.decorator_list)])
    return "".join(text.splitlines(keepends=True)[first - 1 : found.end_lineno])
