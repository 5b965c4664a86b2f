from .factory.handed import hand_over, take_back
from .opening.fitting import ModelFit, fits_of, fitted_model
from .opening.libraries import Library, library_of
from .opening.outline import FileOutline, outline_from_plain, outline_of
from .opening.package import PACKED, weights_in
from .own_weights import compare, load_with
from .state_size import check_size, size_limit
from .state_table import StateTable, from_plain
from .uploaded_state import outlines, read_state, tensors
from .weights_report import WeightsReport

__all__ = [
    "PACKED",
    "FileOutline",
    "Library",
    "ModelFit",
    "StateTable",
    "WeightsReport",
    "check_size",
    "compare",
    "fits_of",
    "fitted_model",
    "from_plain",
    "hand_over",
    "library_of",
    "load_with",
    "outline_from_plain",
    "outline_of",
    "outlines",
    "read_state",
    "size_limit",
    "take_back",
    "tensors",
    "weights_in",
]
