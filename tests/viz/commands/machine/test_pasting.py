"""Commands in advice do what they say once they are pasted."""

import shlex
import subprocess
import sys
from pathlib import Path

from viz.commands.machine.parts import Requirement, packages
from viz.commands.machine.pasting import ours, to_paste
from viz.commands.machine.reaching import network, port

ROOT = Path(__file__).parents[4]


def test_a_shell_reads_the_same_words() -> None:
    """With a space in a folder's name, and nothing that it would take for its own."""
    words = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "a folder/b", "$HOME", "x."]
    done = subprocess.run(to_paste(*words), shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(words[3:])


def test_a_command_of_ours_is_one_of_this_interpreter() -> None:
    """``python`` alone is often another one, or none."""
    assert shlex.split(ours("serve")) == [sys.executable, "-m", "viz", "serve"]


def test_no_advice_ends_in_a_full_stop_that_would_be_pasted() -> None:
    """Nor in a file that is not there, wherever the terminal is."""
    install = packages([Requirement("no-such-package", ())]).advice
    files = ["-r", str(ROOT / "requirements.txt"), "-c", str(ROOT / "constraints.txt")]
    assert shlex.split(install.partition(": ")[2]) == [
        *(sys.executable, "-m", "pip", "install", "--upgrade"),
        *files,
    ]
    begin = port(8501, free=lambda number: number == 8503).advice
    assert shlex.split(begin.partition(": ")[2]) == [sys.executable, "-m", "viz", "serve", "--port", "8503"]
    assert network(["192.168.1.20"]).said.endswith(ours("serve", "--host", "0.0.0.0"))


def test_where_no_other_port_is_free_none_is_named() -> None:
    """It would have to be invented."""
    assert port(8501, free=lambda _: False).advice == "End what listens there."
