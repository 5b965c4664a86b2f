"""Where on the picture numbers come from and where they sit: a model's receptive fields and places.

While the model runs once, every tensor operation is followed, including those without a layer of their own
(additions, concatenations, reshapes): each passes the boxes of what it reads on to what it returns. So the
answer is that of the real graph, exact at the picture's borders and for every cell. Values play no part: a
cell *can* depend on all of its box, whatever a ReLU or a maximum lets through for this picture.

``known`` follows in the same way where values *sit*, from which their layouts are known.

    fields       what is asked and answered
    known        the arrangement of every value: how its places lie along its axes
    settling     from places to that arrangement
    placing      how far from its place each cell is drawn
    tracing      follows the operations of one run
    lineage      which tensor has which boxes, through views and writing in place
    operations   one operation, and how it finds its rule
    *_rules      how operations move, widen and mix boxes; in place_rules, how they keep places apart
    boxes        the boxes themselves
"""

from .fields import Field, Fields, all_receptive_fields, receptive_field, receptive_fields

__all__ = ["Field", "Fields", "all_receptive_fields", "receptive_field", "receptive_fields"]
