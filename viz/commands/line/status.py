"""How a command ends: the exit status, and what a check of steps says before it."""

from collections.abc import Sequence

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


def reported(steps: int, wrong: Sequence[str]) -> int:
    """Return the exit status of a check of steps, after printing what is wrong with them."""
    for sentence in wrong:
        print(sentence)
    print(f"{steps} steps, {len(wrong)} faults")
    return FAILED if wrong else DONE
