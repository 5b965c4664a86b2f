"""Environment of a checkout, made, mended and filled by make.

``python tools/environment.py requirements.txt`` fills ``.venv``. It needs nothing but Python: one that is
too old, from 3.6 on, gets a sentence in place of a traceback.
"""

import argparse
import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 14)
ROOT = Path(__file__).resolve().parents[1]
CPU_INDEX = "https://download.pytorch.org/whl/cpu"  # PyTorch's own, of builds without CUDA
CARDS = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/proc/driver/nvidia/version")
OTHER_INDEX = re.compile(r"(^|\.)(index-url|extra-index-url|find-links|no-index)=", re.MULTILINE)
UNREACHABLE = ("NewConnectionError", "NameResolutionError", "Max retries", "ConnectTimeout", "ProxyError")
UNTRUSTED = ("CERTIFICATE_VERIFY_FAILED", "SSLCertVerificationError")
NO_ANSWER = "Retry(total=0,"  # the last of pip's tries on one address
NOTHING_FOUND = ("No matching distribution found", "Could not find a version", "ResolutionImpossible")
FULL = ("No space left", "ENOSPC", "Errno 28")
STEP = re.compile(r"(?:Collecting|Downloading|Using cached|Building|Installing collected) [^\s:]+")
UNFINISHED = "unfinished"  # a file in an environment until its first installation has ended
NO_PIP = "it has no pip"
NO_CARD = "no NVIDIA card is here (CPU=0: with it)"
GIGABYTE, MEGABYTE = 1e9, 1e6
LINE_S, LOG_S = 1, 20  # between two signs of life: on a terminal, in a log
BUILD = re.compile(r"^__version__ = '([^'+]+)(\+cpu)?", re.MULTILINE)


class StoppedError(Exception):
    """Refusal to go on, in a sentence for the terminal."""


def check_python(version: "tuple[int, int]" = sys.version_info[:2]) -> None:
    """Refuse a Python that PyTorch's packages do not fit.

    Raises:
        StoppedError: it is too old or too new.
    """
    if OLDEST <= version <= NEWEST:
        return
    this, least, most = (".".join(map(str, each)) for each in (version, OLDEST, NEWEST))
    names = ["python3." + str(minor) for minor in range(OLDEST[1], NEWEST[1] + 1)]
    here = next((name for name in names if shutil.which(name)), "")
    cure = "run it with PYTHON=" + (here or "/path/to/python3.12")
    raise StoppedError(
        f"Layerglass runs on Python {least} to {most}, and {sys.executable} is {this}: "
        + (cure if here else f"install one of these, then {cure}")
        + "."
    )


