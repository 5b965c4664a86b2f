"""Time limits of tasks, and the memory limit of all hosts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Patience:
    """Limits at which a host is given up.

    Attributes:
        answering: seconds that one task may run; what it waits for its turn does not count.
        loading: seconds in which a model has to be loaded, apart from answering.
        starting: seconds in which a new host has to say that it is ready.
        silent: seconds in which a host has to answer, or to say that it has begun.
        memory: bytes of physical memory that all hosts may take together; None for as much as there is.
        strikes: the number of hosts that a model may cost before it is put aside.
        aside: seconds for which it is put aside.
    """

    answering: float = 120.0
    loading: float = 600.0
    starting: float = 60.0
    silent: float = 20.0
    memory: int | None = None
    strikes: int = 2
    aside: float = 600.0
