"""What the page says about one number, a channel's weights and copying."""

from ..words_table import Words

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "one_number": "One number",
    "computing": "Computing …",
    "cell_keys": (
        "Click a cell, or reach it with the arrow keys and press Enter, to see how its number came about."
    ),
    "seen_alt": "What the model saw",
    "sees_part": (
        "It sees {height} × {width} pixels: rows {top} to {bottom}, columns {left} to {right}, from 0."
    ),
    "freeze_first": (
        "Freeze the camera's picture first: this is about one picture, and frames are not kept."
    ),
    "sees_signal": (
        "It sees {width} values of the signal that the model was given: {left} to {right}, from 0."
    ),
    "padding": "padding",
    "grid_channel": "input, channel",
    "grid_input": "input, channel {channel}",
    "grid_weights": "weights",
    "grid_products": "products",
    "sum_channel": "channel {channel}, its products summed",
    "sum_others": ("the other channel", "the other {count} channels together"),
    "sum_input": "input {place}",
    "sum_inputs": ("the other input", "the other {count} inputs together"),
    "bias": "bias",
    "table_row": "row {row} of the table",
    "sum": "computed again",
    "sum_title": "computed here, in double precision",
    "all_digits": "All digits",
    "number_in_torch": "in PyTorch: {index}",
    "returned": "returned by the layer",
    "agrees": "The two agree to the precision of {precision}; they differ by {difference}.",
    "disagrees": "The two do not agree: they differ by {difference}, more than {precision} explains.",
    "number_edited": (
        "An edit changed this number after the layer had made it, so the two differ by {difference}."
    ),
    "filter": "Weights that make this channel",
    "filter_facts": (
        "One kernel of {height} × {width}, input channel {first}; colours end at ±{limit}.",
        "{count} kernels of {height} × {width}, input channels {first} to {last}; colours end at ±{limit}.",
    ),
    "filter_bias": "Bias {bias}.",
    "copy_link": "Copy link",
    "copy_code": "Copy as code",
    "copied": "Copied",
    "link_copied": "Copied: the link opens this view anywhere.",
    "link_weights": "Your weights are not in the link: it shows the model with its trained ones.",
    "link_donor": "For others, the edit that takes values from your own picture is left out.",
    "link_private": (
        "Copied: it opens this view with a sample picture. Your own picture stays private and is not in it."
    ),
    "code_copied": (
        "Copied: a script of plain hooks that makes this view from picture.png, which is under Download."
    ),
    "copy_failed": (
        "This browser did not allow copying: the script is under Download, the link in the address bar."
    ),
}
