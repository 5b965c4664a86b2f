"""Every document that is made from the code, by its file's name."""

from functools import cache
from pathlib import Path

from tools.pages import api, commands, gallery, looks, models_table, words

DOCS = Path(__file__).parents[2] / "docs"


@cache
def made() -> dict[str, str]:
    """Return the documents' texts by their names below ``docs``."""
    pages = {
        "commands.md": commands.page(),
        "api.md": api.page(),
        "address.md": looks.addresses(),
        "keys.md": words.keys(),
        "models-table.md": models_table.page(),
        "layers.md": words.layers(),
        "methods.md": words.methods(),
        "messages.md": words.messages(),
    }
    return {name: f"{text.rstrip()}\n" for name, text in pages.items()} | gallery.files(DOCS / "gallery")
