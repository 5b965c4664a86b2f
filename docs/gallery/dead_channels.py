"""Find the dead channels of a net.

A channel whose ReLU is above zero on no picture is dead. One picture does not tell: many channels are silent
on a cat, and speak of something else. Keep the maximum of each channel over many pictures, and count.

Group: Training and folders
"""

import torch
from matplotlib import pyplot as plt
from torch import nn

import layerglass as lg

# %%
card = lg.models.describe("photonet")
images = torch.cat([card.preprocessing(lg.sample(name)) for name in lg.sample_names()])
layers = lg.LayerActivations(lg.models.load("photonet"))

# %%
# Of each map its maximum, and of each channel the share of pictures on which it is above zero.
with layers.capture(nn.ReLU, keep=lambda tensor: tensor.amax((2, 3))) as record:
    layers.run(images)
shares = {name: (found.output > 0).float().mean(0) for name, found in record.items()}
for name, share in shares.items():
    silent, dead = int((record[name].output[0] <= 0).sum()), int((share == 0).sum())
    print(f"{name:<14} {len(share):>3} channels: {silent:>3} silent on the cat, {dead} dead")

# %%
figure, place = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
for height, share in enumerate(shares.values()):
    row = share.sort().values.cpu()[None]
    shown = place.imshow(row, aspect="auto", vmin=0, vmax=1, extent=(0, 1, height + 0.45, height - 0.45))
place.set_yticks(range(len(shares)), shares)
place.set(xlim=(0, 1), ylim=(len(shares) - 0.5, -0.5), xticks=[], xlabel="channels, the rarest first")
figure.colorbar(shown, label="share of pictures")
figure.savefig("dead_channels.png", dpi=100)
