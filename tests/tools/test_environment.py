"""The environment that make fills, with stand-ins for PyTorch's packages on local indexes."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
import venv as standard
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.machine import patience
from tools import environment
from tools.environment import ROOT, StoppedError

PINNED = dict(re.findall(r"(?m)^(torch|torchvision)==(\S+)$", (ROOT / "constraints.txt").read_text()))
pytestmark = pytest.mark.slow
NOWHERE = "http://127.0.0.1:9/simple"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


class _Stuck(_Quiet):
    def do_GET(self) -> None:
        """Answer nothing until the test is over."""
        time.sleep(patience(60))


@contextmanager
def served(handler: object) -> Iterator[str]:
    """An index on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def index(folder: Path, build: str) -> Iterator[str]:
    """An index with stand-ins for PyTorch of this build, such as "+cpu"."""
    for name, version in PINNED.items():
        place = folder / name
        place.mkdir(parents=True)
        wheel = place / f"{name}-{version}{build}-py3-none-any.whl"
        facts = f"{name}-{version}{build}.dist-info"
        with zipfile.ZipFile(wheel, "w") as file:
            file.writestr(f"{name}/__init__.py", "")
            file.writestr(f"{name}/version.py", f"__version__ = '{version}{build}'\n")
            file.writestr(
                f"{facts}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}{build}\n"
            )
            file.writestr(f"{facts}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            file.writestr(f"{facts}/RECORD", "")
        (place / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    with served(partial(_Quiet, directory=str(folder))) as address:
        yield address


def command(place: Path, *words: str) -> list[str]:
    """Return the words that fill an environment with PyTorch alone."""
    place.mkdir(exist_ok=True)
    (place / "wanted.txt").write_text("torch\ntorchvision\n")
    script = str(ROOT / "tools" / "environment.py")
    return [sys.executable, script, "--venv", str(place / "env"), *words, str(place / "wanted.txt")]


def settings(index: str) -> dict[str, str]:
    """Return a user's environment: one index of packages, and no other setting of pip."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    return plain | {"PIP_INDEX_URL": index, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}


def filled(place: Path, index: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Fill an environment as make does it."""
    return subprocess.run(
        command(place, *words),
        env=settings(index),
        capture_output=True,
        text=True,
        timeout=patience(120),
        check=False,
    )


@pytest.mark.parametrize("version", [(3, 10), (3, 15), (2, 7)])
def test_another_python_is_refused_in_one_sentence(version: tuple[int, int]) -> None:
    """It names the versions that serve, and a way on."""
    with pytest.raises(StoppedError, match=r"runs on Python 3\.11 to 3\.14, and .*PYTHON=\S+\.$"):
        environment.check_python(version)


def test_every_supported_python_is_accepted() -> None:
    """Those that the package's classifiers name."""
    named = re.findall(r"Python :: 3\.(\d+)", (ROOT / "pyproject.toml").read_text())
    assert [minor for minor in range(8, 30) if not _refused((3, minor))] == [int(each) for each in named]


def _refused(version: tuple[int, int]) -> bool:
    try:
        environment.check_python(version)
    except StoppedError:
        return True
    return False


@pytest.mark.parametrize(("chosen", "build"), [("1", "+cpu"), ("0", "+cu132")])
def test_pytorch_comes_with_or_without_cuda_as_chosen(chosen: str, build: str, tmp_path: Path) -> None:
    """The later steps keep what the first has installed, and ask no index for another."""
    with index(tmp_path / "cpu", "+cpu") as without, index(tmp_path / "usual", "+cu132") as usual:
        done = filled(tmp_path / "a", usual, "--cpu", chosen, "--cpu-index", without)
        assert done.returncode == 0, done.stdout + done.stderr
    assert ("PyTorch comes without CUDA" in done.stdout) == (chosen == "1")
    assert re.search(r"about \d\.\d GB to download, \d\.\d GB on disk", done.stdout)
    env = tmp_path / "a" / "env"
    assert environment.pytorch_build(env) == (PINNED["torch"], build == "+cpu")
    assert environment.wants_cpu("", env) == (build == "+cpu")
    assert not (env / "unfinished").exists()
    assert not (env / "tmp").exists()


def test_without_the_index_of_builds_without_cuda_a_choice_is_refused(tmp_path: Path) -> None:
    """Nobody gets gigabytes of CUDA who has said that they want none."""
    with index(tmp_path / "usual", "+cu132") as usual:
        done = filled(tmp_path / "a", usual, "--cpu", "1", "--cpu-index", NOWHERE)
    assert done.returncode == 1
    assert environment.pytorch_build(tmp_path / "a" / "env") == ("", False)


def test_an_index_of_ones_own_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is set by pip's own settings; the machine's card does not count then."""
    standard.create(tmp_path / "env", symlinks=True, with_pip=True)
    monkeypatch.setattr(environment, "has_card", lambda: False)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in [each for each in os.environ if each.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert environment.wants_cpu("", tmp_path / "env")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://packages.example/simple")
    assert not environment.wants_cpu("", tmp_path / "env")


def test_without_a_network_one_sentence_says_so(tmp_path: Path) -> None:
    """The environment stays, and the same command goes on when there is one."""
    done = filled(tmp_path / "a", NOWHERE, "--cpu", "0")
    assert done.returncode == 1
    [sentence] = done.stderr.splitlines()
    assert "cannot be reached. Connect this machine" in sentence
    assert environment.why_unusable(tmp_path / "a" / "env") == ""


def test_an_interrupted_installation_is_begun_anew(tmp_path: Path) -> None:
    """By the same command; Ctrl-C ends it in one line."""
    with served(_Stuck) as stuck:
        started = subprocess.Popen(
            command(tmp_path / "a", "--cpu", "0"),
            env=settings(stuck),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        until = time.monotonic() + patience(60)
        while not (tmp_path / "a" / "env" / "tmp").exists() and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(started.pid, signal.SIGINT)
        said = started.communicate(timeout=patience(60))[1]
    assert (started.returncode, said) == (130, "\nStopped. The same command begins again.\n")
    with index(tmp_path / "usual", "+cu132") as usual:
        done = filled(tmp_path / "a", usual, "--cpu", "0")
    assert done.returncode == 0, done.stderr
    assert "Making env anew: an installation was interrupted." in done.stdout


@pytest.mark.parametrize("fault", ["no pip", "no Python", "none"])
def test_a_half_made_environment_is_made_anew_and_a_whole_one_kept(fault: str, tmp_path: Path) -> None:
    """As a Debian without python3-venv, a Ctrl-C, or a new Python of the system leave it."""
    env = tmp_path / "env"
    standard.create(env, symlinks=True, with_pip=fault == "none")
    (env / "mine").touch()
    if fault == "no Python":
        (env / "bin" / "python").unlink()
    environment.make(env)
    assert (env / "mine").exists() == (fault == "none")
    assert environment.why_unusable(env) == ""


def test_a_python_that_cannot_make_environments_is_told_what_to_install(tmp_path: Path) -> None:
    """Nothing half-made is left."""
    said = "The virtual environment was not created successfully because ensurepip is not available."
    (tmp_path / "venv.py").write_text(f"import os, sys\nos.mkdir(sys.argv[1])\nsys.exit({said!r})\n")
    done = subprocess.run(
        command(tmp_path / "a"),
        env=settings(NOWHERE) | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert re.search(r"apt-get install python3\.\d+-venv; then run this again\.$", done.stderr)
    assert not (tmp_path / "a" / "env").exists()


def test_temporary_files_lie_beside_the_environment(tmp_path: Path) -> None:
    """A stand-in for Python tells where; ``/tmp`` may be too small for PyTorch."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(
        '#!/bin/sh\necho "$TMPDIR"; echo "OSError: [Errno 28] No space left on device"; exit 1\n'
    )
    python.chmod(0o755)
    with (
        environment.Life(tmp_path) as life,
        pytest.raises(StoppedError, match=f"no space is left for {tmp_path}"),
    ):
        environment.install(tmp_path, [], life)
    python.write_text('#!/bin/sh\necho "$TMPDIR"; exit 1\n')
    with environment.Life(tmp_path) as life, pytest.raises(StoppedError, match=f"\n{tmp_path / 'tmp'}$"):
        environment.install(tmp_path, [], life)


def test_without_any_python_make_says_what_to_install(tmp_path: Path) -> None:
    """The Makefile itself, in a folder without anything else."""
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    for name in ("requirements.txt", "constraints.txt"):
        (tmp_path / name).touch()
    done = subprocess.run(
        ["make", "run", "PYTHON=no-python"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "there is no no-python: install Python 3.11 or later" in done.stderr
