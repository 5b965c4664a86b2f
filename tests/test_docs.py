"""The documents name what is there: files, folders, commands, modules, links, and a line for each room."""

import ast
import json
import os
import pkgutil
import re
import subprocess
from pathlib import Path, PurePosixPath
from statistics import median

import pytest

from viz.request.look import look_from_query
from viz.request.views import VIEWS

ROOT = Path(__file__).parents[1]
TRACKED = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
).stdout.splitlines()
FILES = [name for name in TRACKED if (ROOT / name).is_file()]
FOLDERS = {f"{folder}/" for name in FILES for folder in PurePosixPath(name).parents}
PAGES = sorted(name for name in FILES if re.fullmatch(r"(?:(?:docs|bench)/)?[\w.-]+\.md", name))
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAGES}

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"[\w./-]*\w\.(?:py|pyi|js|css|md|toml|txt|yaml|jsonl|webp)")
FOLDER = re.compile(r"\w[\w./-]*/")
NAME_OF_OURS = re.compile(r"(?:viz|models)(?:\.\w+)+(?::\w+(?:\.\w+)*)?")
LINK = re.compile(r"\]\(([^)\s:]*)\)")
TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)

WRITTEN = re.compile(r"--out (\S+)")

# Words in a paragraph, a page, and all pages together that users read; what the code makes is not counted.
PARAGRAPH, PAGE, ALL = 60, 1200, 25_000
NOT_FOR_USERS = re.compile(
    "docs/(api|address|commands|compatibility|gallery|index|keys|layers|messages|methods|models-table|"
    "architecture|rooms|glossary|decisions.*|add-.*|release|hooks.zh).md"
)
USERS = [page for page in PAGES if page.startswith("docs/") and not NOT_FOR_USERS.fullmatch(page)]

