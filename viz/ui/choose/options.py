"""What can be chosen on the page, and the defaults; the address and the widgets share them."""

from collections.abc import Sequence
from typing import get_args

from ...catalogue import models
from ...lessons.course import LESSONS
from ...maps.colour import COLORMAPS
from ...maps.colouring import SCALES
from ...maps.ordering import ORDERS
from ...pictures.samples import sample_names
from ...request.look import View
from ...views.comparison import FARTHEST
from ..visit.service import DEFAULT_MODEL

VIEWS = get_args(View)
FIRST = {
    "model": DEFAULT_MODEL,
    "weights": "pretrained",
    "colormap": "auto",
    "scale": "layer",
    "order": "index",
    "with_order": FARTHEST,
    "sample": "cat",
    "view": "layer",
    "lesson": "0",
}


def options(name: str) -> Sequence[str]:
    """Every value that a choice can have, by language-neutral id."""
    match name:
        case "model":
            return models.names()
        case "sample":
            return sample_names()
    return {
        "weights": ("pretrained", "random"),
        "colormap": ("auto", *COLORMAPS),
        "scale": SCALES,
        "order": ORDERS,
        "with_order": (FARTHEST, *ORDERS),
        "view": VIEWS,
        "lesson": tuple(str(number) for number in range(len(LESSONS))),
    }[name]
