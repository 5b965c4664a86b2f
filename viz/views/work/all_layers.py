"""Small pictures of a model's layers, or of its chain's links."""

from ...engine.limits import Limits, check_cost
from ...engine.slices import Sliced
from ...engine.task import Bench
from ...passes.forward import capture
from ...passes.loaded import LoadedModel
from ...pictures.photo import Photo
from ...profile.chain import chain
from ...profile.cost import output_bytes, pass_cost
from ...request.inspection import Inspection
from ..all_layers import Overview, Ribbon
from ..overview import Thumbnail, strongest, thumbnail


def overview(task: Overview, bench: Bench) -> Sliced[tuple[Thumbnail, ...]]:
    """A small picture of every layer that ran, in execution order."""
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    yield
    return (yield from all_layers(loaded, task.wanted, task.photo, bench.limits))


def ribbon(task: Ribbon, bench: Bench) -> tuple[Thumbnail, ...]:
    """The strongest maps of each link of the model's chain.

    Raises:
        TooLargeError: one pass would take more memory than one request may.
    """
    wanted, photo = task.wanted, task.photo
    loaded = bench.loaded(wanted.model, wanted.weights)
    names = [link.last for link in chain(loaded.rows)]
    rows = [row for row in loaded.rows if row.name in names]
    check_cost("the ribbon", pass_cost(rows, sum(map(output_bytes, rows))), bench.limits)
    with loaded.as_wanted(wanted.forward, photo):
        found = capture(loaded.layers, loaded.inputs.of(photo), names, known=loaded.known(photo))
    plain = Inspection(wanted.image, wanted.model, wanted.weights, layer="")
    return tuple(strongest(found[name], plain) for name in names)


def all_layers(
    loaded: LoadedModel, wanted: Inspection, photo: Photo, limits: Limits
) -> Sliced[tuple[Thumbnail, ...]]:
    """A small picture of every layer that runs, in execution order.

    No more layers are captured at a time than fit into one pass.

    Raises:
        TooLargeError: that would take more memory than one request may.
    """
    at_once = limits.whole_pass
    check_cost("all layers", pass_cost(loaded.rows, at_once), limits)
    plain = Inspection(wanted.image, wanted.model, wanted.weights, layer="")
    known = loaded.known(photo)
    thumbs: list[Thumbnail] = []
    for names in loaded.in_passes(at_once):
        with loaded.as_wanted(wanted.forward, photo):
            found = capture(loaded.layers, loaded.inputs.of(photo), names, known=known)
        for name in names:
            yield
            thumbs.append(thumbnail(found.pop(name), plain))
    return tuple(thumbs)
