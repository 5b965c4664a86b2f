"""Camera frames come in, their maps go out; nothing is kept.

A frame is posted to the address of the subject on screen, which cannot be guessed. The browser sends the next
frame once it has drawn this one's maps, so the rate is what the machine can sustain.
"""

import asyncio
import base64
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from msgspec.structs import asdict
from starlette.routing import Route

from ....answers.live import LiveFacts, LiveLayersFacts
from ....answers.model import Share
from ....errors import ImageError, RequestError
from ....pictures.photo import Photo
from ....request.inspection import Prediction
from ....views.all_layers import Overview
from ....views.live import Live, LiveOverview
from ....views.overview import Thumbnail
from ...locale.translated import in_each_language
from ...visit.frames import LONGEST_SIDE, MOST_BYTES, Turns, frame_posted, photo_of_frame
from ..answers import AboutModel, PageQuery, facts_of_all, limits_of, question, wanted_in
from ..questions import LayerQuestion, ModelQuestion
from ..threads import in_thread

__all__ = ["LONGEST_SIDE", "MOST_BYTES", "questions"]

REFUSED_SECONDS = 0.25  # no camera sends what cannot be read: whoever does has few of these read
_turns = Turns()
# A frame may wait long for a reader, so it waits in threads that serve no other requests.
_waiting = ThreadPoolExecutor(8, "layerglass-frames")


def questions() -> list[Route]:
    """Return the routes of posted frames, for one or all layers."""
    return [
        question("layer.live", _answer_frame, LayerQuestion, method="POST", kept=False),
        question("overview.live", _answer_all, ModelQuestion, method="POST", kept=False),
    ]


async def _answer_frame(asked: PageQuery[LayerQuestion]) -> LiveFacts:
    """The maps of the posted frame, drawn as the address says.

    One scale for the whole model is that of the subject's own picture: finding that of a frame would take a
    pass with every layer recorded, and a scale that changes with each frame would say little.
    """
    wanted, photo = await wanted_in(asked), await _frame(asked)
    if wanted.gradient is not None:
        raise RequestError("Live maps are those of the forward pass; choose another view than gradients.")
    limits = await limits_of(asked, wanted)
    wanted = replace(wanted, image=photo.fingerprint)
    frame = await asked.answer(Live(wanted, photo, limits=limits, channel=asked.look.channel or 0))
    facts = in_each_language(frame.view.facts())
    return LiveFacts(
        **asdict(facts),
        png=_text(frame.view.png),
        large=_text(frame.large),
        seen=_text(frame.seen),
        top=_shares(frame.prediction),
    )


async def _answer_all(asked: PageQuery[ModelQuestion]) -> LiveLayersFacts:
    """Return every layer of the posted frame in small.

    One scale for all is that of the subject's own picture.
    """
    own, photo = await wanted_in(asked), await _frame(asked)
    wanted = replace(own, image=photo.fingerprint)
    scaled_by: tuple[Thumbnail, ...] = ()
    if wanted.scale == "model":
        scaled_by = await asked.answer(Overview(own, asked.subject.photo))
    frame = await asked.answer(LiveOverview(wanted, photo))
    layers = await in_thread(asked.subject, facts_of_all, frame.thumbs, wanted, scaled_by)
    return LiveLayersFacts(layers=layers, seen=_text(frame.seen), top=_shares(frame.prediction))


async def _frame(asked: PageQuery[AboutModel]) -> Photo:
    """The posted picture.

    Raises:
        ImageError: it is not a picture, or too large for a frame.
        SupersededError: the visitor has posted a newer one meanwhile.
    """
    data, visitor = await frame_posted(asked.request.stream()), asked.subject.visitor
    async with _turns.turn(visitor):
        try:
            return await asyncio.get_running_loop().run_in_executor(_waiting, photo_of_frame, data, visitor)
        except ImageError:
            await asyncio.sleep(REFUSED_SECONDS)
            raise


def _shares(found: Prediction) -> tuple[Share, ...]:
    return tuple(Share(label=label, share=share) for label, share in found.top)


def _text(picture: bytes) -> str:
    return base64.b64encode(picture).decode()
