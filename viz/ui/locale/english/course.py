"""What the course says around its lessons, and the sources around their numbers."""

from ..words_table import Words

BROWSER_WORDS: Words = {
    "course_title": "Hooks, step by step",
    "course_intro": (
        "Short lessons on your own picture. In each step you say what you expect, then you run it, and "
        "then you see why."
    ),
    "course_all": "All lessons",
    "course_minutes": "{minutes} minutes",
    "course_steps": "{done} of {count} steps",
    "course_steps_label": "Steps of this lesson",
    "course_begin": "Begin",
    "course_continue": "Continue",
    "course_again": "Open again",
    "lesson_next": "Next lesson: {title}",
    "lesson_last": "All lessons",
    "lesson_done": "Lesson done.",
    "lesson_score": (
        "{right} of {count} predictions were right. The wrong ones are those that you will remember."
    ),
    "step_back": "Back",
    "step_next": "Next",
    "step_dot": "Step {number}: {title}",
    "step_dot_done": "Step {number}: {title} (done)",
    "step_predict": "Your prediction",
    "step_commit": "Choose first, then run.",
    "step_run": "Run it",
    "step_running": "Running on your picture …",
    "step_code": "The code of this step",
    "step_order": "ran as number {order}",
    "step_printed": "It prints",
    "step_right": "Right.",
    "step_wrong": "Not this time.",
    "step_is_right": "right",
    "step_is_wrong": "not right",
    "step_number": "You said {said}. It is {answer}.",
    "step_again": "Predict once more",
    "step_open": "See it in the net",
    "step_setup": "The lines before this code",
    "step_failed": "This code failed: {error}",
    "sources": "The sources, number by number",
    "sources_one": "Source {number}",
    "sources_text": (
        "The course grew out of five documents about hooks. What they compute runs here, now, beside "
        "their own numbers."
    ),
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
    "lesson_contents": "the list of lessons",
    "step_map": "Map {number}",
    "step_bars": "{caption}, as bars",
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
