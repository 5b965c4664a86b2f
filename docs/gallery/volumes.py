"""Look into a three-dimensional volume.

A layer of a 3-D net returns (batch, channels, depth, height, width). `arrange` makes maps of one slice, and
`index` says which.

Group: Inputs
"""

import torch
from matplotlib import pyplot as plt
from torch import nn

import layerglass as lg

# %%
# A hollow ball with a rod through it, as a scan might be.
line = torch.linspace(-1, 1, 32)
depth, down, right = torch.meshgrid(line, line, line, indexing="ij")
radius = (depth**2 + down**2 + right**2).sqrt()
scan = ((radius - 0.7).abs() < 1 / 9) | (down**2 + right**2 < 1 / 50)
volume = scan.float()[None, None]

# %%
torch.manual_seed(0)
net = nn.Sequential(nn.Conv3d(1, 5, 3, padding=1, bias=False), nn.ReLU(), nn.MaxPool3d(2))
record = lg.wrap(net)(volume)
print(record)

# %%
# The scan and five channels, from the front to the middle.
figure, axes = plt.subplots(4, 6, figsize=(6.2, 4.3), layout="constrained")
for index, row in zip((3, 6, 10, 15), axes, strict=True):
    found = lg.arrange(lg.to_array(record["0"].output), kind="volume", index=index)
    row[0].imshow(volume[0, 0, index], cmap="gray")
    row[0].set_ylabel(f"slice {index} of {found.slices}", fontsize=8)
    for values, place in zip(found.maps, row[1:], strict=True):
        place.imshow(values, cmap="RdBu_r", vmin=-0.6, vmax=0.6)
for place in axes.flat:
    place.set(xticks=[], yticks=[])
figure.savefig("volumes.png", dpi=100)
