"""What the page says about weights and costs."""

from ..words_table import Words

WORDS: Words = {
    "needs_ready": "ready",
    "needs_download": "download",
    "needs_download_size": "download {megabytes} MB",
    "needs_untrained": "untrained only",
    "trained_download": "trained · {megabytes} MB",
    "own": "own",
    "own_place": "Your own weights …",
    "own_weights": "own weights",
    "own_part": "own weights, {fit} of {wanted}",
    "own_upload": "Your own weights for {model}",
    "own_help": (
        "A .safetensors file or a state dict (.pt, .pth), at most {megabytes} MB; no code in it is ever run."
    ),
    "own_private": "They are yours alone and end with this visit; a link restores everything but them.",
    "own_reading": "Reading the weights …",
    "own_kept": "{error} What is on screen stays.",
    "own_fit": ("The one weight fits {model}.", "All {count} weights fit {model}."),
    "own_misfit": "Your weights do not fit {model}: {counts}. Showing {instead} weights; see “{place}”.",
    "own_each": "{missing} missing, {unexpected} unexpected, {misshapen} of another shape, {fitting} fit",
    "own_counts": "{fitting} of {wanted} weights fit {model}.",
    "own_missing": "{count} missing: {names}",
    "own_unexpected": "{count} unexpected: {names}",
    "own_misshapen": "{count} of another shape: {names}",
    "own_instead_of": "{found} instead of {wanted}",
    "own_go_on": "Go on with the {fitting} that fit",
    "own_rest": "The rest stays untrained.",
    "cost_load": "{model} takes about {cost} MB of memory to load; {free} MB are free on this server.",
    "cost_too_large": "{sentence} One request may take {most} MB here.",
    "cost_go_on": "Go on",
    "cost_instead": "Show {name} instead, about {cost} MB",
}

BROWSER_WORDS: Words = {
    "cost_too_large": WORDS["cost_too_large"],
    "cost_go_on": WORDS["cost_go_on"],
    "cost_instead": WORDS["cost_instead"],
    "cost_alone": "Show {name} alone",
    "cost_gradients": (
        "Gradients of {model} take about {cost} MB of memory; {free} MB are free on this server."
    ),
    "cost_layer": "{layer} takes about {cost} MB of memory to show; {free} MB are free on this server.",
    "cost_layer_scale": "Use one scale for the layer",
    "cost_layers": (
        "All layers of {model} take about {cost} MB of memory; {free} MB are free on this server."
    ),
    "cost_scale": (
        "One scale for all of {model} takes about {cost} MB of memory; {free} MB are free on this server."
    ),
    "cost_waiting": "Not shown yet: it takes about {cost} MB of memory.",
}
