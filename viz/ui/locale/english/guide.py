"""Words of help, invitation, ribbon, presentation mode and files to take home."""

from ..words_table import Words

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "kind_ask": "what is this?",
    "kind_ask_title": "Explain this kind of layer (key i)",
    "present": "Present",
    "present_title": "Presentation: the maps as large as the screen allows (key p)",
    "present_end": "Leave presentation",
    "embed_whole": "Open in Layerglass",
    "help": "Keys and help",
    "help_title": "Keys",
    "help_view": "Help with this view",
    "help_all": "All of the help",
    "help_more": "More",
    "help_layers": "previous and next layer, call by call, in the order in which the model runs",
    "help_channels": "previous and next channel",
    "help_ends": "the layer that runs first, and the one that runs last",
    "help_search": "search for a layer: parts of its name (stage2 bn), its type or its shape (28x28)",
    "help_remove": "remove this channel while the model runs, or put it back",
    "help_quiz": "in the quiz, and when a class is asked: choose an answer; Enter goes on",
    "help_predict": "in a lesson: choose what you expect; Enter runs it, and goes on",
    "help_check": "in an exercise: check what you wrote",
    "help_undo": "take back what you chose last: a layer, a colour, an edit, a view",
    "help_redo": "choose it again; Ctrl+Y does the same",
    "help_kind": "explain the layer on screen, on its own numbers",
    "help_zoom": (
        "into the channel on screen, on to the numbers of its cells, and back; so do pinching, a double "
        "click on a map, and the wheel, with Ctrl where the page scrolls"
    ),
    "help_play": "play what explains a layer, or the timeline of hooks; pause it",
    "help_present": "presentation for projectors; Esc leaves it",
    "help_help": "this help",
    "help_tree": "in the module tree: walk, unfold and fold; Enter shows a layer",
    "help_cells": "in the large map: from cell to cell; Enter takes a number apart",
    "help_frame": (
        "in the frame of what the model saw: move it (with Shift by one pixel) and resize it; Home goes back "
        "to the middle"
    ),
    "help_plan_step": "in your own lesson plan: move a step up or down",
    "help_tab": "from one control to the next",
    "help_note": (
        "The keys work everywhere. A text, a list or a slider that you use keeps those that it needs; Esc"
        " leaves it."
    ),
    "help_signs": "Keys with letters and signs (x, i, p, /, ?) work",
    "invitation": "Your picture or the camera",
    "invitation_upload": "Your picture",
    "invitation_ways": "A file, a picture that you paste (Ctrl+V, ⌘V), or one that you drop on the page",
    "invitation_or": "or",
    "invitation_camera": "the camera",
    "invitation_dismiss": "Put the invitation away",
    "ribbon": "The model, from the picture to its answer",
    "ribbon_picture": "picture",
    "ribbon_link": "{name}, {shape}",
    "home_label": "To take with you",
    "home_all": "all layers",
    "home_html": "page for offline use (HTML)",
    "home_gif": "animation (GIF)",
    "home_layer_html": "this layer as an offline page (HTML)",
    "home_all_html": "all layers as an offline page (HTML)",
    "home_all_gif": "animation through all layers (GIF)",
    "home_note": (
        "Large models: the largest layers show their first maps only, as many as fit into about 25 MB."
    ),
}

# By the keys that ``viz/ui/browser/offline/offline.js`` uses.
FILE_WORDS: Words = {
    "seen": "What the model saw",
    "layer": "Layer",
    "previous": "previous layer",
    "next": "next layer",
    "minimum": "min",
    "maximum": "max",
    "mean": "mean",
    "zeros": "zeros",
    "maps": "Feature maps of {layer}",
    "channel": "channel {channel}",
    "colours": "colours from {low} to {high}",
    "magnitudes": "magnitudes",
    "choose": "Click a map to see it large.",
    "prediction": "Prediction",
    "prediction_untrained": "Untrained: this prediction means nothing.",
    "cut": "{shown} of {channels} maps: the file holds no more of this layer.",
    "keys": (
        "← → layers · ↑ ↓ channels · Home End first and last layer. Needs no network. Made by Layerglass."
    ),
}
