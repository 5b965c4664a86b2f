"""Read hostile pickles here, and print as JSON what Python saw this process do (``sys.addaudithook``)."""

import json
import sys
from types import NoneType

from models.own.opening.outline import outline_of
from models.own.pickled import Pickles, UnmadeObject
from models.own.pickled_weights import PickledTensor, PickledWeights, _Part, _UnresolvedName
from tests.hostile import weights_files as made
from tests.models.own.opening.hostile_pickles import WEIGHT, hostile_pickles

PLAIN = {dict, list, tuple, str, bytes, int, float, bool, NoneType}
OURS = {UnmadeObject, PickledTensor, _UnresolvedName, _Part}
OUR_OWN = "builtins.id"  # how containers that were seen are told apart
SEEN: list[str] = []


def kinds(value: object) -> set[type]:
    """Return the types of a value and all inside it."""
    found: set[type] = set()
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        found.add(type(each))
        held = each.items if isinstance(each, UnmadeObject) else each
        waiting += held.values() if isinstance(held, dict) else held if isinstance(held, list | tuple) else ()
    return found


def main(sign: str) -> None:
    """Read them all; nothing is imported or opened once the first file has been read."""
    named, load, stand_ins, values = PickledWeights.named, Pickles.load, [], []
    PickledWeights.named = lambda self, name: stand_ins.append(named(self, name)) or stand_ins[-1]
    Pickles.load = lambda self: values.append(load(self)) or values[-1]
    files = hostile_pickles(sign)
    for warm in (
        made.archive(made.entry(WEIGHT), _0=bytes(8)),
        made.of_2019(made.entry(WEIGHT)),
        b"PK\x03\x04",
    ):
        outline_of(warm)
    sys.addaudithook(lambda event, _: event == OUR_OWN or SEEN.append(event))
    read = {name: outline_of(data)[0] for name, data in files.items()}
    events = list(SEEN)
    real = {kind for value in values for kind in kinds(value)} - PLAIN - OURS
    classes = {value for value in stand_ins if isinstance(value, type)}
    report = {
        "files": len(files),
        "events": events,
        "classes": sorted(each.__name__ for each in classes),
        "callable": sorted({repr(each) for each in stand_ins if callable(each)} - {repr(dict)}),
        "made": sorted(each.__name__ for each in real - {type}),
        "kinds": {name: [each.kind, str(each.problem)] for name, each in read.items()},
    }
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1])
