"""Draw attention of all layers as one map.

Rollout multiplies the attention of all layers, with the path beside each. Relevance weighs each number by its
gradient, so that the map is about one class.

Group: Gradients
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("patchformer")
images = card.preprocessing(lg.sample("cat"))
layers = lg.LayerActivations(lg.models.load("patchformer"))

# %%
# Each is (8, 8): one number for a patch.
cat, dog = (card.classes.index(name) for name in ("cat", "dog"))
maps = {
    "rollout": lg.attention_map(layers, images, cat),
    "relevance, cat": lg.attention_map(layers, images, cat, relevance=True),
    "relevance, dog": lg.attention_map(layers, images, dog, relevance=True),
}

# %%
figure, axes = plt.subplots(1, 4, figsize=(5.8, 1.7), layout="constrained")
axes[0].imshow(card.preprocessing.as_seen(images))
for (name, found), place in zip(maps.items(), axes[1:], strict=True):
    print(f"{name}: {found.shape}, {found.min():.4f} to {found.max():.4f}")
    place.imshow(found, cmap="inferno", vmin=0)
    place.set_title(name, fontsize=9)
for place in axes:
    place.set(xticks=[], yticks=[])
figure.savefig("attention_of_all_layers.png", dpi=110)
