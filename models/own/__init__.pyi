from .own_weights import WeightsReport, compare, load_with
from .state_reading import table_of
from .state_table import from_plain
from .uploaded_state import check_size, size_limit, tensors

__all__ = [
    "WeightsReport",
    "check_size",
    "compare",
    "from_plain",
    "load_with",
    "size_limit",
    "table_of",
    "tensors",
]
