from .own_weights import compare, load_with
from .state_reading import table_of
from .state_size import check_size, size_limit
from .state_table import StateTable, from_plain
from .uploaded_state import outlines, read_state, tensors
from .weights_report import WeightsReport

__all__ = [
    "StateTable",
    "WeightsReport",
    "check_size",
    "compare",
    "from_plain",
    "load_with",
    "outlines",
    "read_state",
    "size_limit",
    "table_of",
    "tensors",
]