# What new users asked and did not find once: the page, and under which headings which words answer it.
ASKED = {
    "What do the colours mean?": ("docs/colours.md", {"What do the colours mean?": "blue is negative"}),
    "Why is a map blank?": (
        "docs/colours.md",
        {"Why is a map blank, or black after a ReLU?": "**one per channel**"},
    ),
    "Which layer do I take for a heat map?": (
        "docs/why-this-class.md",
        {"Which layer for a Grad-CAM heatmap?": "**the last whose places count**"},
    ),
    "Why is a heat map off?": (
        "docs/why-this-class.md",
        {"Why does the heatmap look shifted?": "**stretched over the picture**"},
    ),
    "Can I try it without installing?": (
        "docs/install.md",
        {"Can I try it without installing?": "**all layers as an offline page (HTML)**"},
    ),
    "How do I cite it, and may I print the photos?": (
        "docs/save-and-share.md",
        {"How do I cite Layerglass?": "CITATION.cff", "May I use the pictures in a paper?": "| `cat` | CC0"},
    ),
    "How do I compare two checkpoints?": (
        "docs/two-trainings.md",
        {"How do I compare two checkpoints?": "layerglass diverge resnet18=before.pt resnet18=after.pt"},
    ),
    "My model has two inputs.": (
        "docs/several-inputs.md",
        {"How do I pass two inputs?": "layers.run(torch.rand(2, 4), torch.rand(2, 3))"},
    ),
    "My module is called several times.": (
        "docs/calls.md",
        {"How do I read the second call?": "`record[name][1]`"},
    ),
    "Memory grows over many batches.": (
        "docs/memory.md",
        {"How do I capture many batches?": "set a limit with `budget=`"},
    ),
    "How do I use it in a notebook?": (
        "docs/notebook.md",
        {"How do I see the page in a cell?": "view = lg.look(model"},
    ),
    "How do I install it here, without CUDA?": (
        "docs/install.md",
        {
            "How do I install on Linux or macOS?": "make run",
            "How do I install on Windows?": r".venv\Scripts\python -m pip install .",
            "How do I install without CUDA?": "make run CPU=1",
        },
    ),
    "How do I put a password in front?": (
        "docs/behind-a-proxy.md",
        {"How do I put a password in front?": "auth_basic_user_file"},
    ),
    "How much memory for so many visitors?": (
        "docs/how-much-machine.md",
        {
            "How much memory (RAM) and how many cores for 30 users?": "| 100, ResNet-18 | 8 GB",
            "How do I sum it up for 30 visitors?": "| decoded photos",
        },
    ),
    "Which Chromium do the tests need?": (
        "docs/install.md",
        {"Do the tests need a browser?": "the one that `CHROMIUM` names"},
    ),
    "Blue or dark places of a heat map: are they not important?": (
        "docs/why-this-class.md",
        {"Does dark or blue mean not important?": "blue speaks against it"},
    ),
    "Who reads what a link says, and how long may it be?": (
        "docs/save-and-share.md",
        {"How do I share what I see?": "reads all of it"},
    ),
    "Which of two inputs drives a neuron, and why is its gradient None?": (
        "docs/several-inputs.md",
        {"Which input drives a value? Why is my input's grad None?": "`requires_grad_()`"},
    ),
    "How do I tell two boxes of a detector apart?": (
        "docs/why-this-class.md",
        {"And of a detector, a segmentation, a regression?": "HiResCAM"},
    ),
    "How do I load a TorchScript file?": (
        "docs/open-a-file.md",
        {"How do I load a file in Python?": "torch.jit.load"},
    ),
    "Why is the saved picture small and cropped?": (
        "docs/save-and-share.md",
        {"How do I save from the command line?": "**The size is the layer's"},
    ),
    "Why does the notebook show nothing?": (
        "docs/notebook.md",
        {"The cell stays empty. Why?": "`anywidget`"},
    ),
    "Why does nobody answer to my change?": (
        "CONTRIBUTING.md",
        {"What happens after I have sent a change?": "two weeks"},
    ),
    "Where do I ask, and where do I begin?": (
        "CONTRIBUTING.md",
        {"Where do I begin?": "Add a view", "Where do I ask?": "Open an issue"},
    ),
}
# The same of questions that came later, whose words lead to the heading.
ASKED_LATER = {
    "What has to be done with a file of `state_dict()`?": (
        "docs/open-a-file.md",
        {"Which files are understood?": "choose the model it is of"},
    ),
    "What does it mean that a picture activates a channel most?": (
        "docs/pictures-folder.md",
        {"What activates a neuron (a channel) most?": "the channel's largest value"},
    ),
    "Can the letters be larger on a projector?": (
        "docs/learn.md",
        {"How do I show the page on a projector?": "**Larger letters**"},
    ),
    "Do attributions work in mixed precision?": (
        "docs/own-model.md",
        {"Does half precision work: fp16, bf16, autocast?": "Attributions work there too"},
    ),
    "How do I explain an LSTM, which returns a tuple?": (
        "docs/several-inputs.md",
        {"What if a layer returns several tensors?": "the first tensor"},
    ),
    "How do I see DINOv2's attention, also with xFormers?": (
        "docs/find-a-layer.md",
        {"How do I see a transformer's attention maps?": "XFORMERS_DISABLED"},
    ),
    "Which grid do a transformer's tokens lie in, and how do I treat volumes?": (
        "docs/why-this-class.md",
        {
            "And of a transformer: ViT or Swin?": "input size / patch size",
            "And of a detector, a segmentation, a regression?": "mean over axes 2 to 4",
        },
    ),
    "Integrated gradients run out of memory.": (
        "docs/memory.md",
        {"What do I do against CUDA out of memory?": "while `batch` is 1"},
    ),
    "At which layer do processor and card part?": (
        "docs/where-two-nets-part.md",
        {"How do I compare a processor with a graphics card?": "NVIDIA_TF32_OVERRIDE"},
    ),
    "May several replicas serve it?": (
        "docs/operating.md",
        {"Can two servers stand behind one address?": "several replicas"},
    ),
    "Is a map the same at every run, and is SmoothGrad there?": (
        "docs/why-this-class.md",
        {"Which method should I choose?": "None draws random numbers"},
    ),
    "How many pictures does CKA take?": (
        "docs/pictures-folder.md",
        {"How do I compare the layers of two models?": "four at least"},
    ),
    "Why is an optimised picture grey?": (
        "docs/pictures-folder.md",
        {"How do I see what the channel wants?": "no gradient reaches it"},
    ),
    "It never connects on a hosting platform, or behind JupyterHub.": (
        "docs/behind-a-proxy.md",
        {
            "What must every proxy do?": "hosting platform",
            "Can the page stand under a subpath?": "jupyter-server-proxy",
        },
    ),
    "Which addresses does a cluster ask?": (
        "docs/containers.md",
        {"How do I run it on Kubernetes?": "start-up only `/_stcore/health`"},
    ),
    "What must I rebuild after a change of a script?": (
        "CONTRIBUTING.md",
        {"How is the code written?": "no build step"},
    ),
    "Are notebooks sent with their outputs?": (
        "CONTRIBUTING.md",
        {"How do I build the documents?": "without outputs"},
    ),
    "Which files does another method take, and how are the documents built?": (
        "CONTRIBUTING.md",
        {"Where do I begin?": "a method of attribution", "How do I build the documents?": "`make docs`"},
    ),
}
IN_FRONT = 150  # words until an answer, as the median of those questions

