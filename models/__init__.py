"""What can be looked at: the catalogue of models. Imports neither ``viz`` nor Streamlit.

>>> import models
>>> models.names()[:2]
('lenet', 'photonet')
>>> models.describe("lenet").input_size
(32, 32)
>>> net = models.load("lenet")  # trained, in evaluation mode
"""

from models.cards import ModelCard
from models.catalogue import describe, download, families, is_ready, load, names, representatives
from models.errors import (
    ModelError,
    OwnModelError,
    OwnWeightsError,
    PictureError,
    UnknownModelError,
    UnknownWeightsError,
    WeightsDamagedError,
    WeightsUnavailableError,
)
from models.own_model import own_model_name
from models.preprocessing import Preprocessing

__all__ = [
    "ModelCard",
    "ModelError",
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
    "own_model_name",
    "representatives",
]
