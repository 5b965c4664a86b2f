"""A model's weights in words: trained, untrained, or a visitor's own."""

from weakref import WeakKeyDictionary

from ...catalogue import models
from ..locale.words import say
from .catalogue.known import compare, describe, is_ready, needs
from .own_weights import OwnWeights, find_weights, is_own_weights
from .service import DEFAULT_MODEL

MISSING_WEIGHTS = "without-internet#what-does-a-visitor-see-if-weights-are-missing"  # the document about them
# A report has names from the visitor's file, so it ends with the file.
_reports: "WeakKeyDictionary[OwnWeights, dict[str, models.own.WeightsReport]]" = WeakKeyDictionary()


def needs_in_words(language: str) -> dict[str, str]:
    """Return trained weights' needs in words, by model; ready models come first."""
    found = needs()
    first = [name for name, each in found.items() if each.kind == "ready" and name != DEFAULT_MODEL]
    order = dict.fromkeys((DEFAULT_MODEL, *first, *found))
    said = {each: _needs_said(each, language) for each in set(found.values())}
    return {name: said[found[name]] for name in order}


def _needs_said(found: models.Needs, language: str) -> str:
    if found.bytes:
        return say(language, "needs_download_size", megabytes=_megabytes(found.bytes))
    return say(language, f"needs_{found.kind}")


def _megabytes(size: int) -> int:
    return max(1, round(size / 1_000_000))


def words_for_weights(model: str, language: str) -> dict[str, str]:
    """Return the words for a model's weights, without a visitor's own.

    A model without trained ones has no choice. Nobody here knows whether the operator's own model was
    trained.
    """
    if model == models.own_model_name():
        return {"pretrained": say(language, "original"), "random": say(language, "untrained")}
    card = describe(model)
    if not card.has_pretrained:
        return {"random": say(language, "needs_untrained")}
    trained = say(language, "trained")
    if not is_ready(model):
        megabytes = _megabytes(card.download_bytes)
        trained = say(language, "trained_download", megabytes=megabytes) if card.download_bytes else trained
    return {"pretrained": trained, "random": say(language, "untrained")}


def weights_named(weights: str, model: str, language: str) -> str:
    """The weights that numbers come from, in words.

    Raises:
        RequestError: the visit that brought these weights has ended.
    """
    if not is_own_weights(weights):
        trained = "original_weights" if model == models.own_model_name() else "trained"
        return say(language, trained if weights == "pretrained" else "untrained")
    report = own_report(weights, model)
    if report.fits:
        return say(language, "own_weights")
    return say(language, "own_part", fit=len(report.fitting), wanted=weights_wanted(report))


def own_report(weights: str, model: str) -> models.own.WeightsReport:
    """Return the report on a visitor's weights in a model; made once.

    Raises:
        RequestError: the visit that brought these weights has ended.
    """
    own = find_weights(weights)
    known = _reports.setdefault(own, {})
    if model not in known:
        known[model] = compare(model, own)
    return known[model]


def weights_wanted(report: models.own.WeightsReport) -> int:
    """Return the number of the model's weights in a report."""
    return len(report.fitting) + len(report.missing) + len(report.misshapen)
