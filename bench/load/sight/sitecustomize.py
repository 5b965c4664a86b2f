"""Count of hooks in a server's processes, on a signal.

Python runs this in every process of a server that a crowd is sent to. Nothing of it is in the product: a
process that has such hooks writes how many, and goes on.
"""

import gc
import os
import signal
import sys
from pathlib import Path
from typing import Any

KINDS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


def count(*_: Any) -> None:
    """Write the numbers of this process's modules and of their hooks."""
    torch = sys.modules.get("torch.nn")
    found = [each for each in gc.get_objects() if isinstance(each, torch.Module)] if torch else []
    hooks = sum(len(getattr(module, kind)) for module in found for kind in KINDS)
    made = Path(os.environ["LAYERGLASS_SIGHT"]) / str(os.getpid())
    made.with_suffix(".new").write_text(f"{len(found)} {hooks}", encoding="ascii")
    made.with_suffix(".new").rename(made)


signal.signal(signal.SIGUSR1, count)
