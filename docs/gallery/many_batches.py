"""Keep little of many batches.

`keep` says what to keep of each tensor, and `budget` how many bytes a record may take. Several runs in one
block add up, one call each.

Group: Capture
"""

import torch
from matplotlib import pyplot as plt

import layerglass as lg

# %%
card, names = lg.models.describe("photonet"), lg.sample_names()
layers = lg.LayerActivations(lg.models.load("photonet"))
batches = [card.preprocessing(lg.sample(name)) for name in names]

# %%
# Whole maps of these pictures are too much for 200,000 bytes.
try:
    with layers.capture("stage2", budget=200_000) as record:
        for images in batches:
            layers.run(images)
except lg.CaptureError as problem:
    print(len(record["stage2"]), "batches, then:", problem)

# %%
# One number for each channel is enough here.
with layers.capture("stage2", keep=lambda tensor: tensor.mean((2, 3)), budget=200_000) as record:
    for images in batches:
        layers.run(images)
means = torch.cat([call.output for call in record["stage2"]])
print(tuple(means.shape), "means in", means.nbytes, "bytes")

# %%
figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
busiest = means.std(0).argsort(descending=True)[:32]
shown = axes.imshow(means[:, busiest].cpu(), aspect="auto", cmap="magma")
axes.set_yticks(range(len(names)), names, fontsize=7)
axes.set(xlabel="the 32 channels that differ most", xticks=[])
figure.colorbar(shown, label="mean of stage2")
figure.savefig("many_batches.png", dpi=100)
