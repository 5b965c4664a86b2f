"""The server under attack, seen from outside: its process, its memory, the files that it has open."""

from pathlib import Path
from urllib.parse import urlsplit

PROCESSES = Path("/proc")


def process_of(address: str) -> Path:
    """The system's folder about the process that serves this address.

    Raises:
        LookupError: there is none.
    """
    port = str(urlsplit(address).port).encode()
    for process in PROCESSES.glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # the process ended meanwhile
            continue
        if b"--server.port" in words and port in words:
            return process
    raise LookupError(f"nobody serves {address}")


def memory(process: Path) -> int:
    """The megabytes that a process holds now."""
    line = next(line for line in (process / "status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1000


def processor_seconds(process: Path) -> float:
    """The processor time that a process has taken, in hundredths of a second."""
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def files_on_disk(process: Path) -> list[str]:
    """The temporary files that a process has open, deleted ones as well."""
    found = []
    for link in (process / "fd").iterdir():
        try:
            found.append(str(link.readlink()))
        except OSError:  # the file was closed meanwhile
            continue
    return [name for name in found if "(deleted)" in name and not name.startswith(("/memfd", "/dev/"))]
