"""Remove channels and see what falls.

An edit changes what a layer returns while its block is open. Here each channel of a layer is set to zero in
turn, and the class score says which one was needed.

Group: Edits
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("photonet")
images, cat = card.preprocessing(lg.sample("cat")), card.classes.index("cat")
layers = lg.LayerActivations(lg.models.load("photonet"))
whole = float(layers.run(images)[0, cat])

# %%
# Every run in the block has the edit; after the block, nothing is left of it.
falls = []
for channel in range(32):
    with layers.edit("stem.relu", output=lg.zero_channel(channel)):
        falls.append(whole - float(layers.run(images)[0, cat]))
needed = max(range(32), key=falls.__getitem__)
print(f"score {whole:.3f}; without channel {needed} it falls by {falls[needed]:.3f}")
print("unchanged afterwards:", float(layers.run(images)[0, cat]) == whole)

# %%
with layers.capture("stem.relu") as record:
    layers.run(images)
figure, axes = plt.subplots(1, 2, figsize=(6.4, 2.7), layout="constrained", width_ratios=(2, 1))
axes[0].bar(range(32), falls, color=["#b2182b" if each == needed else "#8899aa" for each in range(32)])
axes[0].axhline(0, color="black", linewidth=0.8)
axes[0].set(xlabel="channel of stem.relu", ylabel="fall of the score for cat")
axes[1].imshow(record["stem.relu"].output[0, needed].cpu(), cmap="magma")
axes[1].set(xticks=[], yticks=[], title=f"channel {needed}")
figure.savefig("remove_channel.png", dpi=100)
