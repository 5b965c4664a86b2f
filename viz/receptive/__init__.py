"""Receptive fields of a model's numbers, and their places on the picture.

While the model runs once, every tensor operation is followed, including those without a layer of their own
(additions, concatenations, reshapes): each passes the boxes of what it reads on to what it returns. So the
answer is that of the real graph, exact at the picture's borders and for every cell. Values play no part: a
cell *can* depend on all of its box, whatever a ReLU or a maximum lets through for this picture. Where the
picture chooses an index, a mask or weights, the box holds what the choice sees and all that it chooses from.
Only what Python decides by a number read out of a tensor is not followed, but for ``x[k]`` with a tensor k.

``places`` follows in the same way where values *sit*, from which their layouts are known.

    fields       the receptive field of a cell, and those of all cells
    tracing      follows the operations of one run
    lineage      the boxes of each tensor, through views and in-place writes
    operations   one operation, and the choice of its rule
    masks        the entries that the model itself keeps at zero
    *_rules      rules by which operations move, widen and mix boxes
    boxes        the boxes themselves
"""

from .fields import Field, Fields, all_receptive_fields, receptive_field, receptive_fields

__all__ = ["Field", "Fields", "all_receptive_fields", "receptive_field", "receptive_fields"]
