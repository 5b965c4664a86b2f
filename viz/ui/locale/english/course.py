"""What the course says around its lessons."""

from ..words_table import Words

BROWSER_WORDS: Words = {
    "lesson": "Lesson",
    "course_lesson": "Lesson {number}",
    "course_loading": "Opening the lesson …",
    "course_run": "Run on this machine",
    "course_running": "Running …",
    "course_not_run": "Press the button: the numbers are computed when you ask for them.",
    "course_what": "what",
    "course_expected": "expected",
    "course_found": "found just now",
    "course_right": "as expected",
    "course_wrong": "not as expected",
    "course_code": "The code that runs",
    "course_plain": "plain hooks",
    "course_ours": "LayerActivations",
    "course_try": "Try",
    "course_traps": "Watch out",
    "course_see": "Watch the hooks fire in {model}",
    "course_live": "On the model that you have chosen",
    "course_live_hook": "hook",
    "course_live_given": "shapes that it was given",
    "course_live_way": "kept as",
    "course_live_wrong": "wrong after the pass",
    "view_course": "Course",
}
WORDS: Words = {
    "course_all_right": ("The number is as expected.", "All {count} numbers are as expected."),
    "course_some_wrong": (
        "{count} of {all} numbers is not as expected.",
        "{count} of {all} numbers are not as expected.",
    ),
    "course_live_text": (
        "What the hooks of `{layer}` in **{model}** were given just now, for the picture on the left."
    ),
    "course_live_silent": (
        "None of this layer's hooks fires: it does not run, or it is an operation, not a "
        "layer. Choose another one on the left."
    ),
    "course_live_hot": "Feature maps of {layer} in the colours “hot”",
    "hook_pre_hook": "pre-hook",
    "hook_forward_hook": "forward hook",
    "hook_full_backward_pre_hook": "full backward pre-hook",
    "hook_full_backward_hook": "full backward hook",
    "hook_tensor_hook": "tensor hook",
    "course_canvas": "All eight layers of {net} as heatmaps in the colours “hot”, each with a colour bar",
    "course_choice_last": "last K layers",
    "course_choice_width": "numbers in a token",
    "course_choice_second": "second input",
    "course_choice_net": "net",
    "course_choice_runs": "runs",
    "course_choice_side": "side of the pictures",
    "course_choice_value": "each x",
    "course_choice_count": "how many",
    "course_choice_factor": "the hook multiplies by",
    "course_choice_kernel": "kernel side",
    "course_choice_a": "a",
    "course_choice_b": "b",
    "course_choice_adds": "the hook adds",
}