def why_unusable(venv: Path) -> str:
    """Return the reason to remake an environment; empty if it serves."""
    if (venv / UNFINISHED).exists():
        return "an installation was interrupted"
    asked = "import pip, sys; print(*sys.version_info[:2])"
    try:
        done = subprocess.run(
            [str(python_of(venv)), "-c", asked],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return "its Python does not start"
    if done.returncode:
        return NO_PIP
    version = tuple(map(int, done.stdout.split()))
    return "" if OLDEST <= version <= NEWEST else "its Python is {}.{}".format(*version)


def python_of(venv: Path) -> Path:
    """Return an environment's interpreter."""
    return venv / "bin" / "python"


def make(venv: Path) -> None:
    """Make an environment, in place of one that does not serve.

    Raises:
        StoppedError: this Python cannot make one.
    """
    reason = why_unusable(venv) if os.path.lexists(str(venv)) else "there is none"
    if reason == NO_PIP and not _run(python_of(venv), "-m", "ensurepip").returncode:
        return
    if not reason:
        return
    check_python()
    if os.path.lexists(str(venv)):
        tell(f"Making {venv.name} anew: {reason}.")
        _remove(venv)
    done = _run(Path(sys.executable), "-m", "venv", str(venv))
    if not done.returncode and not why_unusable(venv):
        (venv / UNFINISHED).touch()
        return
    _remove(venv)
    said = done.stdout.decode(errors="replace").strip()
    if done.returncode and "ensurepip" not in said and "No module named venv" not in said:
        raise StoppedError(f"no environment could be made in {venv}:\n{said}")
    package = "python{}.{}-venv".format(*sys.version_info[:2])
    raise StoppedError(
        f"{sys.executable} cannot make environments. On Debian and Ubuntu, run as root: "
        f"apt-get install {package}; then run this again."
    )


def _run(python: Path, *words: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [str(python), *words], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def _remove(venv: Path) -> None:
    """Remove an environment; of a link or a file, that alone."""
    if venv.is_symlink() or venv.is_file():
        venv.unlink()
    else:
        shutil.rmtree(str(venv), ignore_errors=True)


def has_card() -> bool:
    """Return whether a card is here that CUDA could use."""
    return any(Path(each).exists() for each in CARDS) or shutil.which("nvidia-smi") is not None


def pytorch_build(venv: Path) -> "tuple[str, bool]":
    """Return the installed PyTorch's version, or "", and whether it lacks CUDA."""
    for file in venv.glob("lib/python*/site-packages/torch/version.py"):
        found = BUILD.search(file.read_text("utf-8"))
        if found:
            return found[1], bool(found[2])
    return "", False


def why_without_cuda(chosen: str, venv: Path) -> str:
    """Return the reason for PyTorch without CUDA; empty if with it.

    A choice comes first, then the build that is there, then the machine's card. An index of one's own is left
    alone: it has the builds that its owner wants.

    Raises:
        StoppedError: the choice cannot be, or the other build is there.
    """
    if chosen not in ("", "0", "1"):
        raise StoppedError(f"CPU={chosen} is no choice: CPU=1 is without CUDA, CPU=0 with it.")
    if not sys.platform.startswith("linux"):
        return ""  # PyTorch has no CUDA there
    version, without = pytorch_build(venv)
    if version and chosen and without != (chosen == "1"):
        raise StoppedError(
            f"PyTorch is here {'without' if without else 'with'} CUDA: type make clean, then this again."
        )
    if chosen:
        return "CPU=1" if chosen == "1" else ""
    if (version and not without) or (has_card() and not version):
        return ""
    configured = _run(python_of(venv), "-m", "pip", "config", "list").stdout.decode(errors="replace")
    if OTHER_INDEX.search(configured):
        return ""
    return "as before" if version else NO_CARD


def announce(venv: Path, cpu: bool) -> None:
    """Print the sizes, and a warning where the disk is too small."""
    if pytorch_build(venv)[0]:
        return tell(f"Completing {venv.name} ...")
    with_cuda = sys.platform.startswith("linux") and not cpu
    download, disk = (3.2, 6.2) if with_cuda else (0.5, 1.9)
    tell(f"Installing into {venv.name}: about {download} GB to download, {disk} GB on disk, some minutes.")
    free = shutil.disk_usage(venv).free / GIGABYTE
    if free < disk:
        tell(f"Only {free:.1f} GB are free in {venv}: free some" + (" or add CPU=1." if with_cuda else "."))
    return None


def install(venv: Path, words: "list[str]", life: "Life") -> None:
    """Run pip in an environment, with signs of life.

    Temporary files lie beside the environment: ``/tmp`` may be small.

    Raises:
        StoppedError: pip failed.
    """
    scratch = venv / "tmp"
    scratch.mkdir(exist_ok=True)
    command = [str(python_of(venv)), "-m", "pip", "install", "--no-compile", "--disable-pip-version-check"]
    lines = []
    settings = dict(os.environ, TMPDIR=str(scratch), PYTHONUNBUFFERED="1")
    command += ["--progress-bar", "off", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=settings, cwd=str(ROOT)
    ) as pip:
        for line in pip.stdout or ():
            lines.append(line.decode(errors="replace").rstrip())
            step = STEP.search(lines[-1])
            if step:
                life.step = step[0]
    shutil.rmtree(scratch, ignore_errors=True)
    if pip.returncode:
        raise StoppedError(why_failed(lines, venv))


def why_failed(lines: "list[str]", venv: Path) -> str:
    """Return the reason of pip's failure, and a cure."""
    said = "\n".join(lines)
    free = shutil.disk_usage(str(venv)).free / MEGABYTE
    if any(each in said for each in FULL):
        return f"no space is left for {venv} ({free:.0f} MB are free): free some, then run this again."
    unfound = any(each in said for each in NOTHING_FOUND)
    if unfound and any(each in said for each in UNTRUSTED):
        return (
            "the index of Python's packages has a certificate that pip does not trust. Name your "
            "organisation's file of certificates: PIP_CERT=/path/to/it.pem, then run this again."
        )
    if unfound and any(each in said for each in (*UNREACHABLE, NO_ANSWER)):
        return (
            "the index of Python's packages cannot be reached. Connect this machine and run this again, or "
            'install from collected packages: docs/install.md, "Does it work offline?".'
        )
    return "pip failed:\n" + "\n".join(lines[-15:])


class Life:
    """Signs of life of an installation: its step, bytes written, seconds."""

    def __init__(self, venv: Path) -> None:
        self.venv, self.step = venv, "Looking for packages"
        self.began, self.free = time.monotonic(), shutil.disk_usage(venv).free
        self.ended = threading.Event()
        self.teller = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> "Life":  # noqa: PYI034  an old Python has no Self
        self.teller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.teller.join()
        if sys.stdout.isatty():
            print("\r\033[K", end="", flush=True)

    def _tell(self) -> None:
        terminal = sys.stdout.isatty()
        begin, end = ("\r\033[K  ", "") if terminal else ("  ", "\n")
        while not self.ended.wait(LINE_S if terminal else LOG_S):
            seconds = time.monotonic() - self.began
            written = max(0, self.free - shutil.disk_usage(self.venv).free) / GIGABYTE
            text = f"{seconds:.0f} s, {written:.1f} GB written: {self.step}"
            print(begin + text[:76], end=end, flush=True)


def without_cuda(venv: Path, index: str, reason: str, life: "Life") -> None:
    """Install PyTorch's build for processors, which later steps keep.

    Raises:
        StoppedError: it cannot be had, and somebody wants no other.
    """
    tell(f"PyTorch comes without CUDA: {reason}.")
    words = ["--no-deps", "--index-url", index, "--retries", "1", "--timeout", "20"]
    try:
        install(venv, [*words, "-c", "constraints.txt", "torch", "torchvision"], life)
    except StoppedError as error:
        if reason != NO_CARD or "no space" in str(error):
            raise
        tell("That build could not be had, so the usual one comes.")


def compile_all(venv: Path) -> None:
    """Compile what was installed on all cores; pip does so on one.

    Some packages carry templates that are no Python, which is no fault.
    """
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    python = str(python_of(venv))
    folder = subprocess.run([python, "-c", asked], check=True, stdout=subprocess.PIPE).stdout.decode().strip()
    subprocess.run([python, "-m", "compileall", "-qq", "-j", "0", folder], check=False)


def constraints() -> "list[str]":
    """Return the versions that were tested together."""
    return (ROOT / "constraints.txt").read_text("utf-8").splitlines()


def fill(venv: Path, requirements: "list[str]", cpu: str, index: str) -> None:
    """Make an environment and install requirements into it.

    Raises:
        StoppedError: there is no environment, or not all of them are in it.
    """
    make(venv)
    reason = why_without_cuda(cpu, venv)
    announce(venv, bool(reason))
    words = [word for each in requirements for word in ("-r", each)]
    try:
        with Life(venv) as life:
            if reason and f"torch=={pytorch_build(venv)[0]}" not in constraints():
                without_cuda(venv, index, reason, life)
            install(venv, [*words, "-c", "constraints.txt"], life)
            life.step = "Compiling"
            compile_all(venv)
    except StoppedError:
        _finish(venv)  # there are a Python and a pip, which go on from here
        raise
    _finish(venv)


def _finish(venv: Path) -> None:
    if (venv / UNFINISHED).exists():
        (venv / UNFINISHED).unlink()


@contextlib.contextmanager
def alone(folder: Path) -> "Iterator[None]":
    """Hold the lock of a checkout while something is installed into it.

    Raises:
        StoppedError: another make holds it.
    """
    opened = os.open(str(folder), os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise StoppedError(
            "another make installs into this checkout: wait for it, then run this again."
        ) from None
    finally:
        os.close(opened)


def tell(text: str) -> None:
    """Print a line for the terminal."""
    print(text, flush=True)


def main(words: "list[str]") -> int:
    """Fill the checkout's environment; 1 and a sentence if there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("requirements", nargs="+", help="files of requirements")
    parser.add_argument("--cpu", default="", help="1: PyTorch without CUDA; 0: with it; else by the machine")
    parser.add_argument("--cpu-index", default=CPU_INDEX, help="index of PyTorch's builds without CUDA")
    parser.add_argument("--venv", default=str(ROOT / ".venv"), help="the environment's folder")
    asked = parser.parse_args(words)
    try:
        with alone(Path(asked.venv).parent):
            fill(Path(asked.venv), asked.requirements, asked.cpu, asked.cpu_index)
    except StoppedError as error:
        print(f"make: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"make: {error.filename or asked.venv}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The same command begins again.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