EVERY_FOLDERS = {"__init__.py", "__init__.pyi"}  # what each room has is a file of no room in particular
MADE = {"layerglass/", "site/"}  # there once the wheel or the reference is built


def code(text: str) -> list[str]:
    """Return a page's code: the lines of its commands, and what stands in backticks."""
    blocks = [
        line.split("  #")[0] for kind, block in FENCE.findall(text) if not kind for line in block.splitlines()
    ]
    return blocks + SPAN.findall(FENCE.sub("", text))


def words(text: str) -> set[str]:
    """Every word of a page's code, without the signs around it."""
    return {word.strip(",;:()[]\"'") for said in code(text) for word in said.split()}


def prose(text: str) -> list[str]:
    """The paragraphs and items of a page, without code, small print, tables and headings."""
    plain = re.sub(r"^(`{3,}).*?^\1`*$|<sub>.*?</sub>", "", text, flags=re.MULTILINE | re.DOTALL)
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=\||#)", plain)
    said = (re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block).strip() for block in blocks)
    return [each for each in said if each and not each.startswith(("|", "#"))]


def words_in_front(page: str, heading: str, answer: str) -> int:
    """Count the words in front of an answer on its page.

    That is a line below the heading. Headings and tables count; code, pictures and small print do not.

    Raises:
        AssertionError: there is no such line.
    """
    plain = re.sub(r"<sub>.*?</sub>|!\[[^\]]*\]\([^)]*\)", "", page, flags=re.DOTALL)
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
    fence, here, count = "", False, 0
    for line in plain.splitlines():
        if ticks := re.match("`{3,}", line):
            fence = "" if fence == ticks[0] else fence or ticks[0]
        elif not fence and line.startswith("#"):
            here = line.lstrip("# ") == heading
        if here and answer in line:
            return count
        count += 0 if fence or ticks else len(re.findall(r"[^\s|]*\w[^\s|]*", line))
    raise AssertionError(f"{heading}: nothing says {answer}")


def written(text: str) -> set[str]:
    """The files that a page's commands are told to write."""
    return {name for said in code(text) for name in WRITTEN.findall(said)}


def is_file_of_ours(name: str) -> bool:
    """Return whether it is a path from the top, or the end of one: ``drawing.py`` could be two files."""
    return name in FILES or sum(path.endswith(f"/{name}") for path in FILES) == 1


