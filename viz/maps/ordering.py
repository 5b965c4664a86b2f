"""The order in which channels are shown."""

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from .statistics import channel_statistics

ORDERS = ("index", "mean", "maximum", "variance", "zeros")


def channel_order(maps: NDArray[np.generic], by: str) -> list[int] | None:
    """The channels with the largest statistic first, ties in their own order; None for ``"index"``.

    Raises:
        RequestError: channels cannot be sorted by that.
    """
    if by == "index":
        return None
    if by not in ORDERS:
        raise RequestError(
            "channels are sorted by {orders}, not by {name}.", orders=", ".join(ORDERS), name=repr(by)
        )
    figures = np.nan_to_num(getattr(channel_statistics(maps), by), nan=-np.inf)
    return [int(channel) for channel in np.argsort(-figures, kind="stable")]
