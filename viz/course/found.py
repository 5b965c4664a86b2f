"""Result of a step's run, as plain values."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PaintedValue:
    """A picture of a value: maps, a photo, or bars.

    Maps have one pixel for each value, or for each block of values where there are many.

    Attributes:
        low: the value of the scale's first colour; likewise ``high`` of its last.
        beyond: whether there are values below ``low``, and above ``high``.
        colours: the scale's colours from the first to the last, as ``#rrggbb``.
        photo: whether it is the picture as the net sees it, without a scale.
        bars: names with their numbers, for what is no map; ``png`` is empty then.
    """

    png: bytes = b""
    width: int = 0
    height: int = 0
    low: float = 0.0
    high: float = 0.0
    beyond: tuple[bool, bool] = (False, False)
    colours: tuple[str, ...] = ()
    photo: bool = False
    bars: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class StepResult:
    """Result of a step's run.

    Attributes:
        printed: the lines that it printed.
        ran: the numbers of its lines in the order in which they ran, from 1; the first ``MOST_LINES``.
        answer: the right answer, as text.
        place: of a choice of maps, the place of the right one, from 0; of several equal ones, the first.
        alike: the places of the other maps that look like it on this picture.
        draw: the step's pictures, in their order; likewise ``maps``, those to choose among.
        values: the values of its sentences, by their labels.
        error: the exception that ended the run, as Python writes it; empty if nothing failed.
    """

    printed: tuple[str, ...] = ()
    ran: tuple[int, ...] = ()
    answer: str = ""
    place: int | None = None
    alike: tuple[int, ...] = ()
    draw: tuple[PaintedValue, ...] = ()
    maps: tuple[PaintedValue, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    error: str = ""

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return 2_000 + sum(len(each.png) for each in (*self.draw, *self.maps))
