"""Memory refused while weights are read: the file is not called damaged, so nobody deletes it."""

import hashlib
import multiprocessing
from pathlib import Path

import pytest
import torch

from models.refused_memory import is_refused_memory, is_whole
from models.weights_file import read_state_dict

SIZE = 60_000_000  # numbers of four bytes


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (MemoryError(), True),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes"), True),
        (torch.OutOfMemoryError("CUDA out of memory."), True),
        (RuntimeError("size mismatch for conv1"), False),
        (ValueError("out of memory"), False),
    ],
)
def test_a_refusal_is_told_from_other_errors(error: Exception, refused: bool) -> None:
    """By its type, or by what PyTorch says."""
    assert is_refused_memory(error) is refused


def test_a_file_is_whole_if_its_name_says_so(tmp_path: Path) -> None:
    """One without a checksum in its name is not known to be."""
    digest = hashlib.sha256(b"weights").hexdigest()[:8]
    for name, content, whole in (
        (f"net-{digest}.pth", b"weights", True),
        (f"net-{digest}.pth", b"weight", False),
        ("net.pth", b"weights", False),
    ):
        (tmp_path / name).write_bytes(content)
        assert is_whole(tmp_path / name) is whole


def read_with_little_memory(path: Path) -> str:
    """Return the type of error raised in a process that may take little more memory than it has."""
    import resource  # not on every system

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + 2 * SIZE
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    try:
        read_state_dict(path)
    except Exception as error:  # noqa: BLE001  its name is what is asked for
        return type(error).__name__
    return ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="bounds the memory as Linux counts it")
def test_a_whole_file_that_finds_no_memory_is_not_damaged(tmp_path: Path) -> None:
    """The same bytes under a name with another checksum are; with memory enough they are read."""
    file = tmp_path / "weights.pth"
    torch.save({"weight": torch.zeros(SIZE)}, file)
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()[:8]
    whole, other = tmp_path / f"net-{digest}.pth", tmp_path / "net-00000000.pth"
    file.rename(whole)
    other.hardlink_to(whole)
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        assert pool.map(read_with_little_memory, [whole, other], chunksize=1) == [
            "MemoryError",
            "WeightsDamagedError",
        ]
    assert read_state_dict(whole)["weight"].numel() == SIZE
