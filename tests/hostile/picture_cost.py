"""Cost of a picture: read in a fresh process, so that no other work counts in the memory's peak."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.machine import patience

ROOT = Path(__file__).parents[2]
STATUS = Path("/proc/self/status")
# Imports the package without torch. VmHWM counts from the start of this program, while ru_maxrss also counts
# the process that started it.
PROGRAM = """
import json, resource, sys, time, types
package = types.ModuleType("viz")
package.__path__ = [sys.argv[1] + "/viz"]
sys.modules["viz"] = package
from PIL import AvifImagePlugin, BmpImagePlugin, GifImagePlugin, Image, JpegImagePlugin, PngImagePlugin
from PIL import WebPImagePlugin
from viz.errors import ImageError
from viz.pictures.images import read_image

def kilobytes(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))

data = open(sys.argv[2], "rb").read()
before, started = kilobytes("VmRSS"), time.process_time()
try:
    said, refused = "{} by {}".format(*read_image(data).size), False
except ImageError as error:
    said, refused = str(error), True
seconds = time.process_time() - started
print(json.dumps([seconds, (kilobytes("VmHWM") - before) / 1000, said, refused]))
"""


class Cost(NamedTuple):
    """Processor time, peak memory beyond the file itself, and the answer: a size or a refusal."""

    seconds: float
    megabytes: float
    said: str
    refused: bool


def cost_of(data: bytes) -> Cost:
    """Return the cost of reading a file with ``read_image``."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        command = [sys.executable, "-W", "error", "-c", PROGRAM, str(ROOT), file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience(120))
    assert done.returncode == 0, done.stderr
    return Cost(*json.loads(done.stdout))
