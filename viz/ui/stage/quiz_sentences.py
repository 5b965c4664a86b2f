"""A question in the visitor's language: what is asked, the answers as they are written, and why."""

from collections.abc import Iterable

from ...catalogue import models
from ...quiz import Picture, Question
from ..choose.choose import shown_title, words

PAIRED = ("others", "channels")  # facts that may be pairs: ``conv1: 6 × 28 × 28; pool1: 6 × 14 × 14``


def asked_in_words(asked: Question) -> str:
    """The question itself."""
    return words(f"quiz_ask_{asked.ask}", **_said(asked))


def why_in_words(asked: Question) -> str:
    """The explanation after the answer."""
    return words(f"quiz_why_{asked.why}", **_said(asked), **_steps(asked))


def choice_in_words(asked: Question, place: int) -> str:
    """One of the answers: an edit or a hook by its name, anything else as it is."""
    choice = asked.choices[place]
    if asked.kind == "edit":
        kind, _, amount = choice.partition(":")
        return words(f"quiz_edit_{kind}", amount=amount)
    return _hook(choice) if asked.kind == "fires" else choice


def title_in_words(asked: Question, picture: Picture) -> str:
    """The title under a picture; empty if there is only one."""
    if len(asked.pictures) == 1:
        return ""
    return words(f"quiz_title_{picture.role}", **{**_said(asked), **picture.facts})


def alternative_in_words(asked: Question, picture: Picture) -> str:
    """What the picture shows, for anyone who cannot see it."""
    return words(f"quiz_alt_{picture.role}", **{**_said(asked), **picture.facts})


def _said(asked: Question) -> dict[str, str]:
    """The values that fill in the sentences about a question."""
    facts = {
        **asked.facts,
        "layer": asked.layer,
        "type": asked.type,
        "model": models.describe(asked.model).id,
    }
    facts |= {"sample": shown_title(asked.sample), "answer": asked.choices[asked.right]}
    if "class" in facts:
        facts["class"] = models.describe(asked.model).classes[int(facts["class"])]
    for several in ("layers", "order"):
        if several in facts:
            names = [f"`{name}`" for name in facts[several].split(", ")]
            facts[several] = _listed(names)
    for pairs in PAIRED:
        facts |= {pairs: _marked(facts[pairs])} if pairs in facts else {}
    if "fired" in facts:
        facts["fired"] = _hook(facts["fired"])
    return facts


def _steps(asked: Question) -> dict[str, str]:
    """The hooks in firing order, or what became of each gradient that could be chosen."""
    if asked.kind == "fires":
        turn = next(place for place, hook in enumerate(asked.steps) if "backward" in hook)
        ways = {"there": asked.steps[:turn], "back": asked.steps[turn:]}
        return {way: " → ".join(map(_hook, hooks)) for way, hooks in ways.items()}
    found = zip(asked.choices, asked.steps, strict=False)
    fates = [words(f"quiz_fate_{fate}", layer=layer) for layer, fate in found]
    return {"fates": _listed(fates)}


def _hook(said: str) -> str:
    """``"forward hook conv1"`` in the visitor's language."""
    kind, _, layer = said.rpartition(" ")
    name = kind.replace(" ", "_").replace("-", "_")
    return words("quiz_hook_of", hook=words(f"quiz_hook_{name}"), layer=layer)


def _marked(pairs: str) -> str:
    """Pairs, punctuated as in the visitor's language."""
    parts = (pair.partition(": ") for pair in pairs.split("; "))
    return words("quiz_between_pairs").join(
        words("quiz_pair", name=name, value=value) if colon else name for name, colon, value in parts
    )


def _listed(names: Iterable[str]) -> str:
    return words("quiz_between_names").join(names)
