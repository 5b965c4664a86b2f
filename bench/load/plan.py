"""Plan of a crowd: visitors, their picks of layers, measurements and checks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """One measurement.

    Attributes:
        visitors: how many, each with a page and a photo of its own.
        every: seconds from one pick of a visitor to the next, in the mean.
        seconds: how long they pick, once all are there.
        model: the model that all look at; likewise ``weights``.
        script_runs: whether each pick also asks for a run of the page's script, as a widget's change does.
        slow_share: the share of visitors on a line of 1.6 Mbit/s with 150 ms delay.
        check_share: the share of picks whose channel and mosaic are compared with PyTorch's own numbers.
        whole_page: whether all else follows that the browser fetches once a layer is there: one channel in
            large, its numbers, the colour bar, and the neighbours ahead of time.
        taught: whether the visitors are a class: somebody teaches, and they follow, wander off with their own
            photos, edit, answer and come back.
        values: megabytes that the server keeps of captured values; 0 for as many as it likes.
        room: the pixels that a mosaic may have; the default is that of a window of 1366 × 768.
        seed: of the photos, the picks and the think times.
        goals: milliseconds that the median and the 95th percentile may take, and how many times longer than
            another's a visitor's median may be; None where nothing is wanted.
    """

    visitors: int = 30
    every: float = 2.0
    seconds: float = 60.0
    model: str = "resnet18"
    weights: str = "random"
    script_runs: bool = False
    slow_share: float = 0.0
    check_share: float = 0.1
    whole_page: bool = False
    taught: bool = False
    values: int = 0
    room: str = "608x464"
    seed: int = 0
    goals: tuple[float | None, float | None, float | None] | None = None

    @property
    def slow(self) -> int:
        """Number of visitors with a slow line."""
        return round(self.slow_share * self.visitors)

    @property
    def view(self) -> dict[str, str]:
        """The address at which they arrive."""
        return {"model": self.model, "weights": self.weights}


PRESETS = {
    "class": Plan(visitors=30, every=2.0, goals=(40, 150, 3)),
    "hall": Plan(visitors=100, every=3.0, goals=(150, 600, 3)),
    "taught": Plan(visitors=30, every=2.0, seconds=300, taught=True, values=960, goals=(60, 250, None)),
    "taught-hall": Plan(
        visitors=100, every=3.0, seconds=120, taught=True, values=1280, goals=(None, None, 3)
    ),
}
USUAL = ("class", "hall")  # what is measured if nobody says what
