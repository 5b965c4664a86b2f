"""Location of this package, in a checkout or installed as ``layerglass``."""

import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

PREFIX = (__package__ or "").removesuffix("viz")
"""Prefix of ``viz`` and ``models`` in their full names: nothing, or ``layerglass.``."""
INSTALLED = PREFIX != ""
COMMAND = "layerglass" if INSTALLED else "python -m viz"
"""Command that starts the command line."""
API = "layerglass" if INSTALLED else "viz"
"""The package that offers what scripts use, such as ``survey``."""
PAGE = Path(__file__).parents[1] / ("page/app.py" if INSTALLED else "app.py")
"""The script of the page; the settings of its server are in ``.streamlit`` beside it."""
IMPORT_CATALOGUE = f"from {PREFIX.rstrip('.')} import models" if INSTALLED else "import models"
"""The line that imports the catalogue in a script of one's own."""
SCRIPTS_RUN = (
    "where layerglass is installed" if INSTALLED else "in its folder, or with the folder on PYTHONPATH"
)
"""Words for the place where a script that imports us can run."""

PICTURES, CAPTURE, LABELS = "LAYERGLASS_PICTURES", "LAYERGLASS_CAPTURE", "LAYERGLASS_LABELS"
"""The settings of the page's server: a folder of pictures, a finished capture of one, and their classes."""


@cache
def version() -> str:
    """Return the installed version, or in a checkout the project's."""
    if INSTALLED:
        return metadata.version("layerglass")
    with Path(__file__).parents[1].joinpath("pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
