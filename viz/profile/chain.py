"""A model as a chain of links, from input to answer.

It is the map that shows where one is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..layer_names import is_operation
from .rows import LayerRow, Shape

MOST, FEW = 12, 5  # links


@dataclass(frozen=True)
class Link:
    """A part of the model that stands for itself in the chain.

    Attributes:
        layers: what is in it, in the order in which the layers first ended: one block, or layers that
            stand beside each other.
        main: the one that gives the link its name: the first with weights, or just the first.
        shape: of what the last of them returned first; None if that was not one tensor.
    """

    layers: tuple[str, ...]
    main: str
    shape: Shape

    @property
    def last(self) -> str:
        """The layer whose output leaves the link."""
        return self.layers[-1]


def chain(rows: Sequence[LayerRow]) -> tuple[Link, ...]:
    """Return at most 12 links of a model, in order of ends.

    That is the order in which they first end.

    Links are the outermost layers that ran. A model of fewer than five has its largest blocks opened. What
    follows a convolution, such as its activation, shares its link; of too many links, neighbours of one
    shape are joined first.
    """
    ran = [row for row in rows if row.calls and not is_operation(row.name)]
    units = _inside("", rows)
    while len(links := _folded(units)) < FEW and (largest := _largest(units, ran)):
        at = units.index(largest)
        units[at : at + 1] = _inside(largest.name, rows)
    while len(links) > MOST:
        at = min(range(1, len(links) - 2), key=lambda place: (*_distance(links, place), place))
        links[at : at + 2] = [links[at] + links[at + 1]]
    return tuple(map(_link, links))


def _link(rows: Sequence[LayerRow]) -> Link:
    main = next((row for row in rows if row.parameters), rows[0])
    return Link(tuple(row.name for row in rows), main.name, rows[-1].shapes[0])


def _inside(layer: str, rows: Sequence[LayerRow]) -> list[LayerRow]:
    """The next layers inside one that ran.

    A list of layers, which does not run itself, is passed over.
    """
    found = list[LayerRow]()
    for row in rows:
        if not is_operation(row.name) and row.name.rpartition(".")[0] == layer:
            found += [row] if row.calls else _inside(row.name, rows) if row.children else []
    return sorted(found, key=lambda row: row.ends[0])


def _largest(units: Sequence[LayerRow], ran: Sequence[LayerRow]) -> LayerRow | None:
    """The block with the most layers; None if there is no block."""
    sizes = {unit: sum(row.name.startswith(f"{unit.name}.") for row in ran) for unit in units}
    largest = max(units, key=lambda unit: sizes[unit], default=None)
    return largest if largest and sizes[largest] else None


def _folded(units: Sequence[LayerRow]) -> list[list[LayerRow]]:
    links = list[list[LayerRow]]()
    for unit in units:
        if links and _joins(unit, links[-1]):
            links[-1].append(unit)
        else:
            links.append([unit])
    return links


def _joins(unit: LayerRow, link: Sequence[LayerRow]) -> bool:
    """Check whether a layer belongs to the single layers before it.

    It does if it has no weights to mix channels with.

    A layer that only prepares an input, such as padding, belongs to the one behind it.
    """
    if unit.children or any(each.children for each in link) or _prepares(unit):
        return False
    weightless = not unit.parameters or any(word in unit.type.lower() for word in ("norm", "relu"))
    return weightless or all(map(_prepares, link))


def _prepares(row: LayerRow) -> bool:
    return any(word in row.type.lower() for word in ("pad", "flatten"))


def _distance(links: Sequence[Sequence[LayerRow]], place: int) -> tuple[int, int]:
    """Return the unlikeness of neighbouring links, and the number of their layers."""
    one, other = (links[at][-1].shapes[0] or () for at in (place, place + 1))
    unlike = 0 if one == other else 1 if one[2:] == other[2:] else 2
    return unlike, len(links[place]) + len(links[place + 1])
