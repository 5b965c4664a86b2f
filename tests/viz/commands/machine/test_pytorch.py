"""PyTorch as another process imports it: there, broken, and deadly."""

from pathlib import Path

import pytest
import torch

from viz.commands.machine.pytorch import Probe, card, library, probe


def test_what_is_installed_is_said() -> None:
    """The version and the card are those that this process sees; no card is nothing to mend."""
    found = probe()
    assert library(found).said == f"PyTorch {torch.__version__}"
    assert card(found).grade == "good"
    has_one = torch.cuda.is_available() or torch.backends.mps.is_available()
    assert ("no graphics card" not in card(found).said) == has_one


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("raise OSError('libtorch.so:\\n not found')", "libtorch.so: not found"),
        ("raise ImportError", "ImportError"),
        ("import signal; signal.raise_signal(signal.SIGILL)", "it ends its process (SIGILL)"),
        ("import os; os._exit(7)", "it ends its process (7)"),
        ("print('a word without a line', end='')", "module 'torch' has no attribute '__version__'"),
    ],
)
def test_one_that_cannot_be_imported_is_said(
    source: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that raises, and one that takes its process with it as an illegal instruction does."""
    (tmp_path / "torch.py").write_text(source)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = probe()
    assert (library(found).grade, library(found).said) == ("fatal", f"PyTorch cannot be imported: {said}")
    assert library(found).advice
    assert "no graphics card" in card(found).said


def test_a_cards_name_is_said() -> None:
    """As PyTorch calls it."""
    assert card(Probe("2.10", card="MPS")).said == "graphics card: MPS"
