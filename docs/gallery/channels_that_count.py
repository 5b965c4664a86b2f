"""Rank channels by what they add to a score.

Conductance gives each number of a layer its share of a class score. Summed over places, it ranks the channels
of the layer for and against the class.

Group: Gradients
"""

import numpy as np
from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
images, cat = card.preprocessing(lg.sample("cat")), card.classes.index("cat")
layers = lg.LayerActivations(lg.models.load("photonet"))
found = lg.layer_conductance(layers, images, "stage3", cat, steps=30)

# %%
shares = found.values[0].sum((1, 2))
order = np.argsort(-shares)
print(f"{len(shares)} channels, in all {shares.sum():.2f}; gap {abs(found.gap) / abs(shares.sum()):.0%}")
print("most for cat:", *[f"{channel} ({shares[channel]:.2f})" for channel in order[:4]])

# %%
# The ten strongest either way.
chosen = [*order[:10], *order[-10:]]
figure, place = plt.subplots(figsize=(6.4, 3), layout="constrained")
place.bar(range(20), shares[chosen], color=["#b2182b"] * 10 + ["#2166ac"] * 10)
place.set_xticks(range(20), chosen, rotation=90, fontsize=8)
place.axhline(0, color="black", linewidth=0.8)
place.set(xlabel="channel of stage3", ylabel="share of the score for cat")
figure.savefig("channels_that_count.png", dpi=100)
