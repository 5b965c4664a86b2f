"""Find what one cell can see.

The receptive field of a cell is the part of the input that it depends on. It is found by following the
model's own operations, so strides, padding and branches are all in it.

Group: Pictures
"""

from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

import layerglass as lg

# %%
card = lg.models.describe("efficientnet_lite0")
images = card.preprocessing(lg.sample("astronaut"))
layers = lg.LayerActivations(lg.models.load("efficientnet_lite0"))

# %%
# A cell is an index along every axis: batch, channel, row, column.
cells = {"stage1": (0, 0, 45, 56), "stage2": (0, 0, 22, 28), "stage3": (0, 0, 11, 14), "stage4": (0, 0, 6, 7)}
fields = {layer: lg.receptive_field(layers, images, layer, 0, cell) for layer, cell in cells.items()}

# %%
figure, place = plt.subplots(figsize=(4.6, 4.6), layout="constrained")
place.imshow(card.preprocessing.as_seen(images), extent=(0, 224, 224, 0))
for colour, (layer, field) in zip(("white", "gold", "orange", "red"), fields.items(), strict=True):
    width, height = field.right - field.left, field.bottom - field.top
    print(f"{layer}: {height} × {width} pixels, from row {field.top} and column {field.left}")
    frame = Rectangle((field.left, field.top), width, height, fill=False, edgecolor=colour, linewidth=2.5)
    frame.set_label(f"{layer}: {height} × {width}")
    place.add_patch(frame)
place.legend(loc="lower left", facecolor="#444444", labelcolor="white")
place.set(xticks=[], yticks=[], xlim=(0, 224), ylim=(224, 0))
figure.savefig("receptive_field.png", dpi=110)
