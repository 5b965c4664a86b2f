"""Actors on a cluster of Ray, and their results in order.

Ray Data gives blocks of pictures to whichever actor is free. If an actor or its machine is lost, it begins
another one, and gives it the block again. What comes back passes on block by block, in order, and only whole:
so a picture is neither lost nor counted twice, and joining is the same as on one machine.
"""

import logging
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from typing import Any

import pyarrow as pa

from ...errors import RequestError
from ..looked import PictureResult
from ..looking import Looks
from ..reading import Item
from .errand import Errand
from .looker import BLOCK, Looker, unpacked

_LONGEST_REASON = 400
_LARGE, _SMALL = 32, 4  # pictures of a block; fewer with raw maps, because all of them are held at once


@dataclass(frozen=True)
class Actors:
    """Place and number of the actors.

    Attributes:
        address: ``ray://HOST:PORT``, or what else ``ray.init`` takes; empty for the cluster of the setting
            ``RAY_ADDRESS``, or else one on this machine that ends with the run.
        count: their number; None for one on each graphics card or, on processors, for as many cores as the
            model has threads.
    """

    address: str = ""
    count: int | None = None


def check_installed() -> None:
    """Refuse to begin without Ray.

    Raises:
        RequestError: it is not there.
    """
    if find_spec("ray") is None:
        raise RequestError("Ray is not installed: install layerglass[ray], or leave out --ray")


def on_cluster(actors: Actors, errand: Errand) -> Looks:
    """Return a function that looks at pictures with a cluster's models.

    Inside the block, a ``RequestError`` says that the cluster cannot be reached, has no room for so many
    actors, or has failed.
    """

    @contextmanager
    def looks(numbered: Iterable[Item]) -> Iterator[Iterator[PictureResult]]:
        blocks = list(_blocks(numbered, _SMALL if errand.wanted.maps else _LARGE))
        with _joined(actors.address):
            options = _options(actors.count, errand.request.device, errand.request.threads)
            with closing(_in_order(blocks, errand, options)) as found:
                yield found

    return looks


def _blocks(numbered: Iterable[Item], size: int) -> Iterator[pa.Table]:
    left = iter(numbered)
    while some := list(islice(left, size)):
        columns = [each[0] for each in some], [os.fsencode(each[1]) for each in some]
        yield pa.table([pa.array(each) for each in columns], schema=BLOCK)


@contextmanager
def _joined(address: str) -> Iterator[None]:
    """Connect to the cluster in this block, unless connected already."""
    import ray  # noqa: PLC0415  # optional, and slow

    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # as the page, this contacts nobody
    address = address or os.environ.get("RAY_ADDRESS", "")
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        ray.init(address, **quiet) if address else ray.init(include_dashboard=False, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise RequestError(
            "cannot reach the cluster {address}: {error}", address=address, error=reason
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


def _options(count: int | None, device: str, threads: int) -> dict[str, Any]:
    """Return the options of Ray Data for the actors."""
    import ray  # noqa: PLC0415  # optional, and slow
    from ray.data import ActorPoolStrategy  # noqa: PLC0415  # optional, and slow

    there = ray.cluster_resources()
    cores, cards = int(there.get("CPU", 0)), int(there.get("GPU", 0))
    most = cards if device == "cuda" else cores
    wanted = count or (cards if device == "cuda" else max(1, cores // threads))
    if not 1 <= wanted <= most:
        raise RequestError(
            "the cluster has {cores} cores and {cards} graphics cards: there is no room for {count} models "
            "on {device}",
            cores=cores,
            cards=cards,
            count=wanted,
            device=device,
        )
    return {
        "compute": ActorPoolStrategy(size=wanted),
        "num_cpus": max(1, min(threads, cores // wanted)),
        "num_gpus": 1 if device == "cuda" else 0,
    }


def _in_order(
    blocks: list[pa.Table], errand: Errand, options: dict[str, Any]
) -> Generator[PictureResult, None, None]:
    """Yield the results of the pictures, each once, in order."""
    from ray.exceptions import RayError  # noqa: PLC0415  # optional, and slow

    if not blocks:
        return
    due = blocks[0]["number"][0].as_py()
    try:
        for block in _spread(blocks, errand, options).iter_batches(batch_size=None, batch_format="pyarrow"):
            for data in block["seen"]:
                seen = unpacked(data.as_py())
                if seen.number != due:
                    raise RequestError(
                        "the cluster has returned picture {number} where {due} was due: --resume goes on",
                        number=seen.number,
                        due=due,
                    )
                due += 1
                yield seen
    except RayError as error:
        raise RequestError(
            "the cluster has failed, and --resume goes on: {error}", error=_reason(error)
        ) from error


def _spread(blocks: list[pa.Table], errand: Errand, options: dict[str, Any]) -> Any:
    """Return the data set of the actors' results for the blocks."""
    from ray import data  # noqa: PLC0415  # optional, and slow

    context = data.DataContext.get_current().copy()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    with data.DataContext.current(context):
        return data.from_arrow(blocks).map_batches(
            Looker, fn_constructor_args=(errand,), batch_size=None, batch_format="pyarrow", **options
        )


def _reason(error: BaseException) -> str:
    """Return the actor's own error: the last line of Ray's text."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines or [type(error).__name__])[-1][-_LONGEST_REASON:]
