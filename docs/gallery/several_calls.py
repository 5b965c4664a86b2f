"""See each call of a module that runs several times.

A layer that the model calls in a loop has one record with several calls. Take one by its index, or go
through them.

Group: Capture
"""

import torch
from matplotlib import pyplot as plt
from torch import Tensor, nn

import layerglass as lg


# %%
# One convolution is called four times: it blurs the picture, and brightens what stands out.
class Loop(nn.Module):
    """The same layer, over and over."""

    def __init__(self) -> None:
        super().__init__()
        self.step = nn.Conv2d(1, 1, 9, padding=4, padding_mode="reflect", bias=False)
        near, wide = torch.hann_window(9, periodic=False), torch.ones(9)
        self.step.weight.data[0, 0] = near.outer(near) / 12 - wide.outer(wide) / 270

    def forward(self, grey: Tensor) -> Tensor:
        """Return maps of the same shape (N, 1, H, W)."""
        for _ in range(4):
            grey = torch.tanh(1.8 * self.step(grey))
        return grey


# %%
# `record["step"].output` would refuse to choose among four calls.
images = lg.models.Preprocessing(160, (160, 160))(lg.sample("cat"))
record = lg.wrap(Loop())(images.mean(1, keepdim=True))
calls = record["step"]
print(len(calls), "calls")

# %%
figure, axes = plt.subplots(1, 4, figsize=(6.4, 1.9), layout="constrained")
for number, (call, place) in enumerate(zip(calls, axes, strict=True)):
    print(number, tuple(call.output.shape), f"deviation {float(call.output.std()):.3f}")
    place.imshow(call.output[0, 0].cpu(), cmap="RdBu_r", vmin=-1, vmax=1)
    place.set(xticks=[], yticks=[], title=f"call {number}")
figure.savefig("several_calls.png", dpi=100)
