"""The course as a page: a lesson's text, its parameters, and its numbers beside those computed just now."""

from collections.abc import Sequence

import streamlit as st

from ...errors import TooLargeError
from ...lessons.course import LESSONS, Part, source
from ...lessons.line import Line
from ...lessons.tasks import CanvasTask, LessonTask
from ...pictures.photo import Photo
from ...profile.tree import LayerRow
from ...request.inspection import Inspection
from ..choose.address import acted
from ..choose.choose import moved, words
from ..choose.options import options
from ..locale.translated import translated
from ..visit.faults import heard
from ..visit.markdown import escaped
from ..visit.service import engine
from ..visit.visit import Visit
from .components import draw_picture
from .draw_live import draw_live
from .html_tables import as_html, mark, table

Given = tuple[tuple[str, object], ...]


def draw_course(visit: Visit, photo: Photo, rows: Sequence[LayerRow], wanted: Inspection) -> None:
    """One lesson; it runs when the visitor asks for it, in the same queue as all other requests."""
    number = _chosen_lesson()
    with st.container(key="course"):
        st.markdown(f"## {words(f'course_title_{number}')}")
        st.markdown(words(f"course_text_{number}"))
        given = _parameters(number)
        _draw_button(number, given)
        asked = st.session_state.get("course_ran") == (number, given)
        for part in LESSONS[number].parts:
            _draw_part(visit, number, part, given if asked else None)
        if asked:
            draw_live(visit, photo, rows, wanted, number)
        _draw_hints(number, wanted)


def lesson_in_address() -> str:
    """The lesson as the address says it; empty for the first one, and in other views."""
    state = st.session_state
    number = state.get("lesson", "0")
    if state["view"] != "course":
        state["lesson"] = number  # set again, or Streamlit forgets it while its switch is not on screen
        return ""
    return "" if number == "0" else str(number)


def _chosen_lesson() -> int:
    names = {number: words("course_lesson", number=number) for number in options("lesson")}
    chosen = st.segmented_control(
        words("lesson"),
        list(names),
        key="lesson",
        format_func=names.__getitem__,
        label_visibility="collapsed",
        required=True,
        on_change=acted,
        width="content",
    )
    return int(chosen or 0)


def _parameters(number: int) -> Given:
    """What the visitor chose for each parameter of the lesson."""
    row = st.container(key="course_parameters", horizontal=True, vertical_alignment="bottom")
    return tuple(
        (
            choice.name,
            row.selectbox(
                words(f"course_choice_{choice.name}"),
                choice.values,
                index=choice.values.index(choice.first),
                key=f"course_{number}_{choice.name}",
                on_change=acted,
                width=160,
            ),
        )
        for choice in LESSONS[number].choices
    )


def _draw_button(number: int, given: Given) -> None:
    @heard
    def run() -> None:
        acted()
        st.session_state["course_ran"] = (number, given)

    ran = st.session_state.get("course_ran") == (number, given)
    st.button(words("course_run"), key="course_run", type="primary", on_click=run, disabled=ran)
    if not ran:
        st.caption(words("course_not_run"))


def _draw_part(visit: Visit, number: int, part: Part, given: Given | None) -> None:
    """A part's text and code; its numbers, if they were asked for."""
    st.markdown(f"### {words(f'course_part_{part.name}')}")
    st.markdown(words(f"course_part_{part.name}_text"))
    if given is not None:
        _draw_numbers(visit, number, part, given)
    with st.expander(words("course_code")):
        columns = st.columns(2 if part.ours else 1)
        for column, function, title in zip(
            columns, (part.plain, part.ours), (words("course_plain"), words("course_ours")), strict=False
        ):
            if function is not None:
                column.caption(title)
                column.code(source(function), language="python", wrap_lines=True)


def _draw_numbers(visit: Visit, number: int, part: Part, given: Given) -> None:
    """What was computed just now; a part that needs too much memory says so, and the others go on."""
    task = LessonTask(number, part.name, given)
    try:
        with st.spinner(words("course_running")):
            lines = engine().do(task, visitor=visit.visitor, urgent=False).result()
    except TooLargeError as error:
        st.warning(escaped(translated(str(error), st.session_state["lang"])))
        return
    st.html(_table(lines))
    if part.name == "index":
        _draw_canvas(visit, str(dict(given)["net"]))


def _draw_canvas(visit: Visit, net: str) -> None:
    png = engine().do(CanvasTask(net), visitor=visit.visitor, urgent=False).result()
    draw_picture(png, words("course_canvas", net=net), exact=False)


def _table(lines: Sequence[Line]) -> str:
    """The numbers as a table: what, expected, found, and whether they agree."""
    wrong = sum(not line.right for line in lines)
    verdict = (
        words("course_some_wrong", count=wrong, all=len(lines))
        if wrong
        else words("course_all_right", count=len(lines))
    )
    heads = [*(words(f"course_{name}") for name in ("what", "expected", "found")), ""]
    return table(heads, [_row(line) for line in lines], caption=verdict)


def _row(line: Line) -> list[str]:
    label = words(f"course_line_{line.key}", name=line.name)
    verdict = mark("✓", words("course_right")) if line.right else mark("✗", words("course_wrong"))
    return [as_html(label), as_html(line.expected), as_html(line.found), verdict]


def _draw_hints(number: int, wanted: Inspection) -> None:
    st.markdown(f"**{words('course_try')}.** {words(f'course_try_{number}')}")
    st.markdown(f"**{words('course_traps')}.** {words(f'course_traps_{number}')}")
    st.button(escaped(words("course_see", model=wanted.model)), key="course_see", on_click=_see_hooks)


@heard
def _see_hooks() -> None:
    st.session_state["view"] = "hooks"
    moved()
