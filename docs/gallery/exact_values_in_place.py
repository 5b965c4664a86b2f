"""Keep exact values before an in-place layer.

A ReLU with `inplace=True` overwrites what the layer before it returned, and a hook that keeps the tensor
keeps the wrong numbers. A capture keeps the values as the layer returned them.

Group: Capture
"""

from matplotlib import pyplot as plt
from torch import nn

import layerglass as lg

# %%
# A trained convolution, and an activation that writes into its output.
net = nn.Sequential(lg.models.load("lenet").conv1, nn.ReLU(inplace=True))
images = lg.models.describe("lenet").preprocessing(lg.sample("cat"))
layers = lg.wrap(net)

# %%
# A hook of one's own beside a capture.
kept = []
handle = net[0].register_forward_hook(lambda *call: kept.append(call[-1].detach()))
with layers.capture("0") as record:
    layers.run(images)
handle.remove()
by_hook, exact = kept[0], record["0"].output
print(f"lowest value: {by_hook.min():.3f} by the hook, {exact.min():.3f} in the record")

# %%
# The report says which ways of keeping the value would be wrong.
for way in lg.memory_report(layers, "0", images).kept:
    print(f"{way.way:<9} {100 * way.wrong:5.1f} % of the values are wrong")

# %%
figure, axes = plt.subplots(1, 2, figsize=(6.4, 3), layout="constrained")
for title, values, place in zip(("kept by a hook", "captured"), (by_hook, exact), axes, strict=True):
    shown = place.imshow(values[0, 1].cpu(), cmap="RdBu_r", vmin=-2, vmax=2)
    place.set(xticks=[], yticks=[], title=f"conv1, {title}")
figure.colorbar(shown, ax=axes)
figure.savefig("exact_values_in_place.png", dpi=100)
