"""The package, built and installed into an environment of its own, and used far away from the checkout."""

import json
import os
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

import pytest
from PIL import Image

import models
from tests.browser.serving import free_port, wait_until_served
from tests.hostile.visitor import Visitor
from tests.machine import patience
from viz.commands.layers import layer_layouts, layers_json
from viz.home import version
from viz.hooks.activations import LayerActivations
from viz.passes.forward import survey_subject
from viz.pictures.samples import sample
from viz.pictures.subject import Subject

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
OWN = """
from torch import nn

def net():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten())
"""


@pytest.fixture(scope="module")
def bin_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the command, in an environment with only the wheel installed."""
    home = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", home, ROOT]
    subprocess.run([*pip, *build], cwd=home, check=True)
    venv.create(home / "env", with_pip=False)
    python = home / "env" / "bin" / "python"
    [wheel] = home.glob("layerglass-*.whl")
    subprocess.run([*pip, "--python", python, "install", "--no-deps", "--no-index", wheel], check=True)
    present = [path for path in sys.path if path.endswith("site-packages")]
    (site_packages(home) / "present.pth").write_text("\n".join(present), encoding="utf-8")
    return python.parent


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A user's folder, whose modules have our names and whose settings would make the server less safe."""
    (tmp_path / "models.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "viz.py").write_text("raise RuntimeError('this is somebody else\\'s')\n", encoding="utf-8")
    (tmp_path / ".streamlit").mkdir()
    loose = "[server]\nenableXsrfProtection = false\nmaxUploadSize = 1\n"
    (tmp_path / ".streamlit" / "config.toml").write_text(loose, encoding="utf-8")
    return tmp_path


def site_packages(home: Path) -> Path:
    """Return the folder of an environment's packages."""
    [found] = (home / "env").glob("lib/python*/site-packages")
    return found


def environment(folder: Path) -> dict[str, str]:
    """An environment without any path to the checkout, and without a network."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return own | {"TORCH_HOME": str(folder / "torch"), "LAYERGLASS_WEIGHTS_URL": "http://127.0.0.1:9"}


def said(bin_folder: Path, folder: Path, *words: str) -> str:
    """Return the text that a command of the environment prints, started in a folder."""
    command = [bin_folder / words[0], *words[1:]]
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_editable_installation_is_the_checkout(tmp_path: Path) -> None:
    """Its command and its one name work anywhere, and so does each change, at once."""
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python]
    present = [path for path in sys.path if path.endswith("site-packages")]
    (site_packages(tmp_path) / "present.pth").write_text("\n".join(present), encoding="utf-8")
    subprocess.run([*pip, "install", "--no-deps", "--no-build-isolation", "-e", ROOT], check=True)
    assert said(python.parent, tmp_path, "layerglass", "--version") == f"layerglass {version()}\n"
    code = "import layerglass, models; print(layerglass.__file__); print(layerglass.models is models)"
    assert said(python.parent, tmp_path, "python", "-c", code).split() == [
        str(ROOT / "layerglass" / "__init__.py"),
        "True",
    ]


def test_nothing_lands_at_the_top_but_our_own_name(bin_folder: Path) -> None:
    """A user's ``models`` and ``viz`` stay; types, weights and the page's settings are installed."""
    packages = site_packages(bin_folder.parents[1])
    tops = {path.name.partition("-")[0] for path in packages.iterdir()}
    assert tops == {"layerglass", "present.pth"}
    inside = packages / "layerglass"
    assert (inside / "py.typed").exists()
    for top in ("viz", "models"):
        files = {
            path.relative_to(ROOT) for path in (ROOT / top).rglob("*.*") if "__pycache__" not in path.parts
        }
        assert {path for path in files if not (inside / path).exists()} == set()
    own = {path.name for path in inside.iterdir()} - {"__pycache__"}
    assert own == {"__init__.py", "__init__.pyi", "__main__.py", "docs", "page", "py.typed", "viz", "models"}
    ours = (ROOT / ".streamlit" / "config.toml").read_bytes()
    assert (inside / "page" / ".streamlit" / "config.toml").read_bytes() == ours


def test_the_installed_command_lists_the_same_layers(bin_folder: Path, elsewhere: Path) -> None:
    """Its JSON equals that of the checkout byte for byte."""
    card = models.describe("lenet")
    subject = Subject(models.load("lenet", "random"), card.preprocessing, card.preprocessing.as_seen)
    layers = LayerActivations(subject.module, "cpu")
    rows = survey_subject(layers, subject)
    layouts = layer_layouts(layers, subject, rows)
    assert (
        said(bin_folder, elsewhere, "layerglass", "layers", "lenet", "--json")
        == layers_json(rows, layouts) + "\n"
    )


def test_the_installed_command_captures_maps(bin_folder: Path, elsewhere: Path) -> None:
    """Six maps of LeNet's first layer, 28 values wide and high, a line between them; with trained weights."""
    words = ("capture", "sample:cat", "--model", "lenet", "--layer", "conv1", "--out", "maps.png")
    assert "conv1 of lenet (trained)" in said(bin_folder, elsewhere, "layerglass", *words)
    with Image.open(elsewhere / "maps.png") as maps:
        assert maps.size == (3 * 29 - 1, 2 * 29 - 1)


def test_a_module_of_ones_own_may_be_called_models(bin_folder: Path, elsewhere: Path) -> None:
    """It is found in the folder where one is; the catalogue is found too."""
    rows = json.loads(said(bin_folder, elsewhere, "layerglass", "layers", "models:net", "--json"))
    assert [row["type"] for row in rows] == ["Conv2d", "Flatten"]


def test_a_sweep_starts_its_processes_by_the_installed_name(bin_folder: Path, elsewhere: Path) -> None:
    """Every model in a process of its own, which imports us by name."""
    words = ("sweep", "--family", "bundled", "--models", "lenet", "--json")
    row = json.loads(said(bin_folder, elsewhere, "layerglass", *words))
    assert (row["model"], row["failed"], row["failures"]) == ("lenet", 0, [])


def test_lines_of_a_script_import_the_installed_catalogue(bin_folder: Path, elsewhere: Path) -> None:
    """They run where Layerglass is installed, next to a user's own ``models``."""
    code = (
        "from layerglass.models import describe\n"
        "from layerglass.viz.request.inspection import Inspection\n"
        "from layerglass.viz.script.code_model import import_lines, model_lines\n"
        "card, wanted = describe('lenet'), Inspection('', 'lenet', 'pretrained', 'conv1')\n"
        "lines = [*import_lines(card), *model_lines(wanted, card, fused=False, repeated=False)]\n"
        "exec('\\n'.join(lines))\n"
        "print(type(model).__module__)\n"
    )
    assert said(bin_folder, elsewhere, "python", "-c", code) == "layerglass.models.nets.bundled\n"


def test_the_checkout_does_not_stand_in_the_way(bin_folder: Path, tmp_path: Path) -> None:
    """A script run from the folder that it was installed from still uses the installed package."""
    (script := tmp_path / "script.py").write_text(
        "from layerglass import models; print(models.__file__)", encoding="utf-8"
    )
    done = subprocess.run(
        [bin_folder / "python", script],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout).is_relative_to(bin_folder.parent)


def test_the_version_is_said_by_the_package_and_its_command(bin_folder: Path, elsewhere: Path) -> None:
    """The one that was built."""
    code = "import layerglass; print('layerglass', layerglass.__version__)"
    found = said(bin_folder, elsewhere, "python", "-c", code)
    assert found == said(bin_folder, elsewhere, "layerglass", "--version") == f"layerglass {version()}\n"


def test_help_names_the_command_as_it_is_typed(bin_folder: Path, elsewhere: Path) -> None:
    """Not the module of a checkout that is not there."""
    told = said(bin_folder, elsewhere, "layerglass", "--help")
    assert told.startswith("usage: layerglass ")
    assert "python -m viz" not in told + said(bin_folder, elsewhere, "layerglass", "capture", "--help")


@contextmanager
def serving(bin_folder: Path, folder: Path) -> Iterator[str]:
    """The address of the page that the installed command serves; its log must have no traceback."""
    port, log = free_port(), folder / "log.txt"
    with log.open("wb") as output:
        command = [bin_folder / "layerglass", "--port", str(port)]
        server = subprocess.Popen(
            command, cwd=folder, env=environment(folder), stdout=output, stderr=subprocess.STDOUT
        )
    try:
        wait_until_served(f"http://localhost:{port}", server, log)
        yield f"http://localhost:{port}"
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=patience(60))
    assert "Traceback" not in log.read_text(encoding="utf-8", errors="replace")


def test_the_installed_command_alone_serves_the_page(bin_folder: Path, elsewhere: Path) -> None:
    """A visitor sees maps, of a picture of their own as well, which a process of its own has read.

    The settings are ours and not those of the folder: without the token of ours there would be no visitor.
    """
    file = BytesIO()
    sample("cat").resize((900, 700)).save(file, "PNG", compress_level=0)  # more than the folder's limit
    with serving(bin_folder, elsewhere) as address, Visitor(address, model="lenet") as visitor:
        shown = next(row["name"] for row in visitor.part("layerglass_stage")["rows"] if row["calls"])
        before = visitor.subject
        assert visitor.map_json(shown)
        assert visitor.upload("upload", "cat.png", file.getvalue()).status < 300
        assert visitor.subject != before
        assert visitor.map_json(shown)
        for document in ("", "colours", "changelog", "pictures/page.png"):
            with urlopen(f"{address}/help/{document}") as answer:
                assert answer.status == HTTPStatus.OK
        assert visitor.notices() == []
