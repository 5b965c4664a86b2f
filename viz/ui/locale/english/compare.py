"""Words about comparisons of two sides, and about attention."""

from ..words_table import Words

WORDS: Words = {
    "other_upload": "B: upload a picture",
    "same_sample": "same picture",
    "same_weights": "same weights",
    "same_edits": "same edits",
    "without_edits": "without edits",
    "with_the_edits": "with edits",
    "call_number": "call {call}",
    "own_picture": "own picture",
    "guess": "{label} {share} %",
}

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "against": "B, compared with A:",
    "other_sample": "B: picture",
    "with_model": "B: model",
    "with_weights": "B: weights",
    "with_layer": "B: layer",
    "with_call": "B: call",
    "with_edits": "B: edits",
    "same_model": "same model",
    "same_layer": "same layer",
    "instead_layer": "{layer} instead",
    "pair_alt": (
        "Feature maps of {layer}, side {side}: {label}, {shape}, minimum {min}, maximum {max}, mean {mean}"
    ),
    "pair_difference": "A − B",
    "pair_difference_alt": (
        "Difference A − B of {layer}, {shape}, minimum {min}, maximum {max}, mean {mean}"
    ),
    "pair_identical": "no cell differs",
    "pair_range": "{min} to {max}",
    "pair_shapes": (
        "A has {left}, B has {right}: their cells do not correspond, so there is no difference to show."
    ),
    "pair_maps": ("one map of {height} × {width}", "{count} maps of {height} × {width}"),
    "pair_scale": "A and B on one scale, {low} to {high}; A − B around zero",
    "pair_scale_apart": "A and B each on their own scale, since their maps do not correspond",
    "pair_scale_clipped": (
        "A and B on one scale, from the 1st to the 99th percentile of both: {low} to {high}"
    ),
    "pair_scale_clipped_signed": (
        "A and B on one scale, {low} to {high}: as far on both sides of zero as the 1st or the 99th "
        "percentile of both, whichever is further"
    ),
    "pair_scale_clipped_apart": (
        "A and B each on their own scale, as far as their own 1st and 99th percentiles reach, "
        "since their maps do not correspond"
    ),
    "pair_scale_model": "A and B on one scale for all their layers, {low} to {high}; A − B around zero",
    "pair_scale_model_apart": "A and B on one scale for all their layers, {low} to {high}",
    "pair_meaning": (
        "A and B were trained separately: the same channel number need not mean the same thing in both."
    ),
    "pair_instead": "B has no {layer}: it shows {instead}",
    "pair_cells": (
        "Arrow keys move from cell to cell and show the values of both sides; Escape leaves the map."
    ),
    "pair_choose": "Click a map to see that channel large.",
    "pair_channel": "channel {channel} · mean A {left}, B {right} · mean of |A − B| {distance}",
    "pair_channel_apart": "channel {channel} · mean {mean} · {min} to {max}",
    "pair_cell": "[{channel}, {y}, {x}]   A = {left}   B = {right}   A − B = {difference}",
    "pair_cell_apart": "[{channel}, {y}, {x}]   {side} = {value}",
    "attention_ask": "Where does a patch look?",
    "attention_patch": (
        "The framed patch (row {row}, column {column}) looks where it is bright. Click another one."
    ),
    "attention_token": (
        "Token {token}, which stands before the patches, looks where it is bright. Click a patch."
    ),
    "order_difference": "most different first",
    "scale_both": "one for both",
    "scale_own": "each its own",
    "view_compare": "Compare",
}
