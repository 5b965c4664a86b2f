"""Questions for a class, made from real runs: the same seed asks the same questions everywhere.

A question is made of plain values; its right answer comes from the run itself. The wrong answers are chosen
so that they are wrong for a visible reason, which is measured if necessary.

    question     what is asked, and what a quiz needs to know of nets
    scene        one net on one picture: what a question is about
    layers       which layer made these maps, which shape it returns
    channels     which channel's removal made this difference
    changes      which edit made the lower maps of the upper
    order        which hook fires next, what a hook is given
    gates        which gradient came through this ReLU
    fates        which gradients an edit of a gradient changes
    drawing      from the seed to the question
    quiz_task    the question as a task of an engine
"""

from .drawing import KINDS, QUESTIONS, SEEDS, question
from .fates import FatesTask, gradient_fates
from .question import CHOICES, Picture, Question, Runs, Subjects
from .quiz_task import QuizTask

__all__ = [
    "CHOICES",
    "KINDS",
    "QUESTIONS",
    "SEEDS",
    "FatesTask",
    "Picture",
    "Question",
    "QuizTask",
    "Runs",
    "Subjects",
    "gradient_fates",
    "question",
]
