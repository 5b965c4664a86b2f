"""Words of the view of hooks."""

from ..words_table import Words

WORDS: Words = {}

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "hooks_intro": ("Every hook of one forward and one backward pass, in the order in which it fires."),
    "hooks_keys": "Space plays, ← and → step.",
    "hooks_forward_only": "There is no score of a class to go back from: only the forward pass is shown.",
    "hooks_title": "Timeline of one pass",
    "hooks_loading": "Running the model with every hook in place …",
    "hooks_step": "{step} of {steps}",
    "hooks_player": "Player",
    "hooks_play": "Play",
    "hooks_pause": "Pause",
    "hooks_play_keys": "{name} (Space or K)",
    "hooks_playing": "playing",
    "hooks_slider": "Place in the pass",
    "hooks_speed": "Speed",
    "hooks_at": "{step} of {steps}: {hook}, {layer}",
    "hooks_code": "This hook in plain PyTorch. The marked line runs now.",
    "hooks_refused": (
        "PyTorch itself refuses this hook here, because an operation works in place on what it watches. "
        "Here it is shown all the same."
    ),
    "hooks_previous": "previous hook",
    "hooks_next": "next hook",
    "hooks_forward": "forward",
    "hooks_backward": "backward",
    "hooks_list": "Hooks in firing order",
    "hooks_left_out": (
        "{left} of {total} events are not shown: those inside {folded} layers further in. Choose a layer "
        "in the tree to see its own."
    ),
    "hooks_choose": "Go to this layer",
    "hooks_call": "call {call}",
    "hooks_pre": "pre-hook",
    "hooks_after": "forward hook",
    "hooks_back_pre": "full backward pre-hook",
    "hooks_back": "full backward hook",
    "hooks_tensor": "tensor hook",
    "hooks_short_pre": "pre-hook",
    "hooks_short_after": "forward",
    "hooks_short_back_pre": "back pre",
    "hooks_short_tensor": "tensor",
    "hooks_short_back": "backward",
    "hooks_pre_about": (
        "Before {layer} runs. The hook is given its inputs, always as a tuple, and may return others."
    ),
    "hooks_after_about": (
        "{layer} has run. The hook is given inputs and output, and may return another output; for the "
        "inputs it is too late."
    ),
    "hooks_back_pre_about": (
        "On the way back, the gradient at {layer}'s output has arrived. The hook may return another one."
    ),
    "hooks_back_about": (
        "The gradient has gone through {layer}. The hook is given the gradients on both sides, as "
        "tuples, and may return others for the inputs."
    ),
    "hooks_tensor_about": (
        "The gradient of the tensor that {layer} returned. A hook on the tensor sees it, and may return "
        "another."
    ),
    "hooks_inputs": "inputs",
    "hooks_outputs": "output",
    "hooks_input_gradients": "gradient at the inputs",
    "hooks_output_gradients": "gradient at the output",
    "hooks_none": "none",
    "hooks_maps_input": "What goes into {layer}",
    "hooks_maps_output": "What {layer} returned",
    "hooks_maps_gradient": "Gradient at the output of {layer}",
    "hooks_maps_gradient_in": "Gradient at the input of {layer}",
    "hooks_maps_alt": "{title}, {shape}, minimum {min}, maximum {max}",
    "memory_title": "In memory: {layer}",
    "memory_loading": "Running the model once more …",
    "memory_before": "{layer} has not run yet: its value is not in memory.",
    "memory_at": "As the hook saw it: nothing has written over it.",
    "memory_overwritten_now": "Written over {writes}× by now: {changed} of its values have changed.",
    "memory_rewritten_now": "Written over {writes}× by now, and every value is as it was.",
    "memory_see": "See it happen",
    "memory_order": "{size} in memory order; coloured: changed",
    "memory_lane": "memory as at the hook",
    "memory_lane_changed": "{changed} of the memory changed",
    "memory_overwritten": (
        "After the hook, later operations wrote {writes}× into this memory: {changed} of its "
        "values have changed."
    ),
    "memory_rewritten": (
        "After the hook, later operations wrote {writes}× into this memory, and left every value as it was."
    ),
    "memory_untouched": "Nothing wrote into this memory after the hook.",
    "memory_nowhere": (
        "No layer of this model is written to after its hook; in a ResNet, whose ReLUs work in place, "
        "many are."
    ),
    "memory_written": "Layers of this model whose memory is written to after their hook: {count}",
    "memory_more": "and {count} more",
    "memory_at_hook": "at the hook",
    "memory_now": "in memory now",
    "memory_reference": "output",
    "memory_detach": "output.detach()",
    "memory_cpu": "output.cpu()",
    "memory_clone": "output.clone()",
    "memory_shared_wrong": "The layer's own memory: {wrong} of its values are wrong now.",
    "memory_shared_right": "The layer's own memory: right only as long as nothing changes it.",
    "memory_own": "A copy of {copied}: as it was at the hook.",
    "memory_channels": "channels {channels}, on one scale",
    "cost_hooks": (
        "The timeline of {model} takes about {cost} MB of memory, of {free} MB that are free: a forward "
        "and a backward pass in which every layer's output is kept."
    ),
    "view_hooks": "Hooks",
}
