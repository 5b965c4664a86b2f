"""The page's process answers requests without PyTorch: it has an engine for that, elsewhere."""

import subprocess
import sys

from tests.machine import patience

BLOCKED = """
import pkgutil, sys

class NotHere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"torch", "torchvision", "timm"}:
            raise AssertionError(f"{name} was imported")

sys.meta_path.insert(0, NotHere())
import viz.ui
"""


def without_pytorch(code: str) -> str:
    """Return the text that Python prints where PyTorch cannot be imported."""
    told = subprocess.run(
        [sys.executable, "-c", BLOCKED + code],
        capture_output=True,
        text=True,
        timeout=patience(300),
        check=False,
    )
    assert not told.returncode, told.stderr
    return told.stdout.strip()


def test_every_module_of_the_page_is_imported_without_pytorch() -> None:
    """Not by way of others either: the first pixel must not wait for it."""
    code = "names = [each.name for each in pkgutil.walk_packages(viz.ui.__path__, 'viz.ui.')]\n"
    code += "work = {'viz.ui.visit.catalogue.work'}  # what the engine's process does\n"
    code += "for name in names:\n    if name not in work: __import__(name)\nprint(len(names))"
    assert int(without_pytorch(code)) > 100


def test_the_engine_of_the_page_answers_without_pytorch_there() -> None:
    """A layer of a bundled model: a process that has PyTorch captures it, and one that has not reads it."""
    code = """
from viz.pictures.photo import photograph
from viz.pictures.samples import sample
from viz.request.inspection import Inspection
from viz.ui.visit.service import engine
from viz.views.one_layer import View

photo = photograph(sample("cat"))
found = engine().do(View(Inspection(photo.fingerprint, "lenet", "random", "conv1"), photo), visitor="v")
print(found.result(120).shape)
engine().close()
"""
    assert without_pytorch(code) == "(1, 6, 28, 28)"
