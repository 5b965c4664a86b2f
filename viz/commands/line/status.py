"""Exit statuses of commands, and the report of a check of steps."""

from collections.abc import Sequence

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


def reported(steps: int, wrong: Sequence[str]) -> int:
    """Print the faults of a check, and return its exit status."""
    for sentence in wrong:
        print(sentence)
    print(f"{steps} steps, {len(wrong)} faults")
    return FAILED if wrong else DONE
