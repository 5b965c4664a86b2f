"""A small vision transformer with visible tokens and attention.

Every step that has a name in the literature is a module with that name: the tokens with their positions, and
each head's attention after the softmax, (N, heads, T, T).
"""

import math
from collections import OrderedDict

import torch
from torch import Tensor, nn

from .bundled import Add

__all__ = ["PatchFormer"]


def _small_random(*shape: int) -> nn.Parameter:
    """Return random numbers with a spread of 0.02.

    None are drawn where there is no memory for them: for that alone PyTorch imports its compiler, which takes
    seconds.
    """
    value = torch.empty(shape)
    return nn.Parameter(value if value.is_meta else value.normal_(std=0.02))


class Tokens(nn.Module):
    """Maps as tokens, with a learned class token in front.

    Maps (N, D, H, W) become tokens (N, 1 + H·W, D), row by row.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.class_token = _small_random(width)

    def forward(self, maps: Tensor) -> Tensor:
        """Return the tokens (N, 1 + H·W, D)."""
        patches = maps.flatten(2).transpose(1, 2)
        return torch.cat([self.class_token.expand(len(patches), 1, -1), patches], dim=1)


class Positions(nn.Module):
    """Adds to each token its learned position embedding."""

    def __init__(self, count: int, width: int) -> None:
        super().__init__()
        self.places = _small_random(count, width)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return tokens of the same shape (N, T, D)."""
        return tokens + self.places


class Attention(nn.Module):
    """Attention of every token to every token, in several heads.

    It keeps the shape (N, T, D).

    Source: Vaswani et al., "Attention is all you need", 2017, section 3.2. The fused kernel would be faster,
    but would hide the attention weights, which are the point of looking.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.softmax = nn.Softmax(dim=-1)
        self.project = nn.Linear(width, width)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return each token's mix of values (N, T, D)."""
        query, key, value = (self._split(layer(tokens)) for layer in (self.query, self.key, self.value))
        weights = self.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]))  # (N, heads, T, T)
        gathered: Tensor = self.project((weights @ value).transpose(1, 2).flatten(2))
        return gathered

    def _split(self, tokens: Tensor) -> Tensor:
        """Return (N, heads, T, D / heads)."""
        split: Tensor = tokens.unflatten(-1, (self.heads, -1))
        return split.transpose(1, 2)


class Block(nn.Module):
    """Transformer block: attention, then two layers on each token alone.

    Each stands beside an identity path, and the shape (N, T, D) stays.

    Source: Dosovitskiy et al., "An image is worth 16x16 words", 2021, section 3.1.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.add1 = Add()
        self.norm2 = nn.LayerNorm(width)
        self.expand = nn.Linear(width, 3 * width)
        self.gelu = nn.GELU()
        self.shrink = nn.Linear(3 * width, width)
        self.add2 = Add()

    def forward(self, tokens: Tensor) -> Tensor:
        """Return tokens of the same shape (N, T, D)."""
        tokens = self.add1(tokens, self.attention(self.norm1(tokens)))
        changed: Tensor = self.add2(tokens, self.shrink(self.gelu(self.expand(self.norm2(tokens)))))
        return changed


class ClassToken(nn.Module):
    """Picks the class token out of (N, T, D)."""

    def forward(self, tokens: Tensor) -> Tensor:
        """Return (N, D)."""
        return tokens[:, 0]


def _stem(width: int) -> nn.Sequential:
    """Return a stem of three convolutions with two poolings.

    It turns (N, 3, 4H, 4W) into (N, width, H, W).

    Source: Xiao et al., "Early convolutions help transformers see better", 2021.
    """
    return nn.Sequential(
        OrderedDict(
            conv1=nn.Conv2d(3, 32, 3, padding=1, bias=False),
            pool1=nn.MaxPool2d(2),
            bn1=nn.BatchNorm2d(32),
            relu1=nn.ReLU(),
            conv2=nn.Conv2d(32, 64, 3, padding=1, bias=False),
            pool2=nn.MaxPool2d(2),
            bn2=nn.BatchNorm2d(64),
            relu2=nn.ReLU(),
            conv3=nn.Conv2d(64, width, 3, padding=1, bias=False),
            bn3=nn.BatchNorm2d(width),
        )
    )


class PatchFormer(nn.Module):
    """Vision transformer: pictures (N, 3, 32, 32) to logits (N, classes).

    It has a convolutional stem, 8x8 patches and a class token.
    """

    def __init__(self, classes: int = 10, width: int = 128, heads: int = 4, depth: int = 4) -> None:
        super().__init__()
        self.stem = _stem(width)
        self.tokens = Tokens(width)
        self.positions = Positions(1 + 8 * 8, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(depth)))
        self.norm = nn.LayerNorm(width)
        self.class_token = ClassToken()
        self.head = nn.Linear(width, classes)

    def forward(self, images: Tensor) -> Tensor:
        """Return logits (N, classes) for images (N, 3, 32, 32)."""
        tokens = self.blocks(self.positions(self.tokens(self.stem(images))))
        scores: Tensor = self.head(self.class_token(self.norm(tokens)))
        return scores
