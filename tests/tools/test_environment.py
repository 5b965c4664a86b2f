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


def begun(place: Path, index: str) -> "subprocess.Popen[str]":
    """Begin to fill an environment, and wait until pip is under way.

    A shell has its background jobs ignore Ctrl-C, and all that they start; these do not.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        started = subprocess.Popen(
            command(place, "--cpu", "0"),
            env=settings(index),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    until = time.monotonic() + patience(60)
    while not (place / "env" / "tmp").exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    return started


def interrupted(started: "subprocess.Popen[str]") -> str:
    """Press Ctrl-C; return what is said."""
    os.killpg(started.pid, signal.SIGINT)
    return started.communicate(timeout=patience(60))[1]


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
    assert environment.why_without_cuda(chosen, env) == ("CPU=1" if chosen == "1" else "")
    with pytest.raises(StoppedError, match=r"PyTorch is here with(out)? CUDA: type make clean"):
        environment.why_without_cuda({"1": "0", "0": "1"}[chosen], env)
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
    env, life = tmp_path / "env", environment.Life(tmp_path)
    assert environment.why_without_cuda("", env) == environment.NO_CARD
    [packages] = env.glob("lib/python*/site-packages")
    (packages / "torch").mkdir()
    (packages / "torch" / "version.py").write_text("__version__ = '2.0.0+cpu'\n")
    monkeypatch.setattr(environment, "has_card", lambda: True)
    assert environment.why_without_cuda("", env) == "as before"
    with pytest.raises(StoppedError, match="cannot be reached"):  # and no other build comes
        environment.without_cuda(env, NOWHERE, "as before", life)
    environment.without_cuda(env, NOWHERE, environment.NO_CARD, life)
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://packages.example/simple")
    assert environment.why_without_cuda("", env) == ""


@pytest.mark.parametrize("chosen", ["x86_64", "yes", "False"])
def test_another_word_than_0_or_1_is_no_choice(chosen: str, tmp_path: Path) -> None:
    """Some systems have a variable of that name."""
    with pytest.raises(StoppedError, match=f"CPU={chosen} is no choice: CPU=1 is without CUDA"):
        environment.why_without_cuda(chosen, tmp_path)


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
        started = begun(tmp_path / "a", stuck)
        said = interrupted(started)
    assert (started.returncode, said) == (130, "\nStopped. The same command begins again.\n")
    with index(tmp_path / "usual", "+cu132") as usual:
        done = filled(tmp_path / "a", usual, "--cpu", "0")
    assert done.returncode == 0, done.stderr
    assert "Making env anew: an installation was interrupted." in done.stdout


@pytest.mark.parametrize("fault", ["no pip", "no Python", "none"])
def test_an_environment_without_python_is_made_anew_and_any_other_kept(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a Ctrl-C, or a new Python of the system leave it; pip is put into one that lacks it alone."""
    env = tmp_path / "env"
    standard.create(env, symlinks=True, with_pip=fault == "none")
    (env / "mine").touch()
    if fault == "no Python":
        (env / "bin" / "python").unlink()
    else:  # whichever Python make has
        monkeypatch.setattr(environment, "check_python", lambda: pytest.fail("this Python is not used"))
    environment.make(env)
    assert (env / "mine").exists() == (fault != "no Python")
    (env / "unfinished").unlink(missing_ok=True)
    assert environment.why_unusable(env) == ""


def test_of_a_link_that_leads_nowhere_the_link_alone_is_replaced(tmp_path: Path) -> None:
    """So is one to a folder that is no environment."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "mine").touch()
    for target in ("elsewhere", "nowhere"):
        env = tmp_path / f"env-{target}"
        env.symlink_to(tmp_path / target)
        environment.make(env)
        assert (env.is_symlink(), environment.python_of(env).exists()) == (False, True)
    assert (tmp_path / "elsewhere" / "mine").exists()


def test_what_is_completed_stays_when_it_is_interrupted(tmp_path: Path) -> None:
    """Nobody loses a page that ran for a network that does not answer; meanwhile nobody else installs."""
    env = tmp_path / "a" / "env"
    standard.create(env, symlinks=True, with_pip=True)
    (env / "mine").touch()
    with served(_Stuck) as stuck:
        started = begun(tmp_path / "a", stuck)
        second = filled(tmp_path / "a", stuck, "--cpu", "0")
        said = interrupted(started)
    assert "another make installs into this checkout" in second.stderr
    assert (started.returncode, said) == (130, "\nStopped. The same command begins again.\n")
    assert environment.why_unusable(env) == ""
    assert (env / "mine").exists()


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


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["WARNING: Retrying after NewConnectionError", "error: no compiler"], "pip failed:\nWARNING"),
        (
            ["WARNING: SSLCertVerificationError Max retries", "ERROR: No matching distribution found"],
            "PIP_CERT=",
        ),
        (["WARNING: Max retries", "ERROR: No matching distribution found"], "cannot be reached"),
        (["WARNING: Retrying (Retry(total=0, connect", "ERROR: ResolutionImpossible"], "cannot be reached"),
        (
            ["WARNING: Retrying (Retry(total=4, connect", "ERROR: ResolutionImpossible"],
            "pip failed:\nWARNING",
        ),
        (["ERROR: No matching distribution found for torch==9"], "pip failed:\nERROR: No matching"),
    ],
)
def test_the_reason_is_the_one_that_ended_pip(lines: list[str], said: str, tmp_path: Path) -> None:
    """A retry that helped is none."""
    assert said in environment.why_failed(lines, tmp_path)


@pytest.mark.parametrize("before", ["nothing", "a Python that is gone", "an interruption"])
def test_without_any_python_make_says_what_to_install(before: str, tmp_path: Path) -> None:
    """The Makefile itself; it is no use to it that something was installed there once."""
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    for name in ("requirements.txt", "constraints.txt"):
        (tmp_path / name).touch()
    if before != "nothing":
        gone = before == "a Python that is gone"
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        (tmp_path / ".venv" / "bin" / "python").symlink_to("/nowhere/python3" if gone else sys.executable)
        for name in ("run.stamp", *([] if gone else ["unfinished"])):
            (tmp_path / ".venv" / name).touch()
    done = subprocess.run(
        ["make", "run", "PYTHON=no-python"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "there is no no-python: install Python 3.11 to 3.14" in done.stderr
