"""Lines of Python that record values for edits from another picture."""

from collections.abc import Sequence

from ..home import PREFIX, SCRIPTS_RUN
from ..pictures.samples import sample_file
from ..request.inspection import Inspection
from .code_edits import edit_name, unpacked
from .code_model import begin_lines, is_repeated
from .edit_place import EditPlace


def is_donated(places: Sequence[EditPlace]) -> bool:
    """Return whether any edit takes its values from another picture."""
    return any(place.edit.donor for place in places)


def prepared_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines of a function that prepares a picture.

    It turns ``image`` into ``arguments``, for more than one picture.
    """
    return [
        *["", "", "def prepared(image):", '    """Return what the model is called with for a picture."""'],
        *(f"    {line}" for line in lines),
        *["    return arguments", "", "", "arguments = prepared(image)"],
    ]


def donor_imports(places: Sequence[EditPlace]) -> list[str]:
    """Return the imports of a donor that is drawn, not a photograph."""
    drawn = [place for place in places if place.edit.donor and not sample_file(place.edit.donor)]
    return (
        [
            "",
            f"# Only Layerglass has the other picture: run this script {SCRIPTS_RUN}.",
            f"from {PREFIX}viz.pictures.samples import sample",
        ]
        if drawn
        else []
    )


def recorder_lines(places: Sequence[EditPlace]) -> list[str]:
    """Return the lines that define a recording hook for each edit.

    The edits are those that take values from another picture; their hooks fill ``given_to_edit`` call by
    call.

    Raises:
        RequestError: a layer keeps its tensor where a script of a few lines cannot reach it.
    """
    return [line for name, place in _named(places) for line in _recorder(name, place)]


def donor_lines(wanted: Inspection, places: Sequence[EditPlace]) -> list[str]:
    """Return the lines that run ``model`` on each other picture.

    They run it with the recording hooks; there are none without such a picture.
    """
    named = _named(places)
    begin = begin_lines(wanted.training, repeated=is_repeated(wanted))
    donors = dict.fromkeys(place.edit.donor for _, place in named)
    return [line for donor in donors for line in _run(donor, named, begin)]


def _named(places: Sequence[EditPlace]) -> list[tuple[str, EditPlace]]:
    """Return the edits from another picture, with their hooks' names."""
    return [(edit_name(number, places), place) for number, place in enumerate(places) if place.edit.donor]


def _recorder(name: str, place: EditPlace) -> list[str]:
    inputs = place.edit.of_inputs
    return [
        *[f"given_to_{name} = []", "", ""],
        f"def give_to_{name}(layer, args{'' if inputs else ', output'}):",
        f'    """Keep what {name}() puts in the place of the model\'s own values."""',
        f"    given_to_{name}.append({unpacked(place)[0]}.clone())",
        *["", ""],
    ]


def _run(donor: str, named: Sequence[tuple[str, EditPlace]], begin: Sequence[str]) -> list[str]:
    """Return the lines that run the model on one donor."""
    wanted = [(name, place.edit) for name, place in named if place.edit.donor == donor]
    return [
        f"# What these layers make of the picture {donor!r}, in the model as it is:",
        f"other = {_picture(donor)}",
        "givers = [",
        *(
            f"    model.get_submodule({edit.layer!r}).register_forward_"
            f"{'pre_' if edit.of_inputs else ''}hook(give_to_{name}),"
            for name, edit in wanted
        ),
        "]",
        *[*begin, "with torch.no_grad():", "    model(*prepared(other))"],
        *["for handle in givers:", "    handle.remove()", ""],
    ]


def _picture(donor: str) -> str:
    file = sample_file(donor)
    if not file:
        return f"sample({donor!r})"
    return f"ImageOps.exif_transpose(Image.open(files('skimage') / 'data' / {file!r})).convert('RGB')"
