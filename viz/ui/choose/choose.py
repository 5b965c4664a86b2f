"""Widgets for the picture and the language."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ...errors import ImageError
from ...pictures.images import MAX_BYTES
from ...pictures.photo import Photo, photograph
from ...pictures.samples import sample, sample_names
from ..folders.named import is_of_folder, photo_named, title_of
from ..locale.catalogues import ENGLISH, languages
from ..locale.translated import translated
from ..locale.words import browser_words, say
from ..visit.faults import guarded
from ..visit.jobs.reading import read_photo
from ..visit.picture_titles import sample_in_words
from .choose_files import forget_refusals, give_up_file, held_file, lost_file, picture_box
from .choose_live import choose_live
from .options import FIRST

# Choices whose names depend on the language; Streamlit's boxes identify a choice by its name.
SPOKEN_CHOICES = ("sample", "model", "weights")


def words(key: str, **values: object) -> str:
    """The sentence with this key in the visitor's language."""
    return say(st.session_state["lang"], key, **values)


def more(document: str) -> str:
    """Return a link to a document, to end a sentence in Markdown."""
    said = browser_words(st.session_state.get("lang", ENGLISH))["help_more"]
    return f" [{said}](help/{document})" if document else ""


def choose_language() -> None:
    """The language switch."""
    st.segmented_control(
        words("language"),
        list(languages()),
        key="lang",
        format_func=languages().__getitem__,
        on_change=_language_changed,
        label_visibility="collapsed",
        required=True,
        width="content",
    )


@guarded
def _language_changed() -> None:
    """Write every choice again, as its name changes with the language."""
    state = st.session_state
    for name in SPOKEN_CHOICES:
        if name in state:
            state[name] = state[name]


def keep_undrawn() -> None:
    """Keep the choices in boxes that a run has not reached.

    Streamlit forgets the state of a box that is not drawn. Call it at the end of a run.
    """
    state, context = st.session_state, get_script_run_ctx()
    if context is None or "visit" not in state:
        return
    drawn = context.shared.widget_user_keys_this_run
    for name in SPOKEN_CHOICES:
        if name in state and name not in drawn:
            state[name] = state[name]
    if "own_weights" not in drawn:  # its file goes, the weights stay
        state["own_before"] = state["visit"].own or state.get("own_before")


def choose_picture() -> tuple[Photo, str]:
    """Draw the picture's boxes; return the picture, and the newest upload's problem."""
    state = st.session_state
    _draw_own_boxes()
    _take_own()
    _take_of_folder()
    _choose_sample()
    problem = problem_of("photo") or problem_of("folder")
    if state["source"] == "sample":
        state["photo"] = _photo_of(state["sample"] or FIRST["sample"])
        problem = problem or lost_file("upload")
        problem = problem or (lost_file("camera_picture") if state.get("camera_on") else "")
    else:
        state["photo"] = state.get("own_photo") or state["photo"]
    state["picture_shown"] = state["source"], state["sample"]
    chip = "flex" if _is_named() else "none"  # for the page's style sheet
    st.html(f"<style>:root {{ --lg-chip: {chip}; }}</style>")
    return state["photo"], problem


