"""The tool that writes the sketches of the catalogue: what it finds is what the file says."""

import json

from models.own.opening.sketches import KEPT
from tools.sketches import sketch_of


def test_a_sketch_that_is_made_anew_is_the_kept_one() -> None:
    """For a model of ours and a regular net, whose constructor computes with numbers."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert [sketch_of(name) for name in ("lenet", "regnet_y_400mf")] == [
        kept["lenet"],
        kept["regnet_y_400mf"],
    ]
