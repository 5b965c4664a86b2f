"""Run in training mode without training.

In a `training` block, norms take the mean of the batch itself and dropout drops. Every run draws the same
random numbers, and running means stay as they were.

Group: Edits
"""

import torch
from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
names = ("cat", "astronaut", "coffee", "rocket", "camera", "coins")
images = torch.cat([card.preprocessing(lg.sample(name)) for name in names])
layers = lg.LayerActivations(lg.models.load("photonet"))

# %%
# One record has both runs. In training mode, the mean of each channel is the bias of the norm.
norm = layers.module("stem.bn")
before = norm.running_mean.clone()
with layers.capture("stem.bn") as record:
    layers.run(images)
    with layers.training(seed=0):
        layers.run(images)
means = [call.output.mean((0, 2, 3)) for call in record["stem.bn"]]
for mode, found in zip(("evaluation", "training"), means, strict=True):
    print(f"{mode}: means of the channels, at most {(found - norm.bias).abs().max():.3f} from the bias")
print("running mean unchanged:", torch.equal(before, norm.running_mean))

# %%
figure, place = plt.subplots(figsize=(6.4, 3), layout="constrained")
place.vlines(range(32), means[1].cpu(), means[0].cpu(), color="#99aabb")
place.plot(means[0].cpu(), "o", color="#b2182b", label="evaluation: running mean")
place.plot(means[1].cpu(), "o", color="#2166ac", label="training: mean of the batch")
place.set(xlabel="channel of stem.bn", ylabel="mean of its output")
place.legend(frameon=False)
figure.savefig("training_mode.png", dpi=100)
