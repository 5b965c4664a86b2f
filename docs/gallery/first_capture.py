"""Capture one layer of a trained network.

A `capture` block records what the layers that you name return while the model runs. The record has
their exact values, and no hook is left behind when the block ends.

Group: Capture
"""

import layerglass as lg

# %%
# The card of a model says how a picture becomes its input.
card = lg.models.describe("lenet")
images = card.preprocessing(lg.sample("cat"))
layers = lg.LayerActivations(lg.models.load("lenet"))

# %%
# The block records the layer, and `run` runs the model.
with layers.capture("conv1") as record:
    scores = layers.run(images)
maps = lg.to_array(record["conv1"].output)[0]
print("input", tuple(images.shape), "conv1", maps.shape)
print("class", card.classes[int(scores.argmax())])

# %%
# Each channel is a heatmap with its number above it.
figure = lg.feature_map_figure(maps, title="LeNet, conv1: six channels", columns=3)
figure.savefig("first_capture.png", dpi=120)
