"""What the quiz says around its questions."""

from ..words_table import Words

BROWSER_WORDS: Words = {
    "quiz_progress": "Question {number} of {count} · {right} right so far",
    "quiz_share": "Quiz number {seed}. The address of this page gives everybody the same questions.",
    "quiz_new": "Another quiz",
    "quiz_again": "The same quiz again",
    "quiz_next": "Next question",
    "quiz_result": "See the result",
    "quiz_done": "{right} of {count} right.",
    "quiz_right": "Right.",
    "quiz_wrong": "Not quite: you chose {chosen}.",
    "quiz_mark_none": "{choice}",
    "quiz_mark_right": "✓ {choice}",
    "quiz_mark_wrong": "✗ {choice}",
    "quiz_loading": "Making a question …",
    "view_quiz": "Quiz",
}
WORDS: Words = {
    "quiz_between_names": ", ",
    "quiz_between_pairs": "; ",
    "quiz_pair": "{name}: {value}",
    "quiz_hook_of": "{hook} of {layer}",
    "quiz_hook_pre_hook": "pre-hook",
    "quiz_hook_forward_hook": "forward hook",
    "quiz_hook_full_backward_pre_hook": "full backward pre-hook",
    "quiz_hook_full_backward_hook": "full backward hook",
    "quiz_alt_maps": "{shown} maps of {sides} values",
    "quiz_alt_signals": "{sides} values in one picture",
    "quiz_alt_attention": "{shown} heads of {sides} values",
    "quiz_alt_before": (
        "without the edit: {shown} maps of {sides} values, from {minimum} to {maximum}, {zeros} of them zero"
    ),
    "quiz_alt_after": (
        "with the edit: {shown} maps of {sides} values, from {minimum} to {maximum}, {zeros} of them zero"
    ),
    "quiz_alt_lost": "the difference: {shown} maps of {sides} values, {zeros} of them zero",
    "quiz_alt_candidate": "channel {channel}: {sides} values up to {maximum}, {zeros} of them zero",
    "quiz_alt_through": "behind the ReLU: {sides} values up to {maximum}, {zeros} of them zero",
    "quiz_alt_gradient": "{letter}: the signs of {sides} values, {zeros} of them zero",
    "quiz_title_before": "without the edit",
    "quiz_title_after": "with the edit",
    "quiz_title_lost": "difference at {after}",
    "quiz_title_candidate": "channel {channel}",
    "quiz_title_through": "let through by {relu}",
    "quiz_title_gradient": "{letter}",
}
