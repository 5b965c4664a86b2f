"""The one engine of a process, however many threads ask for it first."""

import subprocess
import sys

ASKED_BY_EIGHT = """
import os, threading
from concurrent.futures import ThreadPoolExecutor
os.environ["LAYERGLASS_ENGINE"] = "local"
from viz.ui.visit.service import engine
together = threading.Barrier(8)
def asked(_):
    together.wait()
    return engine()
with ThreadPoolExecutor(8) as threads:
    found = list(threads.map(asked, range(8)))
print(len({id(each.engine) for each in found}))
found[0].close()
"""


def test_threads_that_ask_at_once_for_the_first_time_share_one_engine() -> None:
    """One in this process imports PyTorch first, for seconds: a second one would load every model again."""
    found = subprocess.run([sys.executable, "-c", ASKED_BY_EIGHT], capture_output=True, text=True, check=True)
    assert found.stdout == "1\n"
