"""Read the gradients of layers.

With `gradients=True`, a backward pass inside the block brings each layer's gradient into the record, in the
shape of its output. The weights get none.

Group: Gradients
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
images, cat = card.preprocessing(lg.sample("cat")), card.classes.index("cat")
layers = lg.LayerActivations(lg.models.load("photonet"))

# %%
# Run, choose a score, and go backward, all inside the block.
names = ("stem", "stage1", "stage2", "stage3.0")
with layers.capture(*names, gradients=True) as record:
    layers.run(images)[0, cat].backward()

# %%
# What a layer returned, above its gradient: where a change would move the score.
figure, axes = plt.subplots(2, 4, figsize=(6.4, 3.5), layout="constrained")
for name, column in zip(names, axes.T, strict=True):
    output, gradient = record[name].output, record[name].gradient
    print(f"{name}: gradient {tuple(gradient.shape)}, its norm {gradient.norm():.4f}")
    column[0].imshow(output[0].norm(dim=0).cpu(), cmap="viridis")
    column[1].imshow(gradient[0].norm(dim=0).cpu(), cmap="magma")
    column[0].set_title(name)
axes[0, 0].set_ylabel("output")
axes[1, 0].set_ylabel("gradient")
for place in axes.flat:
    place.set(xticks=[], yticks=[])
figure.savefig("layer_gradients.png", dpi=100)
