"""The order in which channels are shown."""

from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..request.look import Order
from .statistics import channel_statistics

ORDERS = get_args(Order)


def channel_order(maps: NDArray[np.generic], by: str) -> list[int] | None:
    """The channels from the largest statistic down; None for ``"index"``.

    Ties keep their own order.

    Raises:
        RequestError: channels cannot be sorted by that.
    """
    if by == "index":
        return None
    if by not in ORDERS:
        raise RequestError(
            "channels are sorted by {orders}, not by {name}.", orders=", ".join(ORDERS), name=repr(by)
        )
    figures = getattr(channel_statistics(maps), by)
    if by == "maximum":  # an infinity is larger than any finite value, which alone the statistics count
        figures = np.where((maps == np.inf).any(axis=(1, 2)), np.inf, figures)
    order = np.lexsort((-np.nan_to_num(figures, posinf=np.inf), np.isnan(figures)))
    return [int(channel) for channel in order]
