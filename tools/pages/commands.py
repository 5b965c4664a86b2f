"""The document of all commands: their help, as a terminal shows it."""

import os
from contextlib import redirect_stdout, suppress
from io import StringIO
from unittest.mock import patch

from tools.pages.markdown import fenced, table
from viz.__main__ import COMMANDS, main
from viz.home import COMMAND

WIDTH = 100
HEAD = """\
# Commands

Every command, with all that it takes. In a checkout, write `python -m viz` instead of `layerglass`.

Exit status: 0 done; 2 the request cannot be met, and one line on standard error says why; 1 a bug, a sweep
with a failed layer, or two nets that part.
"""


def page() -> str:
    """Return the document."""
    listed = table(
        ("Command", "What it is for"), [(f"[{each.name}](#{each.name})", each.says) for each in COMMANDS]
    )
    return "\n\n".join(
        [HEAD.rstrip(), listed, *(f"## {each.name}\n\n{_help(each.name)}" for each in COMMANDS)]
    )


def _help(name: str) -> str:
    """Return a command's help as code, at a fixed width."""
    said, terminal = StringIO(), {"COLUMNS": str(WIDTH), "NO_COLOR": "1"}
    named = patch("viz.__main__.COMMAND", "layerglass")
    with named, patch.dict(os.environ, terminal), redirect_stdout(said), suppress(SystemExit):
        main([name, "--help"])
    return fenced(said.getvalue().replace(COMMAND, "layerglass"), "text")