def places(text: str) -> set[str]:
    """The names by which a link reaches a page's headings, as GitHub and others make them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_folder_that_is_named_exists(page: str) -> None:
    """A name by itself must mean one file; folders end with a slash, and may be named from ``viz`` on.

    What a command of the page writes is there only after it.
    """
    named = {word for word in words(TEXTS[page]) - written(TEXTS[page]) if "NAME" not in word}
    files = {word for word in named if FILE.fullmatch(word)} - EVERY_FOLDERS
    folders = {word for word in named if FOLDER.fullmatch(word)} - MADE
    assert [name for name in sorted(files) if not is_file_of_ours(name)] == []
    assert [name for name in sorted(folders) if not {name, f"viz/{name}"} & FOLDERS] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_make_that_is_named_exists(page: str) -> None:
    """In commands and in backticks; what is given to it (``PORT=8080``) is no target."""
    lines = [said.removeprefix("make ").split() for said in code(TEXTS[page]) if said.startswith("make ")]
    named = {word for line in lines for word in line if re.fullmatch("[a-z-]+", word)}
    targets = set(TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))
    assert named - targets == set()


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])
def test_every_module_and_attribute_of_ours_that_is_named_exists(page: str) -> None:
    """From ``viz`` or ``models`` on. The changelog may name what is gone."""
    missing = []
    for name in sorted(word for word in words(TEXTS[page]) if NAME_OF_OURS.fullmatch(word)):
        try:
            pkgutil.resolve_name(name)
        except (ImportError, AttributeError):
            missing.append(name)
    assert missing == []


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Every file that a page links to is there, and so is the heading in it; ``/?`` begins a look."""
    for link in LINK.findall(TEXTS[page]):
        if link.startswith("/?"):
            assert look_from_query(link.removeprefix("/?"))[1] == (), link
            continue
        file, _, place = link.partition("#")
        target = (ROOT / page).parent / file if file else ROOT / page
        assert target.exists(), link
        assert not place or place in places(target.read_text(encoding="utf-8")), link


def test_no_picture_of_the_page_is_older_than_its_views() -> None:
    """Each shows the buttons of all views, as ``make screenshots`` has seen them; none is left unused."""
    seen = json.loads((ROOT / "docs/pictures/parts.json").read_text("utf-8"))
    buttons = [name for name, view in VIEWS.items() if not view.within]
    assert {name: views for name, views in seen.items() if views != buttons} == {}, "run make screenshots"
    shown = {Path(link).stem for text in TEXTS.values() for link in LINK.findall(text) if "pictures/" in link}
    assert set(seen) - shown == set()


@pytest.mark.parametrize("page", USERS)
def test_a_document_for_users_is_short(page: str) -> None:
    """One job a page and one thought a paragraph, as far as that can be counted."""
    assert {
        said[:60]: len(said.split()) for said in prose(TEXTS[page]) if len(said.split()) > PARAGRAPH
    } == {}
    assert sum(len(said.split()) for said in prose(TEXTS[page])) <= PAGE


def test_all_documents_for_users_together_are_short() -> None:
    """So that one can know them."""
    assert sum(len(said.split()) for page in USERS for said in prose(TEXTS[page])) <= ALL


def test_what_new_users_ask_is_answered_near_the_top_of_its_page() -> None:
    """Count from the page's top, as for who follows no heading, to the last part of the answer."""
    read = {
        question: max(words_in_front(TEXTS[page], *each) for each in answers.items())
        for question, (page, answers) in ASKED.items()
    }
    assert len(read) == 24
    assert median(read.values()) <= IN_FRONT, read


def test_what_was_asked_later_is_answered_below_its_heading() -> None:
    """Within as many words for each, counted from the heading."""
    read = {
        question: max(
            words_in_front(TEXTS[page], heading, answer) - words_in_front(TEXTS[page], heading, heading)
            for heading, answer in answers.items()
        )
        for question, (page, answers) in ASKED_LATER.items()
    }
    assert {question: count for question, count in read.items() if count > IN_FRONT} == {}


def test_the_words_in_front_of_an_answer_are_counted() -> None:
    """The test above relies on this; an answer elsewhere on the page is none."""
    page = (
        "# A net\n\nIts [whole](far.md) answer: 7.\n![not seen](a.png)\n<sub>nor\nthis</sub>\n\n"
        "| a | table |\n|---|---:|\n\n````\n# code\n```\nof this\n````\n\n## Why?\n\nSo: 7.\n"
    )
    read = ["A", "net", "Its", "whole", "answer:", "7.", "a", "table"]
    assert words_in_front(page, "A net", "of this") == len(read)
    assert words_in_front(page, "Why?", "7") == len([*read, "Why?"])
    with pytest.raises(AssertionError, match=r"^Why\?: nothing says code$"):
        words_in_front(page, "Why?", "code")


def test_the_contents_lead_to_every_document() -> None:
    """Also to those of the project's top folder, but for the README, which leads here."""
    listed = {os.path.normpath(f"docs/{link}") for link in LINK.findall(TEXTS["docs/index.md"])}
    elsewhere = {"README.md", "CODE_OF_CONDUCT.md", "docs/index.md"}
    assert {page for page in PAGES if not page.startswith("bench/")} - elsewhere == listed


