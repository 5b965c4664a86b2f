"""Patch in channels from another picture.

`replace` takes a layer's channels from a capture of another picture. The more channels of the rocket a cat
is given, the more it is a ship: the curves say in which layer that happens soonest.

Group: Edits
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
layers = lg.LayerActivations(lg.models.load("photonet"))
images, donor = (card.preprocessing(lg.sample(name)) for name in ("cat", "rocket"))
stages = ("stem", "stage1", "stage2", "stage3")
with layers.capture(*stages) as record:
    layers.run(donor)

# %%
# The probability of cat with 0 to all eighths of the channels replaced.
curves = {}
for stage in stages:
    source = record[stage].output
    curve = []
    for eighths in range(9):
        channels = tuple(range(source.shape[1] * eighths // 8))
        with layers.edit(stage, output=lg.replace(source, channels)):
            curve.append(float(layers.run(images).softmax(1)[0, card.classes.index("cat")]))
    curves[stage] = curve
    print(f"{stage:<7}", *[f"{each:.3f}" for each in curve])

# %%
figure, place = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
for stage, curve in curves.items():
    place.plot([eighths / 8 for eighths in range(9)], curve, marker="o", label=stage)
place.set(xlabel="share of the channels that are the rocket's", ylabel="probability of cat")
place.legend(frameon=False)
figure.savefig("patch_from_another_picture.png", dpi=100)
