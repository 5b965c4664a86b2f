"""Capture and change keyword inputs.

Keyword inputs go through `run` as they are, and with `inputs=True` the record has them under `keywords`. An
edit with `keywords=` changes them on their way into the layer.

Group: Inputs
"""

import torch
from matplotlib import pyplot as plt
from torch import Tensor, nn

import layerglass as lg


# %%
# A model that takes a keyword: it lets maps through where the mask is 1.
class Gated(nn.Module):
    """Trained maps behind a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = lg.models.load("photonet").stem

    def forward(self, images: Tensor, *, mask: Tensor) -> Tensor:
        """Return maps (N, 32, H, W)."""
        return self.stem(images) * mask


# %%
# The mask is a disc; the empty name means the model itself.
images = lg.models.Preprocessing(160, (160, 160))(lg.sample("coffee"))
line = torch.linspace(-1, 1, 160)
mask = (line[:, None] ** 2 + line**2 < 1 / 2).float()
layers = lg.wrap(Gated())
with layers.capture("", inputs=True) as record:
    layers.run(images, mask=mask)
    with layers.edit("", keywords=lambda given: {"mask": 1 - given["mask"]}):
        layers.run(images, mask=mask)

# %%
figure, axes = plt.subplots(1, 4, figsize=(6.4, 1.9), layout="constrained")
for number, call in enumerate(record[""]):
    given = call.keywords["mask"]
    print("call", number, "keywords", list(call.keywords), f"mean of the mask {given.mean():.3f}")
    axes[2 * number].imshow(given.cpu(), cmap="gray")
    axes[2 * number + 1].imshow(call.output[0].mean(0).cpu(), cmap="magma")
for place, title in zip(axes, ("mask given", "output", "mask edited", "output"), strict=True):
    place.set(xticks=[], yticks=[], title=title)
figure.savefig("keyword_inputs.png", dpi=100)
