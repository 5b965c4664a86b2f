"""Choose own weights: upload, fit to the model, and consent."""

from collections.abc import Mapping, Sequence

import streamlit as st

from ...catalogue import models
from ..locale.translated import translated
from ..visit.catalogue.known import describe
from ..visit.faults import guarded
from ..visit.markdown import escaped
from ..visit.own_weights import OWN, OwnWeights, own_weights
from ..visit.visit import Visit
from ..visit.weights_words import own_report, weights_wanted, words_for_weights
from .choose import more, words
from .choose_files import file_box, give_up_file, held_file, lost_file

KINDS = ("missing", "unexpected", "misshapen")
FIRST_NAMES, ALL_NAMES, LONGEST_NAME = 3, 500, 80


def offered_weights(visit: Visit, model: str) -> tuple[dict[str, str], str]:
    """Return the choices of weights in words, and own weights' problem.

    This sets the switch as well: to a new file's weights if they can be used, and away from weights that do
    not fit the model.
    """
    problem = _take_upload(visit)
    kinds = weights_kinds(model)
    report = _report(visit.own, model)
    usable = report is not None and (report.fits or _is_agreed(visit.own, model))
    _follow_switch()
    state = st.session_state
    if state.get("own_wanted") and usable and state["weights"] != OWN:
        state["weights_before"], state["weights"] = state["weights"], OWN
    elif state["weights"] == OWN and not usable:
        state["weights"] = state.get("weights_before", "pretrained")
    _keep_to(kinds)
    state["weights_left"] = state["weights"]
    if usable:
        kinds[OWN] = words("own")
    misfit = _misfit(report) if report and not usable and state.get("own_wanted") else ""
    return kinds, lost_file("own_weights") or problem or misfit


@guarded
def begin_trained() -> None:
    """Show a newly chosen model with its trained weights.

    Untrained ones were chosen for another model.
    """
    state = st.session_state
    give_up_file("own_weights")
    state["weights_before"] = "pretrained"
    if state["weights"] == "random":
        state["weights"] = state["weights_left"] = "pretrained"


def draw_own_weights(visit: Visit, model: str) -> None:
    """Draw the upload, and below it a report on the weights' fit."""
    megabytes = models.own.size_limit() // 1_000_000
    file_box(
        st,
        words("own_upload", model=model),
        key="own_weights",
        max_upload_size=megabytes,
        help=words("own_help", megabytes=megabytes) + more("open-a-file#which-files-are-understood"),
    )
    st.caption(escaped(words("own_private")) + more("your-files#who-sees-my-files-of-weights"))
    report = _report(visit.own, model)
    if report is not None:
        _draw_report(report, agreed=_is_agreed(visit.own, model))


def weights_kinds(model: str) -> dict[str, str]:
    """The words for a model's weights that are not the visitor's."""
    return words_for_weights(model, st.session_state["lang"])


def _take_upload(visit: Visit) -> str:
    """Take over a new upload; return a sentence if it is unreadable."""
    state = st.session_state
    file = held_file("own_weights")
    if file is None:
        visit.own, state["own_file"], state["own_problem"] = state.get("own_before"), None, ""
    elif state.get("own_file") != file.file_id:
        try:
            with st.spinner(words("own_reading")):
                visit.own = own_weights(file.getvalue(), visit.visitor)
            state["own_problem"], state["own_before"], state["own_wanted"] = "", None, True
        except models.OwnWeightsError as error:
            state["own_problem"], state["own_before"] = str(error), visit.own
        state["own_file"] = file.file_id  # last: a newer run may end this one, and then reads the file itself
    problem = state["own_problem"]
    return words("own_kept", error=translated(problem, state["lang"])) if problem else ""


def _follow_switch() -> None:
    """Note whether own weights are wanted, if the switch has moved."""
    state = st.session_state
    if state.get("weights_left", state["weights"]) != state["weights"]:
        state["own_wanted"] = state["weights"] == OWN
        give_up_file("own_weights")


def _keep_to(kinds: Mapping[str, str]) -> None:
    """Show models without trained weights untrained, and later ones trained again."""
    state = st.session_state
    if "pretrained" not in kinds and state["weights"] == "pretrained":
        state["weights"], state["weights_none"] = "random", True
    elif "pretrained" in kinds and state.pop("weights_none", False) and state["weights"] == "random":
        state["weights"] = "pretrained"


def _report(own: OwnWeights | None, model: str) -> models.own.WeightsReport | None:
    return None if own is None else own_report(own.id, model)


def _is_agreed(own: OwnWeights | None, model: str) -> bool:
    return own is not None and (own.id, model) in st.session_state.get("own_agreed", ())


@guarded
def _agree(own: str, model: str) -> None:
    state = st.session_state
    state["own_agreed"] = {*state.get("own_agreed", ()), (own, model)}
    state["own_wanted"] = True


def _misfit(report: models.own.WeightsReport) -> str:
    counts = words("own_each", **{kind: len(getattr(report, kind)) for kind in (*KINDS, "fitting")})
    kinds, weights = weights_kinds(report.model), st.session_state["weights"]
    instead = kinds.get("pretrained" if weights == "pretrained" else "random", "")
    return words("own_misfit", model=report.model, instead=instead, place=words("own_place"), counts=counts)


def _draw_report(report: models.own.WeightsReport, *, agreed: bool) -> None:
    fitting, wanted = len(report.fitting), weights_wanted(report)
    if report.fits:
        counts = words("own_fit", count=fitting, model=report.model)
    else:
        counts = words("own_counts", fitting=fitting, wanted=wanted, model=report.model)
    more_about = more("open-a-file#how-do-i-look-at-my-weights-on-the-page")
    st.markdown(escaped(" ".join([counts, *_details(report)])) + more_about)
    if report.fits:
        return
    own = st.session_state["visit"].own
    for kind in KINDS:
        _draw_names(kind, _lines(report, kind))
    if fitting and not agreed:
        st.button(
            words("own_go_on", fitting=fitting),
            key="own_go_on",
            help=words("own_rest"),
            on_click=_agree,
            args=(own.id, report.model),
        )


def _details(report: models.own.WeightsReport) -> list[str]:
    """Return sentences about the weights' place and the number of classes."""
    details = []
    if report.elsewhere:
        place = _printable(report.place)
        details.append(words("own_under", place=place, count=report.elsewhere))
    if report.again:
        places = ", ".join(map(_printable, report.again[:FIRST_NAMES]))
        details.append(words("own_again", places=places))
    if report.classes is not None:
        wanted = len(describe(report.model).classes)
        details.append(words("own_classes", found=f"{report.classes:,}", wanted=f"{wanted:,}"))
    return details


def _draw_names(kind: str, lines: Sequence[str]) -> None:
    if not lines:
        return
    first = ", ".join(line.partition(":")[0] for line in lines[:FIRST_NAMES])
    first += ", …" if len(lines) > FIRST_NAMES else ""
    with st.expander(escaped(words(f"own_{kind}", count=len(lines), names=first))):
        st.code("\n".join(lines[:ALL_NAMES]), language=None, wrap_lines=True)


def _lines(report: models.own.WeightsReport, kind: str) -> list[str]:
    """Return a line for each name, with both shapes where they differ."""
    if kind != "misshapen":
        return [_printable(name) for name in getattr(report, kind)]
    return [
        f"{_printable(each.name)}: {words('own_instead_of', found=each.found, wanted=each.wanted)}"
        for each in report.misshapen
    ]


def _printable(name: str) -> str:
    shown = "".join(filter(str.isprintable, name))
    return shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}…"
