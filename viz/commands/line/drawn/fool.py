"""``fool``: its arguments and its steps."""

import argparse
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PIL import Image

from ....catalogue import models
from ....errors import RequestError
from ....pictures.photo import Photo
from ....pictures.subject import Subject
from ....sentences import Sentence
from ...files import SAMPLE, checked_target, picture, say, write_whole
from ..subject import OWN, activations, add_weights, load_subject, settle, survey, weights_said

if TYPE_CHECKING:
    from ....adversarial.attack import Fooled
    from ....hooks.activations import LayerActivations

MOST, TOP, COLOURS = 32, 3, 3  # levels that --least goes up to; classes that are printed


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments, and the function that runs it."""
    parser.description = (
        "Change a picture by so little that nobody sees it, and the model takes it for another class. The "
        "file opens as it is: the model sees exactly the changed picture."
    )
    parser.set_defaults(command=fool, name=parser.prog)
    parser.add_argument("image", metavar="IMAGE", help=f"a picture file, or {SAMPLE}cat")
    parser.add_argument("--model", required=True, metavar="M", help=f"such as photonet or resnet50, or {OWN}")
    parser.add_argument(
        "--toward",
        type=int,
        metavar="K",
        help="the class that it shall be taken for, from 0 (default: any other)",
    )
    bound = parser.add_mutually_exclusive_group()
    bound.add_argument(
        "--epsilon",
        type=int,
        default=2,
        metavar="N",
        help="the largest change of a number, of 255 (default: 2)",
    )
    bound.add_argument(
        "--least", action="store_true", help=f"find the smallest such number that works, up to {MOST}"
    )
    parser.add_argument(
        "--steps", type=int, default=10, metavar="N", help="of gradient descent, PGD; 1 is FGSM (default: 10)"
    )
    parser.add_argument("--out", required=True, metavar="PICTURE", help="a .png; -: standard output")
    add_weights(parser, "pretrained")


def fool(options: argparse.Namespace) -> None:
    """Write the changed picture, after cheap checks."""
    import numpy as np

    from ....adversarial.attack import Attack, least_change
    from ....adversarial.attack import fool as fooled

    path, _ = checked_target(options.out, ("png",))
    photo = picture(options.image)
    settle(options)
    preparation = models.describe(options.model).preprocessing
    if not isinstance(preparation, models.Preprocessing) or len(preparation.mean) != COLOURS:
        raise RequestError("{model} is not given a picture in colours.", model=options.model)
    subject = load_subject(options.model, options.weights)
    layers, seen = activations(subject), np.asarray(preparation.cropped(photo.image))
    epsilon = MOST if options.least else options.epsilon
    attack = Attack(epsilon, options.steps, options.toward, _meaning(layers, subject, photo))
    least = least_change(layers, seen, preparation.scaled, attack, MOST) if options.least else None
    found = least or fooled(layers, seen, preparation.scaled, attack)
    file = io.BytesIO()
    preparation.around(Image.fromarray(found.picture), photo.image).save(file, "PNG")
    write_whole(path, file.getvalue())
    say(path, f"{path}: {options.model} ({weights_said(options)})", *_said(found, subject.classes))


def _meaning(layers: "LayerActivations", subject: Subject, photo: Photo) -> str:
    """Return the meaning of the model's scores."""
    from ....findings.output_meaning import LOGITS, output_meaning
    from ....hooks.records import to_array
    from ....passes.class_scores import class_rows

    scores = class_rows(layers.run(*subject.arguments(photo.image)), 1)
    if subject.output or scores is None:
        return subject.output or LOGITS
    return output_meaning(to_array(scores)[0], survey(subject))


def _said(found: "Fooled", classes: Sequence[str]) -> Iterator[str]:
    """Yield lines on the classes before and after, and on the change."""
    for heading, shares in (("before", found.before), ("after", found.after)):
        best = (-shares).argsort(kind="stable")[:TOP]
        named = (classes[each] if each < len(classes) else str(each) for each in best)
        yield f"{heading}: " + ", ".join(
            f"{name} {shares[each]:.1%}" for name, each in zip(named, best, strict=True)
        )
    yield Sentence(
        "no number changed by more than {epsilon} of 255, in {steps} steps",
        epsilon=found.attack.epsilon,
        steps=found.attack.steps,
    )
    if not found.worked:
        yield Sentence("The model is not fooled: choose a larger --epsilon, or more --steps.")
