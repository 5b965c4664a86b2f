"""The lines before a step's code, which then runs anywhere."""

from ..home import IMPORT_CATALOGUE

PICTURE = "picture.png"


def setup_code(net: str, picture: str = PICTURE) -> str:
    """Return the code that makes ``net``, ``picture`` and ``classes`` for steps."""
    return f"""\
import torch
import torch.nn.functional as F
from PIL import Image
from torch import nn

{IMPORT_CATALOGUE}

card = models.describe("{net}")
net = models.load("{net}", weights="pretrained").eval().requires_grad_()
classes = card.classes  # their names
picture = card.preprocessing(Image.open("{picture}").convert("RGB"))  # a tensor
torch.manual_seed(0)
"""
