"""The document of the models: a table for each family."""

from collections.abc import Iterable
from itertools import groupby

import models
from models.cards import ModelCard
from tools.pages.markdown import table

HEAD = """\
# Models

The models that the page and the commands know by name. Those that come with Layerglass have their weights
here; the others download theirs when they are first chosen, or run untrained.

Those of timm have names such as `timm/vit_tiny_patch16_224`, and need `pip install ".[timm]"`. `layerglass
layers NAME` prints the layers of any.
"""
NAMES = {"bundled": "With Layerglass", "torchvision": "torchvision"}


def page() -> str:
    """Return the document."""
    cards = map(models.describe, (name for name in models.names() if not name.startswith("timm/")))
    parts = [HEAD]
    for family, inside in groupby(cards, lambda card: card.family):
        parts += [f"## {NAMES[family]}", "", _table(inside), ""]
    return "\n".join(parts)


def _table(cards: Iterable[ModelCard]) -> str:
    head = ("Name", "Task", "Input", "Parameters", "Trained weights", "Source")
    return table(head, map(_row, cards))


def _row(card: ModelCard) -> tuple[str, ...]:
    weights = "with Layerglass" if card.has_pretrained and not card.download_bytes else ""
    fetched = f"{card.download_bytes / 1e6:,.0f} MB" if card.has_pretrained else "none"
    size = " × ".join(map(str, card.input_size))
    return f"`{card.id}`", card.task, size, f"{card.parameters:,}", weights or fetched, card.source
