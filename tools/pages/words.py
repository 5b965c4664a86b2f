"""Documents of the page's own words: keys, kinds of layers, methods, messages."""

import inspect
import re
from pathlib import Path

import models
from tools.pages.markdown import table
from viz import errors
from viz.ui.locale.english.layers import LAYER_WORDS
from viz.ui.locale.words import browser_words

HELP = Path(__file__).parents[2] / "viz/ui/browser/layer/help.js"
KEY_ROW = re.compile(r"^  \[\[(.+?)\], words\.(\w+)\],$", re.MULTILINE)
KEYS_HEAD = """\
# Keys

Every key of the page. Press <kbd>?</kbd> to see them there.
"""
LAYERS_HEAD = """\
# Kinds of layers

The explanation of each kind of layer, as **what is this?** (key <kbd>i</kbd>) gives it on the page, there
with the layer's own numbers.

A kind is found by the name of the layer's class or operation, without case, underscores and dimensions:
`Conv2d` and `conv3d` are `conv`.
"""
METHODS_HEAD = """\
# Methods

How each method tells what counts for a class. [Ask why it is this class](why-this-class.md) says when to
use which.
"""
MESSAGES_HEAD = """\
# Messages

Every message is one sentence that says what was asked, what is true, and what to do. Here they are by their
kind.

In Python each is an exception below `viz.errors.VizError`, or `models.ModelError` where a model or its
weights cannot be had.
"""
TO_DO = {
    "UnknownLayerError": "List the names, `layerglass layers MODEL`, or [find a layer](find-a-layer.md).",
    "CallError": "See [modules that are called often](calls.md): choose a call by its number.",
    "UnsupportedModelError": "Give a `torch.nn.Module` with real weights: [your own model](own-model.md).",
    "CaptureError": "Mend the [model](own-model.md) or its input: the sentence quotes the model's own error.",
    "EditError": "Compare its shape with the layer's: [change the running model](change-the-model.md).",
    "ImageError": "Save it as JPEG or PNG; [your files](your-files.md) has kinds and sizes.",
    "LayoutError": "Choose another layout beside the tensor, or give the one that you mean.",
    "RequestError": "Compare the name or number with those that the sentence lists.",
    "TooLargeError": "Choose fewer layers or a smaller picture; operators can raise the [limits](limits.md).",
    "BusyError": "Try again in a moment; operators see [how much machine](how-much-machine.md) it takes.",
    "RateError": "Wait some seconds; an operator can raise the [limits](limits.md).",
    "SupersededError": "Nothing: the newer request is answered.",
    "EngineClosedError": "Start the server again.",
}


def keys() -> str:
    """Return the document of the keys, from the page's help."""
    said_there = browser_words("en")
    rows = KEY_ROW.findall(HELP.read_text(encoding="utf-8"))
    pressed = [" ".join(f"<kbd>{key}</kbd>" for key in re.findall(r'"([^"]+)"', names)) for names, _ in rows]
    said = [str(said_there[word]) for _, word in rows]
    return "\n".join(
        [
            KEYS_HEAD,
            table(("Keys", "What they do"), zip(pressed, said, strict=True)),
            "",
            str(said_there["help_note"]),
        ]
    )


def layers() -> str:
    """Return the document of the kinds of layers."""
    rows = [(" ".join(f"`{name}`" for name in _names(pattern)), str(said)) for pattern, said in LAYER_WORDS]
    return f"{LAYERS_HEAD}\n{table(('Kinds', 'Explanation'), rows)}"


def methods() -> str:
    """Return the document of the methods."""
    said = browser_words("en")
    named = [name for name in said if name.startswith("method_") and f"{name}_said" in said]
    rows = [(str(said[name]), str(said[f"{name}_said"])) for name in named]
    return f"{METHODS_HEAD}\n{table(('Method', 'What it shows'), rows)}"


def messages() -> str:
    """Return the document of errors, with what to do about each."""
    rows = [
        (f"`{name}`", (inspect.getdoc(kind) or "").splitlines()[0], TO_DO[name])
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and issubclass(kind, errors.VizError) and kind is not errors.VizError
    ]
    what = (inspect.getdoc(models.ModelError) or "").splitlines()[0]
    model = ("`ModelError`", what, "The sentence says what is missing; see [open a file](open-a-file.md).")
    return f"{MESSAGES_HEAD}\n{table(('Kind', 'Meaning', 'What to do'), [*rows, model])}"


def _names(pattern: str) -> list[str]:
    """Return the names that a pattern takes, for a look-up.

    An optional part is left out.
    """
    names: list[str] = []
    for part in _alternatives(pattern):
        plain = re.sub(r"\(\w+(?:\|\w+)*\)\?", "", part)
        names.append(re.sub(r"[()?\\]|\.\*", "", plain))
    return [name for name in dict.fromkeys(names) if name]


def _alternatives(pattern: str) -> list[str]:
    depth, parts = 0, [""]
    for letter in pattern:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