def _draw_own_boxes() -> None:
    """The boxes for a file and for the camera."""
    upload_help = words("upload_help", megabytes=MAX_BYTES // 1_000_000)
    row = st.container(key="own_picture", horizontal=True, vertical_alignment="center")
    picture_box(row, "upload", on_change=_use, args=("upload",), help=upload_help)
    with row.container(key="camera", width="content"):
        camera_on = st.toggle(words("camera"), key="camera_on")
    if camera_on and not choose_live():
        _choose_snapshot()


def _choose_sample() -> None:
    names = [*filter(is_of_folder, [st.session_state["sample"] or ""]), *sample_names()]
    titles = {name: shown_title(name) for name in names}
    st.selectbox(
        words("sample"),
        list(titles),
        index=None,
        placeholder=words("sample"),
        key="sample",
        format_func=lambda name: titles.get(name, name),
        on_change=_use,
        args=("sample",),
        label_visibility="collapsed",
    )


def _choose_snapshot() -> None:
    st.camera_input(
        words("camera_take"),
        key="camera_picture",
        on_change=_use,
        args=("camera_picture",),
        label_visibility="collapsed",
    )


@guarded
def _use(source: str) -> None:
    """Take the picture from this source; an emptied uploader changes nothing."""
    state = st.session_state
    if source == "sample":
        _use_sample()
    elif held_file(source):
        state["source"], state["sample"] = source, None
    forget_refusals()


def _use_sample() -> None:
    """Take the chosen sample; without one, the visitor's own picture."""
    state = st.session_state
    if not state["sample"] and "own_photo" in state:
        state["source"] = state["own_source"]
        return
    if state["sample"]:  # otherwise nobody chose: the browser does not know yet what is on screen
        give_up_file("upload")
    state["source"], state["sample"] = "sample", state["sample"] or FIRST["sample"]


def _take_own() -> None:
    """Read the visitor's newest file.

    A file with a problem changes nothing: box and address go on naming the picture that stays on screen.
    Call it before the box of samples is drawn.
    """
    state = st.session_state
    source = state["source"]
    file = None if source in {"sample", "frozen"} else held_file(source)
    if source == "frozen":
        state["own_photo"] = state["frozen"]
    elif file is not None and is_new(file, "photo"):
        photo = read_file(file, "photo")
        if photo is None:
            _go_back()
        else:
            state["own_photo"], state["own_source"], state["own_photo_file"] = photo, source, file.file_id
        note_read(file, "photo")


def _take_of_folder() -> None:
    """Read a folder's picture that is new.

    One with a problem changes nothing, as in ``_take_own``, nor does the crop that the address says of it.
    """
    state = st.session_state
    name = state["sample"] or ""
    if state["source"] != "sample" or not is_of_folder(name) or state.get("folder_photo", ("",))[0] == name:
        return
    try:
        state["folder_photo"] = name, photo_named(name, state["visit"])
    except ImageError as error:
        state["folder_problem"] = str(error)
        _go_back()
        if "crop_of" not in state:
            state["crop"] = str(state["cropped"].crop) if "cropped" in state else ""


def _go_back() -> None:
    """Name the picture again that is on screen."""
    state = st.session_state
    state["source"], state["sample"] = state.get("picture_shown", ("sample", FIRST["sample"]))


def _is_named() -> bool:
    """Return whether the uploaded file is shown, refused or missing."""
    state, file = st.session_state, held_file("upload")
    if file is None or state.get("photo_problem"):
        return True
    return bool(state["source"] == "upload" and state.get("own_photo_file") == file.file_id)


def _photo_of(name: str) -> Photo:
    """The picture of a sample, or a folder's that was read last."""
    photo: Photo = st.session_state["folder_photo"][1] if is_of_folder(name) else sample_photo(name)
    return photo


@st.cache_resource(max_entries=32, show_spinner=False)
def sample_photo(name: str) -> Photo:
    """A sample picture, decoded once for all visitors."""
    return photograph(sample(name))


def shown_title(name: str) -> str:
    """Return the title of a sample, or of a folder's picture."""
    if is_of_folder(name):
        return title_of(name, st.session_state["visit"])
    return sample_in_words(name, st.session_state["lang"])


def is_new(file: UploadedFile, place: str) -> bool:
    """Return whether the file in a box has not been read yet."""
    return bool(st.session_state.get(f"{place}_file") != file.file_id)


def read_file(file: UploadedFile, place: str) -> Photo | None:
    """Return the picture in a file; None if it cannot be read.

    The reason is kept for its box.
    """
    state = st.session_state
    try:
        photo = read_photo(file.getvalue(), state["visit"].visitor)
    except ImageError as error:
        state[f"{place}_problem"] = str(error)
        return None
    state[f"{place}_problem"] = ""
    return photo


def problem_of(place: str) -> str:
    """Return the sentence about a box's file that could not be read."""
    problem = st.session_state.get(f"{place}_problem")
    return words("picture_kept", error=translated(problem, st.session_state["lang"])) if problem else ""


def note_read(file: UploadedFile, place: str) -> None:
    """Note that a file has been read.

    Call it last: a newer run of this page may already be under way and must not see half an answer.
    """
    st.session_state[f"{place}_file"] = file.file_id
