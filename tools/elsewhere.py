"""Runs a command as a stranger would, at another place and time.

The stranger is not root, and has no network.

``python -m tools.elsewhere .venv/bin/python -m pytest tests/tools`` clones what is committed here, and runs
the command in the clone as a user with an empty home, in namespaces whose only network is the loopback, with
``LANG=C`` and a far time zone. It must be started by root on Linux, and needs util-linux and iproute2. A
browser that no stranger would find is named in the command: ``env CHROMIUM=/path/to/it make test``.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME, NUMBER = "stranger", 54321
NEEDED = ("unshare", "setpriv", "mount", "ip", "git")
NAMESPACES = ("--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc")
SEARCHED = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
PROOF = """
import os, socket, time
began = time.monotonic()
for address in ("example.org", "192.0.2.1"):
    try:
        socket.create_connection((address, 443), 20)
    except OSError as error:
        took = f"{time.monotonic() - began:.1f} s"
        print(f"elsewhere: {address} is out of reach after {took}: {error}", flush=True)
    else:
        raise SystemExit("elsewhere: there is a network after all")
if os.geteuid() == 0 or os.access("/etc/shadow", os.R_OK):
    raise SystemExit("elsewhere: this is root after all")
"""


def closed_parent(folder: Path) -> Path | None:
    """The outermost folder above, or this one, that others may not enter."""
    above = (*reversed(folder.parents), folder)
    return next((each for each in above if not each.stat().st_mode & 0o001), None)


def opening(folders: list[Path], place: Path) -> list[list[str]]:
    """Return the commands that open these folders to the stranger.

    Of a folder that only root may enter, nothing else is opened.
    """
    shown: dict[Path, list[Path]] = {}
    for folder in folders:
        if closed := closed_parent(folder):
            shown.setdefault(closed, []).append(folder)
    commands = []
    for closed, inside in shown.items():
        kept = [(folder, place / f"kept-{number}") for number, folder in enumerate(inside)]
        for folder, aside in kept:
            commands += [["mkdir", str(aside)], ["mount", "--bind", str(folder), str(aside)]]
        commands += [["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", str(closed)]]
        for folder, aside in kept:
            commands += [["mkdir", "-p", str(folder)], ["mount", "--bind", str(aside), str(folder)]]
            commands += [["umount", str(aside)]]
    return commands


def becoming(place: Path) -> list[str]:
    """Return the beginning of the stranger's command line."""
    number = str(NUMBER)
    environment = {
        "HOME": f"{place}/home",
        "TMPDIR": f"{place}/temporary",
        "USER": NAME,
        "PATH": SEARCHED,
        "LANG": "C",
        "TZ": "Pacific/Auckland",
        "CI": "true",
    }
    user = ["setpriv", "--reuid", number, "--regid", number, "--clear-groups"]
    return [*user, "env", "-i", *(f"{name}={value}" for name, value in environment.items())]


def script(place: Path, command: list[str]) -> str:
    """Return the shell script of the namespaces' first process.

    The process stays, since somebody must bury orphans.
    """
    private = [["mount", "--bind", f"{place}/{name}", f"/etc/{name}"] for name in ("passwd", "group")]
    folders = [Path(sys.base_prefix).resolve(), (ROOT / ".venv").resolve()]
    python = f"{place}/clone/.venv/bin/python"
    return "\n".join(
        [
            "set -e",
            *map(shlex.join, [["ip", "link", "set", "lo", "up"], ["hostname", NAME], *private]),
            *map(shlex.join, opening(folders, place)),
            f"cd {shlex.quote(f'{place}/clone')}",
            shlex.join([*becoming(place), python, "-c", PROOF]),
            "set +e",
            shlex.join([*becoming(place), *command]),
            "exit $?",
        ]
    )


def furnish(place: Path) -> None:
    """Make the clone, the empty home, and the stranger's user files."""
    place.chmod(0o755)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, place / "clone"], check=True)
    (place / "clone" / ".venv").symlink_to((ROOT / ".venv").resolve())
    for file in (place / "clone").glob("*.txt"):
        shutil.copystat(sys.executable, file)  # older than the stamps of .venv, which make then trusts
        file.chmod(0o644)
    (place / "home").mkdir()
    (place / "temporary").mkdir()
    lines = {
        "passwd": f"{NAME}:x:{NUMBER}:{NUMBER}::{place}/home:/bin/sh",
        "group": f"{NAME}:x:{NUMBER}:",
    }
    for name, line in lines.items():
        (place / name).write_bytes(Path("/etc", name).read_bytes() + f"{line}\n".encode())
    owned = [place / "clone", place / "home", place / "temporary"]
    subprocess.run(["chown", "-R", "-h", f"{NUMBER}:{NUMBER}", *owned], check=True)


def missing() -> str:
    """Return the reason why this cannot be done here, or nothing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "elsewhere: must be started by root, on Linux"
    absent = [name for name in NEEDED if shutil.which(name) is None]
    return f"elsewhere: needs {', '.join(absent)} (util-linux, iproute2, git)" if absent else ""


def main(command: list[str]) -> int:
    """Run the command there, and return how it ended."""
    problem = missing() or ("" if command else __doc__ or "")
    if problem:
        print(problem, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="elsewhere-") as folder:
        furnish(Path(folder))
        steps = script(Path(folder), command)
        print(f"elsewhere: as {NAME}, {NUMBER}, in {folder}/clone: {shlex.join(command)}", flush=True)
        return subprocess.run(["unshare", *NAMESPACES, "sh", "-c", steps], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
