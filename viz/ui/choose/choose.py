"""Choose what to look at: the widgets for picture and language."""

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ...errors import ImageError
from ...pictures.images import MAX_BYTES
from ...pictures.photo import Photo, photograph
from ...pictures.samples import sample, sample_names
from ..folders.named import is_of_folder, photo_named, title_of
from ..locale.catalogues import languages
from ..locale.translated import translated
from ..locale.words import say
from ..visit.faults import guarded
from ..visit.jobs.reading import read_photo
from ..visit.picture_titles import sample_in_words
from .choose_files import give_up_file, held_file, lost_file, picture_box
from .choose_live import choose_live
from .options import FIRST

# Choices whose names depend on the language; Streamlit's boxes identify a choice by its name.
SPOKEN_CHOICES = ("sample", "model", "weights")


def words(key: str, **values: object) -> str:
    """The sentence with this key in the visitor's language."""
    return say(st.session_state["lang"], key, **values)


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
    """Write every choice again by its value: the browser still knows it by its name in the old language."""
    state = st.session_state
    for name in SPOKEN_CHOICES:
        if name in state:
            state[name] = state[name]


def choose_picture() -> tuple[Photo, str]:
    """The picture to look at, and what is wrong with the newest upload if it cannot be read."""
    state = st.session_state
    upload_help = words("upload_help", megabytes=MAX_BYTES // 1_000_000)
    row = st.container(key="own_picture", horizontal=True, vertical_alignment="center")
    picture_box(row, "upload", on_change=_use, args=("upload",), help=upload_help)
    with row.container(key="camera", width="content"):
        camera_on = st.toggle(words("camera"), key="camera_on")
    if camera_on and not choose_live():
        _choose_snapshot()
    names = [*filter(is_of_folder, [state["sample"] or ""]), *sample_names()]
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
    source, problem = state["source"], ""
    if source == "sample":
        problem = _take_sample(state["sample"] or FIRST["sample"])
        problem = problem or lost_file("upload") or (lost_file("camera_picture") if camera_on else "")
    elif source == "frozen":
        state["photo"], state["photo_file"] = state["frozen"], None
    elif held_file(source):
        state["photo"], problem = photo_of(state[source])
    return state["photo"], problem


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
    """Take the picture from this source; an emptied uploader changes nothing: it may be filled again."""
    state = st.session_state
    if source == "sample":
        if state["sample"]:  # otherwise nobody chose: the browser does not know yet what is on screen
            give_up_file("upload")
        state["source"], state["sample"] = source, state["sample"] or FIRST["sample"]
    elif held_file(source):
        state["source"] = state["own_source"] = source
        state["sample"] = None


def _take_sample(name: str) -> str:
    """Show a sample, or a folder's picture; what is wrong if that cannot be read."""
    state = st.session_state
    state["photo_file"] = None
    if not is_of_folder(name):
        state["photo"] = sample_photo(name)
        return ""
    if state.get("folder_photo", ("",))[0] != name:
        try:
            state["folder_photo"] = name, photo_named(name, state["visit"])
        except ImageError as error:
            state.setdefault("photo", sample_photo(FIRST["sample"]))
            return words("picture_kept", error=translated(str(error), state["lang"]))
    state["photo"] = state["folder_photo"][1]
    return ""


@st.cache_resource(max_entries=32, show_spinner=False)
def sample_photo(name: str) -> Photo:
    """A sample picture, decoded once for all visitors."""
    return photograph(sample(name))


def shown_title(name: str) -> str:
    """What a sample picture shows, in the visitor's language; a folder's is called like its file."""
    if is_of_folder(name):
        return title_of(name, st.session_state["visit"])
    return sample_in_words(name, st.session_state["lang"])


def photo_of(file: UploadedFile, place: str = "photo") -> tuple[Photo, str]:
    """The uploaded picture, decoded once; if it cannot be read, the picture on screen and the reason.

    What is on screen is kept under ``place`` in the session's state.
    """
    state = st.session_state
    if state.get(f"{place}_file") != file.file_id:
        try:
            photo = read_photo(file.getvalue(), state["visit"].visitor)
            state[place], state[f"{place}_problem"] = photo, ""
        except ImageError as error:
            state[f"{place}_problem"] = words("picture_kept", error=translated(str(error), state["lang"]))
        # Set last: a newer run of this page may already be under way and must not see half an answer.
        state[f"{place}_file"] = file.file_id
    return state[place], state[f"{place}_problem"]
