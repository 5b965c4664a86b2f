"""Draw Grad-CAM in four lines.

One capture has both things that Grad-CAM needs: what a layer returned and the gradient of a class score
there. The weighted sum of channels says where the layer speaks for the class.

Group: Gradients
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("efficientnet_lite0")
images, cat = card.preprocessing(lg.sample("cat")), card.classes.index("tiger cat")
layers = lg.LayerActivations(lg.models.load("efficientnet_lite0"))

# %%
# Each channel counts with the mean of its gradient; a negative sum is cut off.
with layers.capture("head.relu", gradients=True) as record:
    scores = layers.run(images)
    scores[0, cat].backward()
maps, gradient = record["head.relu"].output[0], record["head.relu"].gradient[0]
cam = (gradient.mean((1, 2), keepdim=True) * maps).sum(0).relu()
print(f"probability of {card.classes[cat]}: {scores.softmax(1)[0, cat]:.3f}")
print("map", tuple(cam.shape), "strongest cell", divmod(int(cam.argmax()), cam.shape[1]))

# %%
photo = card.preprocessing.as_seen(images)
figure, axes = plt.subplots(1, 2, figsize=(6.2, 3.2), layout="constrained")
for place in axes:
    place.imshow(photo, extent=(0, 224, 224, 0))
    place.set(xticks=[], yticks=[])
axes[1].imshow(cam.cpu(), cmap="inferno", alpha=0.6, interpolation="bilinear", extent=(0, 224, 224, 0))
axes[1].set_title("Grad-CAM of tiger cat at head.relu")
figure.savefig("grad_cam.png", dpi=100)
