"""A quiz question in words: its text, answers and explanation.

Sentences are Markdown; answers, titles and text alternatives are plain text.
"""

from collections.abc import Iterable

from ...pictures.samples import sample_title
from ...quiz import Grid, Picture, Question
from ...quiz.looking.values import grid
from ..locale.translated import translated
from ..locale.words import say
from ..visit.catalogue.known import describe

NUMBERED = ("outlines", "depth")  # the choices of these kinds are pictures that have only a number
COUNTED = ("relu", "pool")  # and those of these are numbers in rows
PAIRED = ("others", "channels")  # facts that may be pairs: ``conv1: 6 × 28 × 28; pool1: 6 × 14 × 14``


def asked_in_words(asked: Question, language: str) -> str:
    """The question itself."""
    return say(language, f"quiz_ask_{asked.ask}", **_said(asked, language))


def why_in_words(asked: Question, language: str) -> str:
    """The explanation after the answer."""
    return say(language, f"quiz_why_{asked.why}", **_said(asked, language), **_steps(asked, language))


def choice_in_words(asked: Question, place: int, language: str) -> str:
    """One of the answers in words.

    An edit, a hook or a picture has a name; anything else stays as it is.
    """
    choice = asked.choices[place]
    if asked.kind in NUMBERED:
        return say(language, "quiz_picture", number=choice)
    if asked.kind in COUNTED:
        return say(language, "quiz_between_rows").join(", ".join(row) for row in grid_of(asked, place))
    if asked.kind == "channel":
        return say(language, "quiz_title_candidate", channel=choice)
    if asked.kind == "photo":
        return translated(sample_title(choice), language)
    if asked.kind == "edit":
        kind, _, amount = choice.partition(":")
        return say(language, f"quiz_edit_{kind}", amount=amount.replace("-", "−"))
    return _hook(choice, language) if asked.kind == "fires" else choice


def grid_of(asked: Question, place: int) -> Grid:
    """An answer as rows of numbers, empty if it has none."""
    return grid(asked.choices[place]) if asked.kind in COUNTED else ()


def title_in_words(asked: Question, picture: Picture, language: str) -> str:
    """The title under a picture, or an empty text.

    It is empty if there is only one picture, or if it is a choice that is named anyway.
    """
    if len(asked.pictures) == 1 or picture.small:
        return ""
    return say(language, f"quiz_title_{picture.role}", **{**_said(asked, language), **picture.facts})


def alternative_in_words(asked: Question, picture: Picture, language: str) -> str:
    """Return a picture's text alternative, for anyone who cannot see it."""
    facts = {**_said(asked, language), **picture.facts}
    if "photo" in facts:
        facts["photo"] = translated(sample_title(facts["photo"]), language)
    return say(language, f"quiz_alt_{picture.role}", **facts)


def _said(asked: Question, language: str) -> dict[str, str]:
    """The values that fill in the sentences about a question."""
    facts = {
        **asked.facts,
        "layer": asked.layer,
        "type": asked.type,
        "model": asked.model,
    }
    facts |= {
        "sample": translated(sample_title(asked.sample), language),
        "answer": choice_in_words(asked, asked.right, language),
    }
    if "class" in facts:
        facts["class"] = describe(asked.model).classes[int(facts["class"])]
    for several in ("layers", "order"):
        if several in facts:
            names = [f"`{name}`" for name in facts[several].split(", ")]
            facts[several] = _listed(names, language)
    for pairs in PAIRED:
        facts |= {pairs: _marked(facts[pairs], language)} if pairs in facts else {}
    if "fired" in facts:
        facts["fired"] = _hook(facts["fired"], language)
    return facts


def _steps(asked: Question, language: str) -> dict[str, str]:
    """Return the hooks in firing order, or each gradient's fate."""
    if asked.kind == "fires":
        turn = next(place for place, hook in enumerate(asked.steps) if "backward" in hook)
        ways = {"there": asked.steps[:turn], "back": asked.steps[turn:]}
        return {way: " → ".join(_hook(hook, language) for hook in hooks) for way, hooks in ways.items()}
    found = zip(asked.choices, asked.steps, strict=False)
    fates = [say(language, f"quiz_fate_{fate}", layer=layer) for layer, fate in found]
    return {"fates": _listed(fates, language)}


def _hook(said: str, language: str) -> str:
    """``"forward hook conv1"`` in the visitor's language."""
    kind, _, layer = said.rpartition(" ")
    name = kind.replace(" ", "_").replace("-", "_")
    return say(language, "quiz_hook_of", hook=say(language, f"quiz_hook_{name}"), layer=layer)


def _marked(pairs: str, language: str) -> str:
    """Pairs, punctuated as in the visitor's language."""
    parts = (pair.partition(": ") for pair in pairs.split("; "))
    return say(language, "quiz_between_pairs").join(
        say(language, "quiz_pair", name=name, value=value) if colon else name for name, colon, value in parts
    )


def _listed(names: Iterable[str], language: str) -> str:
    return say(language, "quiz_between_names").join(names)
