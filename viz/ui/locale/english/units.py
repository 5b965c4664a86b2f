"""Words of a unit's page."""

from ..words_table import Words

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "view_unit": "One unit",
    "unit_open": "Unit page",
    "unit_open_title": "Its weights, what feeds it, what reads it, and what it is worth (U)",
    "unit_title": "unit {channel}",
    "unit_back": "All maps of this layer",
    "unit_back_title": "Back to the maps of this layer (U)",
    "unit_previous": "The unit before (↑)",
    "unit_next": "The unit after (↓)",
    "unit_silent": "This unit is zero everywhere on this picture: without it, nothing changes.",
    "unit_map": "Its map on this picture",
    "unit_weights": "Its weights",
    "unit_weights_said": (
        "{count} of {total} kernels of {size} weights, the strongest first. Blue is below zero, "
        "red above, up to ±{limit}."
    ),
    "unit_bias": "Then {bias} is added, the bias.",
    "unit_folded": "{layer} then multiplies it by {scale} and adds {shift}.",
    "unit_no_weights": "{type} mixes no channels by weights of its own that could be shown here.",
    "unit_before": "What feeds it",
    "unit_after": "What reads it",
    "unit_before_said": "A sum over {total} channels of {layers}. These give most to it on this picture.",
    "unit_before_passed": "{type} has no weights of its own: it passes on this channel of {layers}.",
    "unit_before_mixed": (
        "Something in front of this layer mixes channels, so it is not known whose channels these are. The "
        "effects are measured."
    ),
    "unit_before_unknown": "This model cannot be followed, so it is not known whose channels these are.",
    "unit_before_nothing": "No layer in front of it has channels that arrive here.",
    "unit_after_said": (
        "{total} channels of {layers} are given it. These change most without it on this picture."
    ),
    "unit_after_same": (
        "{total} channels of {layers} are given it, and none changes without it on this picture: on the way "
        "there, it makes no difference."
    ),
    "unit_after_mixed": (
        "On the way to {layers} its channel is mixed with others, so only effects are known: what changes "
        "there if it is zero."
    ),
    "unit_after_unknown": (
        "This model cannot be followed. These are channels of the layers that run next, and what changes "
        "there if the unit is zero."
    ),
    "unit_after_nothing": "No layer with weights is given it: it goes into the model's answer, or nowhere.",
    "unit_by_effect": "By effect",
    "unit_by_effect_said": (
        "In percent: how much the later channel changes if the earlier one is zero on this picture, the root "
        "mean square of the change, as a share of that of all values of the later layer."
    ),
    "unit_by_weight": "By weight",
    "unit_by_weight_said": (
        "In percent: the norm of the weights between the two, times the root mean square of the earlier "
        "channel, as a share of that of all values of the later layer."
    ),
    "unit_effect_up": "Raises it: without it, the change is {effect} of the later layer's root mean square.",
    "unit_effect_down": (
        "Holds it down: without it, the change is {effect} of the later layer's root mean square."
    ),
    "unit_weight_of": "Weight × activation: {weight}.",
    "unit_through": "through {steps}",
    "unit_added": "Added to it: {units}.",
    "unit_input": "channel {channel} of its input",
    "unit_picture": "the picture",
    "unit_red": "red of the picture",
    "unit_green": "green of the picture",
    "unit_blue": "blue of the picture",
    "unit_worth": "Without it",
    "unit_worth_said": "How the scores (logits) of the five best classes change if this unit is zero.",
    "unit_worth_row": "{name}: score {score}, probability {share}",
    "help_unit": "page of the unit, and back",
}