def test_the_rooms_have_a_line_each() -> None:
    """The first sentence of the room itself, word for word."""
    rows = re.findall(r"^\| `(\w[\w/]*/)` \| (.+) \|$", TEXTS["docs/rooms.md"], re.MULTILINE)
    rooms = {
        f"{path.parent.relative_to(ROOT)}/": ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        for top in ("viz", "models")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert {room: says.rstrip(".") for room, says in rows} == {
        room: str(says).splitlines()[0].rstrip(".") for room, says in rooms.items()
    }


def test_what_is_not_there_is_found() -> None:
    """The tests above rely on this: files, folders, names and headings are told from other words."""
    page = "Run `make nothing X=1`, `viz/lost.py`, `gone/`, `viz.lost:Lost`\n\n```\nmake none  # so\n```\n"
    assert {"make nothing X=1", "make none", "viz/lost.py"} <= set(code(page))
    assert [word for word in sorted(words(page)) if FILE.fullmatch(word)] == ["viz/lost.py"]
    assert [word for word in words(page) if FOLDER.fullmatch(word)] == ["gone/"]
    assert [word for word in words(page) if NAME_OF_OURS.fullmatch(word)] == ["viz.lost:Lost"]
    assert written("`viz script --out made.py`, --out lost.py and `viz/lost.py`") == {"made.py"}
    assert not is_file_of_ours("viz/lost.py")
    assert not is_file_of_ours("__init__.py")
    assert is_file_of_ours("hooks/activations.py")
    assert places("## Add a *model*, quickly\n") == {"add-a-model-quickly"}


WRITTEN_AS = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", " ": "Space", "-": "−"}
IN_WORDS = {"Enter", "Escape", "=", "_"}  # named in a row's words; or + and −, with or without Shift
HEARD = {  # tables of keys in the browser's code, and words of the row that has them
    "layer/keys.js: KEYS": "",
    "plan_player/player.js: STEPS": "",
    "side/frame.js: ARROWS": "in the frame",
    "side/frame.js: SIZES": "in the frame",
    "plan_shelf/editor.js: by": "lesson plan: move a step",
}


@pytest.mark.parametrize(("place", "words"), HEARD.items())
def test_the_page_of_keys_has_every_key_that_the_browser_hears(place: str, words: str) -> None:
    """Digits and letters may be a range there."""
    file, name = place.split(": ")
    code = (ROOT / "viz/ui/browser" / file).read_text(encoding="utf-8")
    _, _, code = code.partition(f"const {name} = ")
    table, _, _ = code.partition("\n};" if code.startswith("{\n") else "}")
    heard = {plain or sign for plain, sign in re.findall(r'[{,]\s*(?:(\w+)|"([^"]+)"): ', table)}
    rows = "\n".join(line for line in TEXTS["docs/keys.md"].splitlines() if words in line)
    assert heard
    assert {WRITTEN_AS.get(key, key) for key in heard - IN_WORDS} - named_keys(rows) == set()


def test_the_page_of_keys_has_those_of_lessons_and_exercises() -> None:
    """A prediction hears the letters of its answers and the digits; an editor hears Ctrl and Enter."""
    code = (ROOT / "viz/ui/browser/course/prediction.js").read_text(encoding="utf-8")
    (letters,) = re.findall(r"const LETTERS = \[(.*?)\]", code)
    lesson, exercise = (
        next(line for line in TEXTS["docs/keys.md"].splitlines() if words in line)
        for words in ("in a lesson:", "in an exercise:")
    )
    assert named_keys(lesson) == {*re.findall(r"\w", letters), *"123456789"}
    assert named_keys(exercise) == {"Ctrl", "Enter"}


def named_keys(rows: str) -> set[str]:
    """Return the keys of some rows, with all of a range."""
    ranges = re.findall(r"<kbd>(.)</kbd> <kbd>…</kbd> <kbd>(.)</kbd>", rows)
    between = {chr(each) for first, last in ranges for each in range(ord(first), ord(last) + 1)}
    return set(re.findall(r"<kbd>([^<…]+)</kbd>", rows)) | between
