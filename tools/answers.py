"""Scripts made from Python: types, limits of questions, fields of looks.

``python -m tools.answers`` fails if a file is not as Python has it; ``--update`` writes it.
"""

import argparse
import functools
import importlib
import inspect
import operator
import pkgutil
import sys
import types
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from starlette.responses import Response
from starlette.routing import Route

import viz.answers
from tools import look_script
from tools.type_texts import comment, interface, meta, title, type_text
from viz.answers.message import Message
from viz.answers.teaching import asking
from viz.course import predictions
from viz.plans import questions
from viz.ui.classroom.routes_classroom import classroom_routes
from viz.ui.wire.answers import ABOUT
from viz.ui.wire.routes.routes import routes

FILE = Path(__file__).parents[1] / "viz/ui/browser/answers.d.ts"
HEAD = """\
// What the server says, for tsc, as viz/answers has it; `make answers` writes this file. Nothing of it is
// served, and every script knows these types by name.
"""
LIMITS = FILE.parent / "class_questions/limits.js"
FIRST = Message.__module__
# page/page.d.ts has it, and leaves it to `filled` which texts have plural forms.
BY_HAND = {"Words"}
ANSWERS = "What each question about a subject is answered with; files are left out."


def declarations() -> str:
    """Every type that the rooms' structs make, module by module.

    Their named types are among them.
    """
    found: dict[str, str] = {}
    for module in _modules():
        for name, text in _declared_in(module).items():
            found.setdefault(name, text)
    return "\n".join([HEAD, *found.values(), _questions()])


def all_routes() -> list[Route]:
    """Every route that answers a page."""
    return [*routes(), *classroom_routes()]


def answered(asked: Iterable[Route]) -> dict[str, Any]:
    """Return the answer's type for each question about a subject.

    It is that of the question's handler, without files.
    """
    said = {
        route.path.removeprefix(ABOUT): get_type_hints(inspect.unwrap(route.endpoint))["return"]
        for route in asked
    }
    return {path: _without_files(kind) for path, kind in said.items() if kind is not Response}


def _without_files(kind: Any) -> Any:
    """A type without the responses that a handler may return instead."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind
    return functools.reduce(operator.or_, (each for each in get_args(kind) if each is not Response))


def _questions() -> str:
    """Return the declaration of the types of all answers.

    They answer questions about a subject.
    """
    told = sorted(answered(all_routes()).items())
    lines = (f'  "{name}": {type_text(kind)}{_or_refusal(kind)};\n' for name, kind in told)
    return f"{comment(ANSWERS)}interface Answers {{\n{''.join(lines)}}}\n"


def _or_refusal(kind: Any) -> str:
    """Structs of answers may be refusals; a list cannot be one."""
    return " | Answer" if get_origin(kind) is Sequence else ""


def limits() -> str:
    """Return the text of the browser's module of questions' limits."""
    found = vars(asking) | vars(predictions) | vars(questions)
    lines = ["// Limits of questions and answers, as Python has them; `make answers` writes this file.\n"]
    for name, value in found.items():
        if name.isupper():
            said = f"/^{value.pattern}$/" if hasattr(value, "pattern") else value
            lines.append(f"export const {name} = {said};")
    return "\n".join([*lines, ""])


def files() -> dict[Path, str]:
    """Return the text of each file that is made."""
    return {FILE: declarations(), LIMITS: limits(), look_script.FILE: look_script.script()}


def main() -> int:
    """Check the files, or write them; return the exit status.

    It is 1 if one was not up to date.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the files")
    made = files()
    if parser.parse_args().update:
        for file, text in made.items():
            file.write_text(text, "utf-8")
    old = [file.name for file, text in made.items() if file.read_text("utf-8") != text]
    if old:
        print(f"{', '.join(old)}: not what Python says: run make answers", file=sys.stderr)
    return int(bool(old))


def _modules() -> list[types.ModuleType]:
    """The room's modules, first the one that all others use."""
    names = [found.name for found in pkgutil.walk_packages(viz.answers.__path__, f"{viz.answers.__name__}.")]
    return [importlib.import_module(name) for name in sorted(names, key=lambda name: (name != FIRST, name))]


def _declared_in(module: types.ModuleType) -> dict[str, str]:
    """The declarations of a module's structs and named types.

    They are by name, and those that it imports are among them.
    """
    found = {}
    for name, kind in vars(module).items():
        if title(kind) == name and name not in BY_HAND:
            text = type_text(get_args(kind)[0])
            found[name] = f"{comment(meta(kind).description or '')}type {name} = {text};\n"
        elif isinstance(kind, type) and issubclass(kind, Message) and kind is not Message:
            found[name] = interface(kind)
    return found


if __name__ == "__main__":
    sys.exit(main())
