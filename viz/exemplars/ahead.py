"""Results in order, made ahead by threads or copies of this process."""

import multiprocessing
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, TypeVar

import torch

AHEAD = 4  # results that each worker makes before they are needed

Given = TypeVar("Given")
Made = TypeVar("Made")


class LostCopyError(Exception):
    """End of a copy in the midst of its work.

    Attributes:
        item: what it was at.
    """

    def __init__(self, item: Any) -> None:
        super().__init__("a copy of this process has ended")
        self.item = item


class _Copy:
    """Copy of this process, which makes one thing at a time.

    It has a line of its own. Its end ends that line, wherever the copy was; a lock or a queue that it shares
    with others might be left held or half written, and whoever waits there would wait for ever.
    """

    def __init__(self, make: Callable[[Any], Any]) -> None:
        fork = multiprocessing.get_context("fork")
        self._line, theirs = fork.Pipe()
        self._process = fork.Process(target=_serve, args=(make, theirs, self._line), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, item: Any) -> Any:
        """Return what the copy makes of an item.

        Raises:
            LostCopyError: it has ended.
            RuntimeError: what was raised there.
        """
        try:
            self._line.send_bytes(pickle.dumps(item))
            made, error = pickle.loads(self._line.recv_bytes())  # noqa: S301  # by our own copy
        except (EOFError, OSError) as end:
            raise LostCopyError(item) from end
        if error:
            raise error
        return made

    def kill(self) -> None:
        """End it, also in the midst of its work."""
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """Close its line, once nobody asks any more."""
        self._line.close()


def by_threads(
    make: Callable[[Given], Made],
    items: Iterable[Given],
    threads: int,
    leave: Callable[[], None] = lambda: None,
) -> Generator[Made, None, None]:
    """Yield results of ``make`` in order, made ahead by threads.

    Args:
        make: called in the threads.
        items: taken one by one, some before their results are wanted.
        threads: the number of threads.
        leave: called once no more results are wanted; it may end what is under way.
    """
    left, waiting = iter(items), deque[Future[Made]]()
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                room = max(0, threads * AHEAD - len(waiting))
                waiting.extend(pool.submit(make, item) for item in islice(left, room))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()
            leave()


def by_copies(
    make: Callable[[Given], Made], items: Iterable[Given], workers: int
) -> Generator[Made, None, None]:
    """Yield results in order, made ahead by copies of this process.

    Each of them computes with one thread. Without any, this process makes the results.

    Raises:
        LostCopyError: a copy has ended; its item is the first without a result.
        RuntimeError: what ``make`` raised in a copy.
    """
    if not workers:
        yield from map(make, items)
        return
    copies = [_Copy(make) for _ in range(workers)]
    free: SimpleQueue[_Copy] = SimpleQueue()
    for each in copies:
        free.put(each)

    def ask(item: Given) -> Made:
        copy = free.get()
        try:
            made: Made = copy.ask(item)
            return made
        finally:
            free.put(copy)

    def leave() -> None:
        for each in copies:
            each.kill()

    try:
        yield from by_threads(ask, items, workers, leave)
    finally:
        for each in copies:
            each.close()


@contextmanager
def with_threads(count: int) -> Iterator[None]:
    """Let PyTorch have so many threads in the block."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _serve(make: Callable[[Any], Any], line: Connection, theirs: Connection) -> None:
    """Make what is asked for until the line ends.

    Signals are for the process that asks: it ends its copies once it has saved all.
    """
    theirs.close()
    for number in (signal.SIGINT, signal.SIGTERM):  # a terminal, and many others, send them to all processes
        signal.signal(number, signal.SIG_IGN)
    torch.set_num_threads(1)
    while True:
        try:
            item = pickle.loads(line.recv_bytes())  # noqa: S301  # by the process that this is a copy of
        except (EOFError, OSError):  # nobody asks any more
            return
        line.send_bytes(_answer(make, item))


def _answer(make: Callable[[Any], Any], item: Any) -> bytes:
    """Return what is made of an item, or its error, as bytes."""
    try:
        return pickle.dumps((make(item), None))
    except Exception as error:  # noqa: BLE001  # it is raised where the answer is wanted
        return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))
