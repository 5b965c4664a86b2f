"""Lay a layer over the photo as one picture.

`reduce_maps` makes one map of all channels, by a formula that you choose. The L2 norm says where a layer does
anything at all.

Group: Pictures
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("efficientnet_lite0")
images = card.preprocessing(lg.sample("cat"))
layers = lg.LayerActivations(lg.models.load("efficientnet_lite0"))
with layers.capture("stage2", "stage3", "stage5") as record:
    layers.run(images, until="stage5")

# %%
# The photo as the model saw it, 224 × 224 pixels.
photo = card.preprocessing.as_seen(images)
box = (0, photo.width, photo.height, 0)
figure, axes = plt.subplots(1, 3, figsize=(6.4, 2.5), layout="constrained")
for (name, found), place in zip(record.items(), axes, strict=True):
    reduced = lg.reduce_maps(lg.to_array(found.output)[0], "l2")
    values = reduced.values
    print(f"{name}: {len(reduced.channels)} channels, {values.shape}, up to {values.max():.2f}")
    place.imshow(photo, extent=box)
    place.imshow(values, extent=box, cmap="inferno", alpha=0.6, interpolation="nearest")
    place.set(xticks=[], yticks=[], title=name)
figure.savefig("one_picture_over_the_photo.png", dpi=100)
