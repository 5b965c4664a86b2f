"""Place of one edit in a pass, in plain values."""

from dataclasses import dataclass

from ..request.edit_request import EditRequest


@dataclass(frozen=True)
class EditPlace:
    """One edit, and what it meets.

    There is one for each call that it changes, or one for all if they are alike.

    Attributes:
        edit: the edit, for a single call if the calls of a layer are not alike.
        path: the tensor that it changes: ``"output"``, ``"output[0]"``, ``"inputs[0]"``.
        container: the type of what holds that tensor, such as ``"tuple"``; ``"Tensor"`` if nothing does.
        ndim: how many axes the tensor has.
        axis: where its channels are, counted from 0.
        batch: where its batch is: 1 in what recurrent layers return with the sequence first.
        overwritten: whether the layer writes into memory that it is given, and the tensor lies there.
    """

    edit: EditRequest
    path: str
    container: str
    ndim: int
    axis: int
    batch: int
    overwritten: bool = False
