"""Input, options and accuracy for each task of torchvision's models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol

from ..cards import Preparation
from ..preprocessing import Preprocessing
from .torchvision_inputs import ClipPreprocessing, ListPreprocessing, PairPreprocessing

__all__ = ["TASKS", "Task", "task_of"]

_ZEROS, _ONES, _HALVES = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.5, 0.5, 0.5)
_DETECTION_SIDE = 512  # near COCO's 480 to 640; the models resize it to what they were trained on
_FLOW_SIDE, _FLOW_STEP = 256, 8  # RAFT needs at least 128, divisible by 8
_NO_TRUNK = {"weights_backbone": None}  # otherwise an untrained model would download a trained trunk
_MEASURES = {
    "acc@1": "{:.1f} % named rightly at the first guess",
    "acc@5": "{:.1f} % within five guesses",
    "miou": "{:.1f} % mean intersection over union",
    "pixel_acc": "{:.1f} % of pixels named rightly",
    "box_map": "boxes {:.1f} mAP",
    "mask_map": "masks {:.1f} mAP",
    "kp_map": "keypoints {:.1f} mAP",
    "epe": "{:.2f} pixels mean error",
}


def _picture(transforms: Any) -> Preprocessing:
    """Return a classifier's preprocessing: a square crop."""
    resize, crop = transforms.resize_size[0], transforms.crop_size[0]
    return _scaled(transforms, resize, crop)


def _whole_square(transforms: Any) -> Preprocessing:
    """Return a segmentation model's preprocessing: a square crop.

    Torchvision resizes without cropping; a square bounds the memory.
    """
    side = transforms.resize_size[0]
    return _scaled(transforms, side, side)


def _clip(transforms: Any) -> ClipPreprocessing:
    return ClipPreprocessing(_scaled(transforms, transforms.resize_size[0], transforms.crop_size[0]))


def _scaled(transforms: Any, resize: int, crop: int) -> Preprocessing:
    return Preprocessing(
        resize=resize,
        crop=(crop, crop),
        interpolation=transforms.interpolation.value,
        mean=tuple(transforms.mean),
        std=tuple(transforms.std),
    )


def _list_of_one(transforms: Any) -> ListPreprocessing:
    del transforms  # they only turn a picture into numbers from 0 to 1
    frame = Preprocessing(_DETECTION_SIDE, (_DETECTION_SIDE, _DETECTION_SIDE), mean=_ZEROS, std=_ONES)
    return ListPreprocessing(frame)


def _pair(transforms: Any) -> PairPreprocessing:
    del transforms  # they scale to −1 … 1
    frame = Preprocessing(_FLOW_SIDE + _FLOW_STEP, (_FLOW_SIDE, _FLOW_SIDE), mean=_HALVES, std=_HALVES)
    return PairPreprocessing(frame)


def _share_of_imagenet(metrics: Mapping[str, Mapping[str, float]]) -> str:
    first, five = metrics["ImageNet-1K"]["acc@1"], metrics["ImageNet-1K"]["acc@5"]
    return f"{first:.1f} % of ImageNet's validation pictures, {five:.1f} % within the first five guesses"


def _measures(metrics: Mapping[str, Mapping[str, float]]) -> str:
    data, found = next(iter(metrics.items()))
    known = (_MEASURES[name].format(value) for name, value in found.items() if name in _MEASURES)
    return f"{data}: {', '.join(known)}"


class FramePreparation(Preparation, Protocol):
    """A preparation that makes frames of one size."""

    @property
    def crop(self) -> tuple[int, int]:
        """The (height, width) of a frame."""


@dataclass(frozen=True)
class Task:
    """One kind of torchvision's models.

    Attributes:
        name: the task in words.
        module: the submodule of ``torchvision.models`` that has them; empty for itself.
        data: what the weights were trained on.
        prepare: from the transforms that come with the weights to a preparation.
        accuracy: from torchvision's figures to words.
        always: options for every model.
        untrained: further options for a model without trained weights.
        notes: what else to know, in sentences.
    """

    name: str
    module: str
    data: str
    prepare: Callable[[Any], FramePreparation]
    accuracy: Callable[[Mapping[str, Mapping[str, float]]], str] = _measures
    always: Mapping[str, Any] = field(default_factory=dict)
    untrained: Mapping[str, Any] = field(default_factory=dict)
    notes: str = ""


_CLIP_NOTES = "It was trained on clips in which something moves; here only the camera does."
TASKS = (
    Task("classification", "", "ImageNet-1K", _picture, _share_of_imagenet),
    Task(
        "classification",
        "quantization",
        "ImageNet-1K",
        _picture,
        _share_of_imagenet,
        always={"quantize": True},
        notes="Its layers work on whole numbers of 8 bits, shown as the values that they stand for.",
    ),
    Task("segmentation", "segmentation", "COCO", _whole_square, untrained=_NO_TRUNK),
    Task(
        "detection",
        "detection",
        "COCO",
        _list_of_one,
        untrained=_NO_TRUNK,
        notes="Untrained, it may find nothing, and then the layers behind have nothing to work on.",
    ),
    Task("video classification", "video", "Kinetics-400", _clip, notes=_CLIP_NOTES),
    Task("optical flow", "optical_flow", "drawn and real scenes", _pair),
)


def task_of(model_id: str, zoo: ModuleType) -> Task:
    """Return the task of a model of torchvision; ``zoo`` is ``torchvision.models``."""
    return next(task for task in TASKS if model_id in zoo.list_models(module=_part(task, zoo)))


def _part(task: Task, zoo: ModuleType) -> ModuleType:
    part: ModuleType = getattr(zoo, task.module) if task.module else zoo
    return part
