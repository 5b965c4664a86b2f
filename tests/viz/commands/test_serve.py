"""An operator's own model: served, listed and captured only if it is named, and refused in one line."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import urllib.request
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn

import models
from models.own.own_model_name import SETTING
from tests.browser.pictures import photo as noise
from tests.browser.pictures import png
from tests.browser.serving import free_port, wait_until_served
from tests.machine import patience
from viz.__main__ import main
from viz.commands.serve import server_command, server_environment
from viz.home import CAPTURE, LABELS, PICTURES

ROOT = Path(__file__).parents[3]
SOURCE = """
    import torch
    from torch import nn

    def plain():
        torch.manual_seed(7)
        return nn.Sequential(nn.Conv2d(3, 4, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))

    def described():
        card = {"input_size": (24, 32), "mean": [0, 0, 0], "std": (1, 1, 1), "classes": ["left", "right"]}
        return plain(), card | {"title": "Side finder", "notes": "Made for a test."}

    class Kind(nn.Conv2d):
        def __init__(self):
            super().__init__(3, 2, 1)

    class Stubborn(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(1))

        def forward(self, images):
            return images * self.weight

    THERE = plain()

    def resnet18():
        return plain()

    def broken():
        raise FileNotFoundError("no weights.pt\\nin this folder")

    def odd():
        return 3

    def misspelt():
        return plain(), {"sise": 3}

    def crooked():
        return plain(), {"mean": [0.5]}

    def lazy():
        return nn.Sequential(nn.LazyConv2d(4, 3), nn.ReLU())

    def unfitting():
        return nn.Sequential(nn.Flatten(), nn.Linear(3, 2))
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an operator's module, different in every test; the setting is restored afterwards."""
    name = f"own_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(SOURCE))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(SETTING, "")
    return name


def net() -> nn.Module:
    """Return the net that ``plain`` makes, made here."""
    with torch.random.fork_rng():
        torch.manual_seed(7)
        return nn.Sequential(nn.Conv2d(3, 4, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))


