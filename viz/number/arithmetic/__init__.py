"""The arithmetic that made one number of a layer's output.

explanation      what an explanation says, and when the sum agrees with the captured value
bounds           numbers with the rounding errors that they have gathered
layers           which layer of torch is explained by what
named            layers of timm and torchvision, known by the names of their classes
operations       what the model's code computes outside layers
convolutions, poolings, resizing, products, normalisations, activations, moves, attention, recurrent
one kind of layer each
"""

from .layers import explain
from .operations import explain_operation

__all__ = ["explain", "explain_operation"]
