"""The arithmetic that made one number: a layer's input, its weights, and the sum that the layer returned.

filters          the weights that make one channel
explanation      what an explanation says, and when the sum agrees with the captured value
layers           which layer is explained by what
operations       what the model's code computes outside layers
convolutions, poolings, products, normalisations, activations, moves
one kind of layer each
"""

from .explanation import Explanation, Patch, Term
from .filters import Filter, filter_of
from .layers import explain
from .operations import explain_operation

__all__ = ["Explanation", "Filter", "Patch", "Term", "explain", "explain_operation", "filter_of"]
