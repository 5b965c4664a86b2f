"""Share a score among the pixels.

Integrated gradients give each number of the input its part of a class score. The parts add up to the rise
of the score from a grey picture to yours, but for a small gap.

Group: Gradients
"""

import numpy as np
from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
images, cat = card.preprocessing(lg.sample("cat")), card.classes.index("cat")
layers = lg.LayerActivations(lg.models.load("photonet"))
found = lg.integrated_gradients(layers, images, cat, steps=64, batch=16)

# %%
# Zeros, the baseline, are the mean grey of the data that the net was trained on.
rise = float(layers.run(images)[0, cat] - layers.run(images * 0)[0, cat])
print(f"shares add up to {found.values.sum():.3f}, the score rises by {rise:.3f}")
print(f"strongest share {np.abs(found.values).max():.3f}")

# %%
shares = found.values[0].sum(0)
figure, axes = plt.subplots(1, 2, figsize=(6.4, 2.9), layout="constrained")
axes[0].imshow(card.preprocessing.as_seen(images))
most = float(np.percentile(np.abs(shares), 99))
shown = axes[1].imshow(shares, cmap="RdBu_r", vmin=-most, vmax=most)
axes[1].set_title("shares of the score for cat")
for place in axes:
    place.set(xticks=[], yticks=[])
figure.colorbar(shown, ax=axes[1])
figure.savefig("integrated_gradients.png", dpi=100)
