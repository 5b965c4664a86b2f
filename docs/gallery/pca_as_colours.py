"""See which parts of a picture are alike.

With `"pca"`, `reduce_maps` gives each place its scores on three principal components of the channels. As red,
green and blue, places that the layer finds alike have like colours.

Group: Pictures
"""

import numpy as np
from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("efficientnet_lite0")
images = card.preprocessing(lg.sample("cat"))
layers = lg.LayerActivations(lg.models.load("efficientnet_lite0"))
names = ("stem", "stage3", "stage5")
with layers.capture(*names) as record:
    layers.run(images, until="stage5")

# %%
# Each component goes from its own lowest to its own highest score.
figure, axes = plt.subplots(1, 4, figsize=(6.4, 1.9), layout="constrained")
axes[0].imshow(card.preprocessing.as_seen(images))
axes[0].set_title("photo")
for name, place in zip(names, axes[1:], strict=True):
    found = lg.reduce_maps(lg.to_array(record[name].output)[0], "pca")
    low, high = found.values.min((0, 1)), found.values.max((0, 1))
    print(name, found.values.shape, "explains", *[f"{share:.1%}" for share in found.explained])
    place.imshow(np.clip((found.values - low) / (high - low), 0, 1))
    place.set_title(name)
for place in axes:
    place.set(xticks=[], yticks=[])
figure.savefig("pca_as_colours.png", dpi=100)
