from . import own, sentences
from .cards import ModelCard, Needs
from .catalogue import describe, download, families, is_ready, load, names, needs, representatives
from .errors import (
    ModelError,
    OwnModelError,
    OwnWeightsError,
    PictureError,
    UnknownModelError,
    UnknownWeightsError,
    WeightsDamagedError,
    WeightsUnavailableError,
)
from .own.own_model_name import own_model_name
from .preprocessing import Preprocessing

__all__ = [
    "ModelCard",
    "ModelError",
    "Needs",
    "OwnModelError",
    "OwnWeightsError",
    "PictureError",
    "Preprocessing",
    "UnknownModelError",
    "UnknownWeightsError",
    "WeightsDamagedError",
    "WeightsUnavailableError",
    "describe",
    "download",
    "families",
    "is_ready",
    "load",
    "names",
    "needs",
    "own",
    "own_model_name",
    "representatives",
    "sentences",
]
