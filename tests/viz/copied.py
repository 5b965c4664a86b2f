"""Runs of scripts in copies of a process that has run exactly the imports with which the script begins.

A fresh Python imports PyTorch for two seconds before it reads a script's first line of work. A copy begins at
that line: of the script's own imports, in their order and under the same environment, it has what a fresh
process would have, and nothing else; nothing of the tests either.
"""

import ast
import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

PROGRAM = Path(__file__).with_name("import_server.py")
KEPT = 4  # processes with PyTorch, of some hundred megabytes each
READ_LATE = ("TORCH_HOME",)  # settings that no import reads, so a copy may be told its own
Done = subprocess.CompletedProcess[str]
_SERVERS: dict[tuple[object, ...], "Server"] = {}


class Server:
    """A process that has run imports, and copies itself for each script."""

    def __init__(self, imports: str, environment: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [sys.executable, PROGRAM],
            cwd=self._folder.name,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # imports that fail are run again, where their error is seen
            text=True,
        )
        self.works = self._ask(imports) == "ready"
        atexit.register(self.close)

    def _ask(self, question: object) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            return self._process.stdout.readline().strip()
        except BaseException:  # the answer may come later, and would pass for the next one
            self.works = False
            self._process.kill()
            raise

    def run(self, name: str, folder: Path, late: Mapping[str, str]) -> Done:
        """Return the exit code and the texts of a script's process; ``late`` are settings of its own."""
        out, err = (Path(self._folder.name, each) for each in ("out", "err"))
        for each in (out, err):
            each.unlink(missing_ok=True)
        files = {"out": str(out), "err": str(err)}
        code = self._ask({"name": name, "folder": str(folder.resolve()), "settings": dict(late)} | files)
        said = [each.read_text() if each.exists() else "" for each in (out, err)]
        return subprocess.CompletedProcess([name], int(code), *said)

    def close(self) -> None:
        """End it."""
        atexit.unregister(self.close)
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()


def copied(name: str, folder: Path, environment: Mapping[str, str], imports: str | None = None) -> Done:
    """Run a script in its folder in a copy, or in a fresh process where there are no copies.

    ``imports`` are what many short scripts share, in place of those with which this one begins.
    """
    if hasattr(os, "fork"):
        found = server(imports or first_imports((folder / name).read_text("utf-8")), environment)
        if found.works:
            return found.run(name, folder, {key: environment[key] for key in READ_LATE if key in environment})
    return fresh(name, folder, environment)


def server(imports: str, environment: Mapping[str, str]) -> Server:
    """The process that has run these imports under this environment; those used last are kept."""
    apart = ("PYTEST_CURRENT_TEST", *READ_LATE)
    inherited = {key: value for key, value in environment.items() if key not in apart}
    key = (imports, *sorted(inherited.items()))
    found = _SERVERS.pop(key, None)
    if found is None or not found.works:
        while len(_SERVERS) >= KEPT:
            _SERVERS.pop(next(iter(_SERVERS))).close()
        found = Server(imports, inherited)
    _SERVERS[key] = found
    return found


def fresh(name: str, folder: Path, environment: Mapping[str, str]) -> Done:
    """Run a script in its folder in a Python that has just begun."""
    return subprocess.run(
        [sys.executable, name], cwd=folder, env=dict(environment), capture_output=True, text=True, check=False
    )


def first_imports(text: str) -> str:
    """The imports with which a script begins; those behind any other statement are not among them."""
    body = ast.parse(text).body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]  # what the script says of itself
    stop = (number for number, node in enumerate(body) if not isinstance(node, ast.Import | ast.ImportFrom))
    return "\n".join(ast.unparse(node) for node in body[: next(stop, len(body))])
