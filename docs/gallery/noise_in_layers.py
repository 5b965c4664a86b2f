"""Measure how much noise layers bear.

`noise` adds the same Gaussian numbers for a seed every time. Scaled by a layer's own deviation, it compares
layers fairly.

Group: Edits
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
images, cat = card.preprocessing(lg.sample("cat")), card.classes.index("cat")
layers = lg.LayerActivations(lg.models.load("photonet"))
names = ("stem.relu", "stage1.1.relu2", "stage2.1.relu2", "stage3.1.relu2")
with layers.capture(*names) as record:
    layers.run(images)

# %%
# The mean probability of cat over five seeds.
figure, place = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
strengths = (0, 0.5, 1, 2, 3, 4)
for name in names:
    deviation, curve = float(record[name].output.std()), []
    for strength in strengths:
        found = 0.0
        for seed in range(5):
            with layers.edit(name, output=lg.noise(strength * deviation, seed)):
                found += float(layers.run(images).softmax(1)[0, cat]) / 5
        curve.append(found)
    print(f"{name:<15}", *[f"{each:.3f}" for each in curve])
    place.plot(strengths, curve, marker="o", label=name)
place.set(xlabel="noise, in deviations of the layer", ylabel="probability of cat", ylim=(0, 1.02))
place.legend(frameon=False, fontsize=8)
figure.savefig("noise_in_layers.png", dpi=100)
