"""Strangers' files, read in processes that hold nothing else, live for one file, and may take only so much.

A page that decodes an upload in its own process stands and falls with the decoder: a file that takes minutes
or gigabytes takes them from everybody, and memory that a broken decoder hands out was somebody's picture.
Here a *nursery*, started ahead, holds the decoders and nothing of any visitor. For each file it makes a copy
of itself, which sets its own limits, reads that one file, answers in JSON and plain bytes, and ends.

>>> from viz.reader import Bounds, Reader
>>> with Reader({"length": "mypackage.reading:length"}) as reader:
...     facts, body = reader.read("length", data, {}, Bounds(seconds=10, memory=10**9))
"""

from .bounds import Bounds
from .reader import JobError, Reader

__all__ = ["Bounds", "JobError", "Reader"]
