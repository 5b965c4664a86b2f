"""Strangers' files, each read in a bounded process of its own.

If a page decodes uploads in its own process, a bad file harms everyone: one that takes minutes or gigabytes
takes them from every visitor, and memory that a broken decoder hands out was somebody's picture. Here a
*nursery*, started ahead, holds the decoders and nothing of any visitor. For each file it makes a copy of
itself, which sets its own limits, reads that one file, answers in JSON and plain bytes, and ends.

>>> from viz.reader import Bounds, Reader
>>> with Reader({"length": "mypackage.reading:length"}) as reader:
...     facts, body = reader.read("length", data, {}, Bounds(seconds=10, memory=10**9))
"""

from .bounds import Bounds
from .reader import JobError, Reader

__all__ = ["Bounds", "JobError", "Reader"]
