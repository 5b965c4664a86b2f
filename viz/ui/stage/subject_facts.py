"""Facts of a subject for the browser, the same for every visitor."""

from ...answers.subject import CostFacts, SubjectFacts, TitledPicture
from ...engine.limits import Limits
from ...layer_names import is_operation
from ...maps.colour.tables import AUTO, COLORMAPS, DIVERGING, SIGNED_ON_DARK, colour_stops
from ...pictures.samples import sample_names
from ...profile.chain import chain
from ...profile.cost import budget, free_memory, graph_cost, pass_cost
from ...profile.rows import first_layer
from ..locale.layer_types import types_in_words
from ..locale.words import words_named
from ..visit.catalogue.known import describe
from ..visit.own_weights import is_own_weights
from ..visit.picture_titles import sample_in_words
from ..visit.visit import SubjectEntry
from ..visit.weights_words import weights_named
from ..wire.rows import link_facts, row_facts
from .layer_sentences import sentences


def facts_of(subject: SubjectEntry, language: str) -> SubjectFacts:
    """The subject's facts in a language of the page.

    Of pictures they have only the samples: nothing is a visitor's alone.
    """
    model, weights = subject.model, subject.weights
    card = describe(model)
    first = first_layer([row for row in subject.rows if not is_operation(row.name)])
    said, sentence_of = sentences(subject.rows, first, language)
    return SubjectFacts(
        subject=subject.token,
        notices=(),
        model=model,
        address={"model": model} if is_own_weights(weights) else {"model": model, "weights": weights},
        picture="",
        rows=tuple(row_facts(row, language) for row in subject.rows),
        first=first,
        chain=tuple(map(link_facts, chain(subject.rows))),
        kinds=types_in_words(subject.rows, language),
        sentences=said,
        sentence_of=sentence_of,
        trained=weights_named(weights, model, language),
        untrained=weights == "random",
        classes=len(card.classes),
        input=card.input_size,
        signal=card.input_size[0] == 1,
        frame=None,
        donors=_samples(language),
        own=(),
        brought="",
        colormaps=(AUTO, *COLORMAPS),
        colours={name: colour_stops(name) for name in (*COLORMAPS, SIGNED_ON_DARK)},
        diverging=DIVERGING,
        costs=_costs(subject),
        words=words_named(language),
    )


def _samples(language: str) -> tuple[TitledPicture, ...]:
    return tuple(TitledPicture(name=name, title=sample_in_words(name, language)) for name in sample_names())


def _costs(subject: SubjectEntry) -> CostFacts:
    may = budget()
    return CostFacts(
        ask=may.ask,
        refuse=may.refuse,
        free=free_memory(),
        all=pass_cost(subject.rows, Limits.whole_pass),
        back=graph_cost(subject.rows),
    )
