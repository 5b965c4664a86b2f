"""Cards are plain values: a process that cannot import PyTorch can hold them, and ask them for words."""

import json
import pickle
import subprocess
import sys

import models
from models.preprocessing import Preprocessing
from models.whole_preprocessing import WholePreprocessing
from tests.machine import patience

OF_EACH_KIND = (
    "lenet",
    "signalnet",
    "efficientnet_lite0",
    "resnet18",
    "quantized_resnet18",
    "fcn_resnet50",
    "ssd300_vgg16",
    "raft_small",
    "mc3_18",
)
SIZE = (300, 200)
ELSEWHERE = f"""
import json, pickle, sys


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "torchvision", "timm"):
            raise ImportError(name)


sys.meta_path.insert(0, Refuse())
import models

models.Preprocessing, models.own_model_name(), models.own.size_limit(), models.own.WeightsReport
error, whole, *cards = pickle.load(sys.stdin.buffer)
assert isinstance(error, models.ModelError), error
plans = [whole, *(card.preprocessing for card in cards)]
windows = [plan.window({SIZE}) if hasattr(plan, "window") else None for plan in plans]
print(json.dumps([[plan.describe() for plan in plans], windows, [card.title for card in cards]]))
assert not {{"torch", "torchvision", "timm"}} & set(sys.modules)
"""


def test_a_process_without_pytorch_can_hold_a_card_of_each_kind() -> None:
    """It finds the same words and the same part of a picture as this process; an error stays what it is."""
    ids = [*OF_EACH_KIND, *models.names("timm")[:1]]
    cards = [models.describe(each) for each in ids]
    error = models.UnknownModelError("no model named {name}", name="x")
    whole: Preprocessing = WholePreprocessing(40, (32, 40), squeezed=False)
    sent = pickle.dumps([error, whole, *cards])
    said = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], input=sent, stdout=-1, check=True, timeout=patience(100)
    )
    plans = [whole, *(card.preprocessing for card in cards)]
    windows = [plan.window(SIZE) if hasattr(plan, "window") else None for plan in plans]
    assert json.loads(said.stdout) == [
        [plan.describe() for plan in plans],
        [None if window is None else list(window) for window in windows],
        [card.title for card in cards],
    ]