def test_it_comes_first_under_its_factorys_name(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only while it is named; with the factory's weights, and with none where all layers can start over."""
    usual = models.names()
    monkeypatch.setenv(SETTING, f"{own}:plain")
    assert models.names() == ("plain", *usual)
    assert models.own_model_name() == "plain"
    card = models.describe("plain")
    assert (card.input_size, card.parameters, card.source) == ((224, 224), 122, f"{own}:plain")
    made, started_over = (models.load("plain", weights).state_dict() for weights in ("pretrained", "random"))
    assert all(torch.equal(made[name], value) for name, value in net().state_dict().items())
    assert not torch.equal(made["0.weight"], started_over["0.weight"])
    again = models.load("plain", "random").state_dict()
    assert all(torch.equal(started_over[name], value) for name, value in again.items())
    monkeypatch.setenv(SETTING, "")
    with pytest.raises(models.UnknownModelError):
        models.describe("plain")


def test_its_card_says_how_pictures_are_prepared(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Size, scale, classes and words are those of the dict."""
    monkeypatch.setenv(SETTING, f"{own}:described")
    card = models.describe("described")
    assert (card.title, card.notes, card.classes) == ("Side finder", "Made for a test.", ("left", "right"))
    black = card.preprocessing(Image.new("RGB", (100, 80)))
    assert black.shape == (1, 3, 24, 32)
    assert black.abs().max() == 0


@pytest.mark.parametrize(("factory", "layers"), [("Kind", 1), ("THERE", 5), ("Stubborn", 1)])
def test_a_class_and_a_module_will_do(
    own: str, factory: str, layers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that exists already is copied, so that what a visitor does with it has no effect."""
    monkeypatch.setenv(SETTING, f"{own}:{factory}")
    first, second = models.load(factory), models.load(factory)
    assert len(list(first.modules())) == layers
    assert next(first.parameters()) is not next(second.parameters())


def test_layers_that_cannot_start_over_have_no_untrained_weights(
    own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trained numbers must not be shown as untrained ones."""
    monkeypatch.setenv(SETTING, f"{own}:Stubborn")
    with pytest.raises(models.WeightsUnavailableError, match="cannot start over"):
        models.load("Stubborn", "random")


def test_it_may_have_the_name_of_another_model(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it replaces that model, and is listed once."""
    monkeypatch.setenv(SETTING, f"{own}:resnet18")
    assert models.names().count("resnet18") == 1
    assert models.describe("resnet18").parameters == 122


def test_the_command_line_lists_and_captures_it(
    own: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the factory's own weights unless others are asked for; the numbers are those of the same net."""
    assert main(["layers", f"{own}:plain", "--json"]) == 0
    assert [row["type"] for row in json.loads(capsys.readouterr().out)][:2] == ["Conv2d", "AdaptiveAvgPool2d"]
    out = tmp_path / "maps.npz"
    request = ["capture", "sample:dot", "--model", f"{own}:described", "--layer", "0", "--out", str(out)]
    assert main(request) == 0
    captured = np.load(out)["output"]
    assert captured.shape == (1, 4, 22, 30)
    assert "(original weights)" in capsys.readouterr().out  # nobody knows here whether they were trained
    assert main([*request, "--weights", "random"]) == 0
    assert "(untrained)" in capsys.readouterr().out
    from viz.pictures.samples import sample

    images = models.describe("described").preprocessing(sample("dot"))
    np.testing.assert_array_equal(captured, net()[0](images).detach().numpy())


REFUSED = {
    "fails": ("{own}:broken", "FileNotFoundError: no weights.pt in this folder"),
    "returns something else": ("{own}:odd", "must return a torch.nn.Module"),
    "says something unknown": ("{own}:misspelt", "'sise'"),
    "says something wrong": ("{own}:crooked", "mean must be three numbers"),
    "cannot take the picture": ("{own}:unfitting", "cannot take a plain picture"),
    "has a layer without a shape": ("{own}:lazy", "has no shape yet (a lazy layer)"),
    "has no layers": ("{own}:Stubborn", "has no layers to look at"),
    "is not there": ("{own}:absent", "has no attribute 'absent'"),
    "module is not there": ("nowhere_at_all:net", "No module named 'nowhere_at_all'"),
    "no name": (":", "write package.module:factory"),
    "half a name": ("{own}:", "write package.module:factory"),
    "more than a name": ("{own}:plain()", "write package.module:factory"),
}


@pytest.mark.parametrize(("spec", "expected"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("command", ["serve", "layers"])
def test_what_cannot_be_served_is_one_line(
    own: str, command: str, spec: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, nothing on standard output, no traceback, and no server."""
    named = spec.format(own=own)
    assert main([command, *(["--model"] if command == "serve" else []), named]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert expected in shown.err
    assert shown.err.count("\n") == 1


ENGINES = {
    "an engine that there is not": ("gpu", "there is no engine 'gpu': choose local"),
    "a cluster that is no address": ("ray://a b", "there is no engine 'ray://a b'"),
}


@pytest.mark.parametrize(("engine", "expected"), ENGINES.values(), ids=ENGINES)
def test_an_engine_that_there_is_not_is_refused_in_one_line(
    engine: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a model is loaded for it, and with no traceback."""
    assert main(["serve", "--engine", engine]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert expected in shown.err
    assert shown.err.count("\n") == 1


def test_an_engine_that_there_is_not_is_refused_in_the_environment_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A misspelt setting chooses no other engine in silence; the argument goes before it."""
    monkeypatch.setattr("viz.commands.line.serve.become_server", lambda *_: None)
    monkeypatch.setenv("LAYERGLASS_ENGINE", "rya")
    assert main(["serve"]) == 2
    assert "there is no engine 'rya': choose local, process, ray" in capsys.readouterr().err
    assert main(["serve", "--engine", "local"]) == 0


def test_an_engine_that_is_not_installed_is_refused_before_the_server_starts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one that is there is told to the server by its environment."""
    monkeypatch.setattr("viz.commands.serve.find_spec", lambda _: None)
    assert main(["serve", "--engine", "ray"]) == 2
    assert "install layerglass[ray]" in capsys.readouterr().err
    monkeypatch.setattr("viz.commands.line.serve.become_server", lambda *_: None)
    monkeypatch.setenv("LAYERGLASS_ENGINE", "")
    assert main(["serve", "--engine", "process"]) == 0
    assert server_environment()["LAYERGLASS_ENGINE"] == "process"


def test_a_name_without_a_factory_is_no_model_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    """Models of the catalogue are on the page anyway."""
    assert main(["serve", "--model", "lenet"]) == 2
    assert "write package.module:factory" in capsys.readouterr().err


def test_the_server_is_this_python_with_this_folders_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Host and port as asked for; without a host the page is for this machine only."""
    monkeypatch.chdir(tmp_path)
    command = server_command("0.0.0.0", 80)
    assert command[:2] == [sys.executable, str(ROOT / "app.py")]
    assert command[2:] == ["--server.port", "80", "--server.address", "0.0.0.0"]
    assert "--server.address" not in server_command(None, 80)
    assert server_environment()["PYTHONPATH"].split(os.pathsep)[0] == str(tmp_path)


@pytest.mark.parametrize(
    ("words", "served"),
    [
        ([], (None, 8501)),
        (["--port", "9"], (None, 9)),
        (["serve", "--host", "127.0.0.1", "--port", "9"], ("127.0.0.1", 9)),
    ],
)
def test_who_names_no_command_wants_the_page(
    words: list[str],
    served: tuple[str | None, int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The installed command serves it at the given port and host or the defaults, and says where first."""
    asked = []
    monkeypatch.setattr("viz.__main__.INSTALLED", True)
    monkeypatch.setattr("viz.commands.line.serve.become_server", lambda *where: asked.append(where))
    assert main(words) == 0
    assert asked == [served]
    assert f"http://{served[0] or 'localhost'}:{served[1]} " in capsys.readouterr().out


def test_help_is_help_and_no_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It lists every command, and says what is done without one."""
    monkeypatch.setattr("viz.__main__.WITHOUT_COMMAND", "Without a command: serve. ")
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    told = capsys.readouterr().out
    assert all(f"\n    {command} " in told for command in ("layers", "capture", "sweep", "serve"))
    assert "Without a command: serve." in told


@pytest.mark.slow
def test_the_page_is_served_with_it_from_any_folder(own: str, tmp_path: Path) -> None:
    """A real server, started where the model is; it answers, and ends when its starter is told to."""
    port, log = free_port(), tmp_path / "log.txt"
    command = [sys.executable, "-m", "viz", "serve", "--model", f"{own}:described", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=output, stderr=output)
    try:
        wait_until_served(f"http://127.0.0.1:{port}", server, log)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=patience(60)) as answer:
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=patience(60))
    assert "could not be loaded" not in log.read_text()


STARTED = """
    import asyncio, gc, runpy
    page = runpy.run_path("app.py")
    imported = gc.isenabled()

    async def start():
        from viz.ui.wire import shell_files
        async with page["server"].warmed_up(page["app"]):
            made = shell_files._page.cache_info().currsize
            print(imported, gc.get_freeze_count() > 50_000, made)
            while not gc.isenabled():  # nothing is collected until the first screen is loaded
                await asyncio.sleep(0.05)
            print("collects")

    asyncio.run(start())
"""


def test_a_start_collects_no_garbage_and_leaves_the_collector_on() -> None:
    """The imported modules are exempt for good, and the page that the first visitor asks for is made."""
    said = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(STARTED)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=patience(60),
    )
    assert said.stdout.split() == ["True", "True", "1", "collects"]


def test_a_folder_without_pictures_and_what_is_no_capture_are_refused_before_the_server_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line that names the folder, and status 2."""
    for name, said in (("--pictures", "there is no picture in"), ("--capture", "is no finished capture")):
        assert main(["serve", name, str(tmp_path)]) == 2
        assert said in capsys.readouterr().err
        assert main(["serve", name, str(tmp_path / "nowhere")]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_good_folder_and_a_good_capture_reach_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As settings of the process that it becomes, with whole paths; it says how many pictures there are."""
    pictures, out = picture_folder(tmp_path), tmp_path / "out"
    command = ["capture-folder", "pictures", "--model", "lenet", "--layers", "conv1", "--workers", "0"]
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--out", "out"]) == 0
    capsys.readouterr()
    became: list[str] = []
    monkeypatch.setattr("viz.commands.line.serve.become_server", lambda *_: became.append("server"))
    for given, setting, whole in (("pictures", PICTURES, pictures), ("out", CAPTURE, out)):
        monkeypatch.setenv(setting, "")
        option = "--pictures" if setting == PICTURES else "--capture"
        assert main(["serve", option, given]) == 0
        assert os.environ[setting] == str(whole)
        said = capsys.readouterr().out
        assert "with 3 pictures that every visitor may look at" in said
        assert (f"--pictures {str(pictures)!r}" in said) == (setting == CAPTURE)
    assert became == ["server", "server"]


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Three pictures and a capture of them, by the options that offer them; no server comes of it."""
    pictures, out = picture_folder(tmp_path), tmp_path / "out"
    command = ["capture-folder", str(pictures), "--model", "lenet", "--layers", "conv1", "--workers", "0"]
    assert main([*command, "--out", str(out)]) == 0
    monkeypatch.setattr("viz.commands.line.serve.become_server", lambda *_: None)
    for setting in (PICTURES, CAPTURE, LABELS):
        monkeypatch.setenv(setting, "")
    return {"--pictures": pictures, "--capture": out}


@pytest.mark.parametrize("option", ["--pictures", "--capture"])
def test_the_classes_of_its_pictures_reach_the_server(
    option: str, offered: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a setting with the file's whole path."""
    (tmp_path / "classes.csv").write_text("picture,label\n0.png,one\n1.png,other\n")
    monkeypatch.chdir(tmp_path)
    assert main(["serve", option, str(offered[option]), "--labels", "classes.csv"]) == 0
    assert os.environ[LABELS] == str(tmp_path / "classes.csv")


def test_a_folder_is_listed_once_also_with_the_classes_of_its_pictures(
    offered: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of a million pictures takes a minute: how often the system is asked what is in it is counted."""
    (tmp_path / "classes.csv").write_text("picture,label\n0.png,one\n1.png,other\n")
    scan, asked = os.scandir, list[str]()
    monkeypatch.setattr("os.scandir", lambda place: [asked.append(str(place)), scan(place)][1])
    words = ["serve", "--pictures", str(offered["--pictures"]), "--labels", str(tmp_path / "classes.csv")]
    assert main(words) == 0
    assert asked.count(str(offered["--pictures"].resolve())) == 1


@pytest.mark.parametrize("option", ["--pictures", "--capture"])
def test_bad_labels_are_refused_before_the_server_starts_as_the_lens_refuses_them(
    option: str, offered: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the same words, whether they are of pictures elsewhere, say two things, or are no table."""
    file = tmp_path / "classes.csv"
    bad = ("picture,label\nelsewhere.png,a\n", "picture,label\n0.png,a\n0.png,b\n", "picture\n0.png\n")
    for text in (*bad, None):
        file.unlink() if text is None else file.write_text(text)
        said = []
        for command in (["lens", str(offered["--capture"])], ["serve", option, str(offered[option])]):
            capsys.readouterr()
            assert main([*command, "--labels", str(file)]) == 2
            said.append(capsys.readouterr().err.splitlines()[-1].partition(": ")[2])
        assert said[0] == said[1]
    assert os.environ[LABELS] == ""


def test_classes_without_pictures_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It is said which options name the pictures."""
    assert main(["serve", "--labels", str(tmp_path / "classes.csv")]) == 2
    assert "--pictures or --capture" in capsys.readouterr().err


def picture_folder(home: Path) -> Path:
    """A folder with three pictures."""
    folder = home / "pictures"
    folder.mkdir()
    for seed in range(3):
        (folder / f"{seed}.png").write_bytes(png(noise(seed)))
    return folder


@pytest.mark.slow
def test_a_real_server_begins_with_a_folder_and_a_capture(tmp_path: Path) -> None:
    """It says how many pictures it has, answers, and ends without a word of trouble."""
    pictures, out = picture_folder(tmp_path), tmp_path / "out"
    command = ["capture-folder", str(pictures), "--model", "lenet", "--workers", "0", "--out", str(out)]
    assert main(command) == 0
    port, log = free_port(), tmp_path / "log.txt"
    start = [sys.executable, "-m", "viz", "serve", "--pictures", str(pictures), "--capture", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*start, "--port", str(port)], cwd=tmp_path, env=environment, stdout=output, stderr=output
        )
    try:
        wait_until_served(f"http://127.0.0.1:{port}", server, log)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=patience(60))
    written = log.read_text()
    assert "with 3 pictures that every visitor may look at" in written
    assert "Traceback" not in written
