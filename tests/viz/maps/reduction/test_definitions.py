"""viz/maps/reduction/definitions.py: no reduction without its formula."""

from viz.maps.reduction.definitions import DEFINITIONS
from viz.maps.reduction.reduce import REDUCTIONS


def test_every_reduction_is_defined_in_one_line() -> None:
    """In the order of their names, and with a formula or its words."""
    assert tuple(DEFINITIONS) == REDUCTIONS
    assert all("\n" not in each.sentence and len(each.sentence) > 20 for each in DEFINITIONS.values())
