"""Find the layer where two nets part.

After a conversion, two nets should return the same. `divergence` compares them layer by layer and says where
a difference begins, and where it was only handed down.

Group: Training and folders
"""

import copy

from matplotlib import pyplot as plt

import layerglass as lg

# %%
# A copy with one small mistake: the epsilon of one norm.
net = lg.models.load("photonet")
converted = copy.deepcopy(net)
converted.stage2[0].bn.eps = 1e-2
images = lg.models.describe("photonet").preprocessing(lg.sample("cat"))

# %%
table = lg.divergence(net, converted, images)
print("first:", table.first.layer, "made here:", table.first.made_here)
outside = [row for row in table if row.outside]
print(len(outside), "of", len(table), "layers are outside the tolerance")

# %%
rows = [row for row in table if row.layer and "." in row.layer]
colours = ["#b2182b" if row.made_here else "#8899aa" for row in rows]
figure, place = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
place.bar(range(len(rows)), [row.max_abs for row in rows], color=colours)
place.axhline(table.tolerance.absolute, color="black", linewidth=0.8, linestyle=":")
place.set_xticks(range(len(rows)), [row.layer for row in rows], rotation=90, fontsize=6)
place.set(yscale="log", ylabel="largest difference", ylim=(1e-7, 1))
place.set_title("red: made here; grey: handed down")
figure.savefig("where_two_nets_part.png", dpi=100)
