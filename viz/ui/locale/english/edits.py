"""Words about edits and ablation."""

from ..words_table import Words

WORDS: Words = {
    "edit_zero": "{where} removed",
    "edit_scale": "{where} × {amount}",
    "edit_mean": "{where} frozen to the mean",
    "edit_noise": "{where} with noise of ±{amount}",
    "edit_clamp": "{where} cut off at ±{amount}",
    "edit_swap": "{where} taken from “{donor}”",
    "edit_channel": "{layer}: channel {channels}",
    "edit_channels": "{layer}: channels {channels}",
    "edit_layer": "{layer}: whole layer",
    "edit_call": "{layer} (call {call})",
    "edit_inputs": "input of {layer}",
    "edit_zero_gradient": "{where} set to zero",
    "edit_gradient": "gradient at {layer}",
    "edit_inputs_gradient": "gradient at the input of {layer}",
    "edits_in_vain": "The edits in the address were left out: {error}",
    "missing_picture": "a picture that is not here",
    "edit_without_picture": (
        "Left out: {edits}. That picture was uploaded in another visit, or several pictures ago: upload it "
        "and make the edit again, or take the values from a sample."
    ),
}

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "edited": "edited",
    "edited_list": "Edited:",
    "undo": "undo",
    "undo_all": "undo all",
    "show_label": "What is shown",
    "show_after": "after",
    "show_before": "before",
    "show_difference": "difference",
    "show_beside": "side by side",
    "show_beside_title": (
        "With the edits and without them beside each other, on one scale, and their difference"
    ),
    "is_before": "before the edits",
    "is_difference": "after − before",
    "remove": "Remove",
    "put_back": "Put back",
    "remove_gradient": "Zero gradient",
    "remove_gradient_title": "Set what flows back into this channel to zero, or let it flow again (key x)",
    "edit_idle": "acts on gradients only",
    "side": "what is changed",
    "side_gradient": "its gradient",
    "side_output": "its value",
    "remove_title": "Set this channel to zero while the model runs, or put it back (key x)",
    "edit": "Edit",
    "kind_zero": "remove",
    "kind_zero_gradient": "set to zero",
    "kind_scale": "multiply by",
    "kind_mean": "freeze to its mean",
    "kind_noise": "add noise of ±",
    "kind_clamp": "cut off at ±",
    "kind_swap": "take from another picture",
    "donor": "picture to take it from",
    "amount": "amount",
    "scope_channel": "channel {channel}",
    "scope_layer": "whole layer",
    "scope": "where",
    "apply": "Apply",
    "ablate": "Rank channels by what removing them does",
    "ablation_title": "{layer}: the score of {select} without each channel",
    "ablation_note": (
        "Blue: removing the channel lowers the score of the class. Red: removing it raises the score."
    ),
    "ablation_progress": "{done} of {total} channels",
    "ablation_stopped": "stopped at {done} of {total} channels",
    "ablation_row": "Without channel {channel}: score {score}, probability {probability}",
    "stop": "Stop",
    "close": "Close",
    "edit_refused": "This edit was not made: {error}",
    "prediction_changed": "Prediction, before → after",
    "prediction_impossible": (
        "With these edits the model does not run to its end; the edited layer says why."
    ),
}
