"""Check or update ``models/own/opening/sketches.json`` by the installed torchvision and timm.

``python -m tools.sketches MODEL …`` checks these models: it fails if one's sketch is another. ``--update``
writes the file anew for all models, which takes minutes, after other releases were pinned in
``constraints.txt``.
"""

import argparse
import json
import sys

import models
from models.own.opening.sketches import KEPT, sketch
from models.own.own_weights import shapes_of


def sketch_of(model_id: str) -> str:
    """Return the sketch of a catalogue's model, made for it.

    A quantised model's is empty: its numbers are no plain tensors, so no file of weights is read for it.
    """
    if model_id in models.names("torchvision") and models.describe(model_id).options.get("quantize"):
        return ""
    return sketch(shapes_of(model_id))


def main() -> None:
    """Check some sketches, or write all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="write the file")
    parser.add_argument("models", nargs="*", metavar="MODEL")
    options = parser.parse_args()
    if options.update:
        lines = (f"{json.dumps(name)}: {json.dumps(sketch_of(name))}" for name in models.names())
        KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    stale = [name for name in options.models if kept.get(name) != sketch_of(name)]
    if stale:
        sys.exit(f"{KEPT.name} is of other models ({', '.join(stale)}): python -m tools.sketches --update")


if __name__ == "__main__":
    main()
