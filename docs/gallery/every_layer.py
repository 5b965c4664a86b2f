"""Record every layer in one call.

Call a wrapped model as you would call the model itself. You get a record with the output of every
layer, and of the model under the empty name.

Group: Capture
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
# One call runs the model and records all of it.
net = lg.wrap(lg.models.load("lenet"))
record = net(lg.models.describe("lenet").preprocessing(lg.sample("cat")))
print(record)

# %%
# The six strongest channels of each layer that returns maps.
shown = [name for name in record if record[name].output.shape[2:]]
figure, axes = plt.subplots(len(shown), 6, figsize=(5.4, 5.6), layout="constrained")
for name, row in zip(shown, axes, strict=True):
    maps = record[name].output[0]
    strongest = maps.abs().mean((1, 2)).argsort(descending=True)[:6]
    for channel, place in zip(strongest.tolist(), row, strict=True):
        place.imshow(maps[channel].cpu())
        place.set(xticks=[], yticks=[], xlabel=channel)
    row[0].set_ylabel(name)
figure.savefig("every_layer.png", dpi=115)
