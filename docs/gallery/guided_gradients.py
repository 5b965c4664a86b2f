"""Change gradients on their way back.

An edit with `gradient=` changes what flows back through a layer. Cut off below zero at every ReLU, it gives
guided backpropagation, which is sharp but says less about the class than it seems to.

Group: Gradients
"""

from matplotlib import pyplot as plt
from torch import nn

import layerglass as lg

# %%
card = lg.models.describe("efficientnet_lite0")
images, cat = card.preprocessing(lg.sample("cat")), card.classes.index("tiger cat")
layers = lg.LayerActivations(lg.models.load("efficientnet_lite0"))

# %%
# The gradient of the picture is that of the first layer's input; the second run has the edit.
with layers.capture("stem.pad", inputs=True, gradients=True) as record:
    layers.run(images)[0, cat].backward()
    with layers.edit(nn.ReLU6, gradient=lambda gradient: gradient.clamp(min=0)):
        layers.run(images)[0, cat].backward()

# %%
figure, axes = plt.subplots(1, 2, figsize=(6.2, 3.2), layout="constrained")
for title, call, place in zip(("plain", "guided"), record["stem.pad"], axes, strict=True):
    (gradient,) = call.input_gradients
    print(f"{title}: {tuple(gradient.shape)}, deviation {gradient.std():.5f}")
    size = gradient[0].abs().amax(0)
    place.imshow(size.cpu(), cmap="gray", vmax=float(size.flatten().quantile(0.99)))
    place.set(xticks=[], yticks=[], title=f"{title} gradient of the picture")
figure.savefig("guided_gradients.png", dpi=100)
