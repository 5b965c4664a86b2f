"""Where on the picture numbers come from and where they sit: a model's receptive fields and places.

While the model runs once, every tensor operation is followed, including those without a layer of their own
(additions, concatenations, reshapes): each passes the boxes of what it reads on to what it returns. So the
answer is that of the real graph, exact at the picture's borders and for every cell. Values play no part: a
cell *can* depend on all of its box, whatever a ReLU or a maximum lets through for this picture.

``places`` follows in the same way where values *sit*, from which their layouts are known.

    fields       what is asked and answered
    tracing      follows the operations of one run
    lineage      which tensor has which boxes, through views and writing in place
    operations   one operation, and how it finds its rule
    masks        what the model itself keeps at zero
    *_rules      how operations move, widen and mix boxes
    boxes        the boxes themselves
"""

from .fields import Field, Fields, all_receptive_fields, receptive_field, receptive_fields

__all__ = ["Field", "Fields", "all_receptive_fields", "receptive_field", "receptive_fields"]
