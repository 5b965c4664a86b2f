"""The addresses of answers: ``/maps/<subject>/<question>?<look>``, such as ``layer.png?layer=conv1``.

A subject's token cannot be guessed and ends with its visit; any other token gets "gone".
"""

from importlib import import_module
from pkgutil import walk_packages

from starlette.routing import Route

from ... import wire


def routes() -> list[Route]:
    """Return every route about a subject, from each module's ``questions``.

    They are tried in turn, so what a pick asks for comes first.
    """
    names = [each.name for each in walk_packages(wire.__path__, f"{wire.__name__}.")]
    names.sort(key=lambda name: not name.endswith(".routes_layer"))
    modules = [import_module(name) for name in names if name.rpartition(".")[2].startswith("routes_")]
    return [route for module in modules if hasattr(module, "questions") for route in module.questions()]
