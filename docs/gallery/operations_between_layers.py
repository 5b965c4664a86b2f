"""Capture an addition between layers.

Not all that a model computes is a layer. An operation in a layer's code has a name too, such as
`layer1.0 › add`, and is captured by that name.

Group: Capture
"""

import torch
from matplotlib import pyplot as plt

import layerglass as lg

# %%
# `survey` lists the operations beside the layers.
layers = lg.LayerActivations(lg.models.load("resnet18", "random"))
images = lg.models.describe("resnet18").preprocessing(lg.sample("cat"))[..., ::2, ::2]
rows = lg.survey(layers, images, operations=True)
print(*[f"{row.name}  {row.shapes[0]}" for row in rows if "›" in row.name], sep="\n")

# %%
# The two paths of the first block, and their sum.
names = ("layer1.0.bn2", "maxpool", "layer1.0 › add")
with layers.capture(*names) as record:
    layers.run(images, until="layer1.0 › add")
branch, identity, total = (record[name].output[0] for name in names)
print("the sum is exact:", torch.equal(branch + identity, total))

# %%
figure, axes = plt.subplots(1, 3, figsize=(6.4, 2.9), layout="constrained")
for name, maps, place in zip(names, (branch, identity, total), axes, strict=True):
    place.imshow(maps[10].cpu(), cmap="magma")
    place.set(xticks=[], yticks=[], title=f"{name}\nchannel 10")
figure.savefig("operations_between_layers.png", dpi=100)
