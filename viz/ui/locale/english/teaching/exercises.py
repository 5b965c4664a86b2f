"""Words around exercises; the exercises themselves are text files in viz/exercises/texts."""

from ...words_table import Words

BROWSER_WORDS: Words = {
    "exercises": "Exercises",
    "exercises_text": "A few lines of your own, run on a real net and your picture.",
    "exercise_loading": "Opening the exercise …",
    "exercise_editor": "Your answer, as Python",
    "exercise_keys": "Ctrl+Enter checks. Tab indents; Esc and then Tab leaves the field.",
    "exercise_whole": "This server runs whole Python for you, because you sit at its machine.",
    "exercise_check": "Check",
    "exercise_checking": "Checking …",
    "exercise_first": "Checking … The first answer takes a few seconds longer.",
    "exercise_again": "Begin again",
    "exercise_next": "Next exercise: {title}",
    "exercise_hint": "Hint {number} of {count}",
    "exercise_solution": "Show the solution",
    "exercise_solved_by": "One solution",
    "exercise_right": "Right.",
    "exercise_wrong": "Not yet.",
    "exercise_done": "solved",
    "exercise_line": "Line {line}",
    "exercise_printed": "Printed",
    "exercise_yours": "{name}: yours",
    "exercise_wanted": "{name}: asked for",
    "exercise_alt_yours": "Maps of {name} as your answer makes them.",
    "exercise_alt_wanted": "Maps of {name} as they were asked for.",
    "exercise_nothing": "Your answer made nothing to show.",
    "exercise_scale": "Both from {vmin} to {vmax}.",
    "exercise_some": "The first {maps} of {all} maps.",
    "exercise_guesses": "Without hooks the net guesses {before}; with yours, {after}.",
    "exercise_unreachable": "The server does not answer. Your text is kept: check it again in a moment.",
}
