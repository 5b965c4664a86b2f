"""Bounds on a visitor's code, far below the process's own limits."""

from dataclasses import dataclass

LONGEST_CODE = 4_000  # characters
MOST_NODES = 2_000  # of the syntax tree
MOST_NESTING = 40  # levels of the syntax tree
MOST_STEPS = 60_000  # nodes walked: a quarter of a second
MOST_CALLS = 12  # of the visitor's functions, inside each other
MOST_RUNS = 40  # of the net, or of one of its layers
MOST_RUNS_INSIDE = 2  # runs that a hook begins while the net is running
MOST_HOOKS = 30
MOST_ITEMS = 10_000  # of a list, a tuple or a dict
LONGEST_TEXT = 2_000  # characters
MOST_BITS = 128  # of a whole number
LARGEST_TENSOR = 4_000_000  # values: three times the largest output of the default net
MOST_VALUES = 60_000_000  # of all tensors that the code makes: 240 MB
MOST_PRINTED = 30  # lines
MOST_LISTED = 1_000  # numbers of a tensor that becomes a list


@dataclass
class AnswerCost:
    """Steps, calls, runs and values that an answer has taken."""

    steps: int = 0
    calls: int = 0
    runs: int = 0
    inside: int = 0
    values: int = 0
