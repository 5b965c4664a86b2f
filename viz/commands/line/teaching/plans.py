"""``plans``: its arguments and its steps."""

import argparse
from pathlib import Path

from ....course.folder import TEXTS
from ..status import reported
from ..subject import add_device, load_subject, place_models, survey


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Check a folder of lesson plans: every look, every answer, right or wrong, on the real net, and that "
        "all languages have the same steps. Without a folder check the plans that come along, the course and "
        "the quiz. The page's /help/plan-a-lesson says how plans are written."
    )
    parser.set_defaults(command=check_plans, name=parser.prog)
    parser.add_argument("check", choices=("check",), help="what to do with them")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="(default: all that comes along)")
    add_device(parser)


def check_plans(options: argparse.Namespace) -> int:
    """Check lesson plans, and return 1 if anything is wrong.

    Without a folder, all that is taught is checked.
    """
    from ...lessons import checked_lessons
    from ...plans import checked_plans, quiz_checked

    place_models(options)
    if options.folder:
        return reported(*checked_plans(Path(options.folder), survey, load_subject))
    checks = (
        checked_plans(None, survey, load_subject),
        checked_lessons(TEXTS, survey, load_subject),
        quiz_checked(load_subject),
    )
    return reported(sum(steps for steps, _ in checks), [each for _, wrong in checks for each in wrong])
