"""A figure of several layers, models and pictures."""

from msgspec import UNSET, UnsetType

from ..message import Answer, Png
from ..other import LoadingProgress, OtherOption


class FigureFacts(Answer, frozen=True, kw_only=True):
    """figure.json: a look's figure, or what it waits for.

    With an ``error`` the pictures to choose from are here all the same.

    Attributes:
        pictures: those in the figure, row by row.
        offered: the pictures that it may have.
        picture: the figure for a screen.
        caption: the statement of what it shows, in English, as for a paper.
        command: the command that writes the very file; empty where none can.
        ask: the question to a visitor before models are loaded.
        costly: the models that it is about, or layers as ``"model layer"``.
        may: whether a visitor can agree; otherwise the server could not bear it.
        loading: while a model's weights are on their way.
    """

    pictures: tuple[OtherOption, ...]
    offered: tuple[OtherOption, ...]
    picture: Png | UnsetType = UNSET
    caption: str | UnsetType = UNSET
    command: str | UnsetType = UNSET
    ask: str | UnsetType = UNSET
    costly: tuple[str, ...] | UnsetType = UNSET
    may: bool | UnsetType = UNSET
    loading: LoadingProgress | UnsetType = UNSET
