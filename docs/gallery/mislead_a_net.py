"""Mislead a net by what nobody sees.

`fool` changes no number of a picture by more than a few of 255, and the net takes the cat for another
class. The curve says how far each layer's values have moved, as a share of their own size: the lie grows on
its way.

Group: Gradients
"""

import numpy as np
import torch
from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
layers = lg.LayerActivations(lg.models.load("photonet"))
cat = np.asarray(card.preprocessing.cropped(lg.sample("cat")))  # (32, 32, 3), uint8
found = lg.fool(layers, cat, card.preprocessing.scaled, lg.Attack(epsilon=2))
for name, shares in (("before", found.before), ("after", found.after)):
    print(f"{name}: {card.classes[shares.argmax()]}")

# %%
# Both pictures, layer by layer.
names = [name for name in layers.names if layers.kind(name) in ("Conv2d", "Linear")]
outputs = []
for picture in (cat, found.picture):
    levels = torch.tensor(picture).permute(2, 0, 1)[None].float()
    with layers.capture(*names) as record:
        layers.run(card.preprocessing.scaled(levels))
    outputs.append([record[name].output for name in names])
moved = [float((b - a).norm() / a.norm()) for a, b in zip(*outputs, strict=True)]
print(f"{names[0]} moved by {moved[0]:.1f} of its size, {names[-1]} by {moved[-1]:.1f}")

# %%
figure, axes = plt.subplots(1, 3, figsize=(6.4, 2.2), layout="constrained", width_ratios=(1, 1, 2))
for axis, picture, title in zip(axes, (cat, found.picture), (found.before, found.after), strict=False):
    axis.imshow(picture)
    axis.set(title=card.classes[title.argmax()], xticks=[], yticks=[])
axes[2].plot(moved, marker=".")
axes[2].set(title="moved, by layer", xlabel="convolution", ylim=(0, None))
figure.savefig("mislead_a_net.png", dpi=100)
