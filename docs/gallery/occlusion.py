"""Cover parts of a picture.

Occlusion needs no gradients: a grey window goes over the picture, and each pixel gets how far the score
falls while it is covered. Blue places speak against the class.

Group: Gradients
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
images = card.preprocessing(lg.sample("cat"))
layers = lg.LayerActivations(lg.models.load("photonet"))

# %%
# Two classes, one window of 8 × 8 pixels.
names = ("cat", "dog")
falls = [
    lg.occlusion(layers, images, card.classes.index(name), window=8, stride=2, batch=32) for name in names
]

# %%
figure, axes = plt.subplots(1, 3, figsize=(6.4, 2.4), layout="constrained")
axes[0].imshow(card.preprocessing.as_seen(images))
for name, fall, place in zip(names, falls, axes[1:], strict=True):
    print(f"{name}: {fall.shape}, the score falls by {fall.min():.3f} to {fall.max():.3f}")
    shown = place.imshow(fall, cmap="RdBu_r", vmin=-1, vmax=1)
    place.set_title(f"fall of {name}")
for place in axes:
    place.set(xticks=[], yticks=[])
figure.colorbar(shown, ax=axes, shrink=0.8)
figure.savefig("occlusion.png", dpi=100)
