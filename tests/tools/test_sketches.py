"""The tool that writes the sketches of the catalogue: what it finds is what the file says."""

import json

from models.own.opening.sketches import KEPT
from tools.sketches import sketch_of


def test_a_sketch_that_is_made_anew_is_the_kept_one() -> None:
    """For ours, one whose constructor computes with numbers, and a quantised one, which has none."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    names = ("lenet", "regnet_y_400mf", "quantized_resnet18")
    assert [sketch_of(name) for name in names] == [kept[name] for name in names]
    assert kept["quantized_resnet18"] == ""
