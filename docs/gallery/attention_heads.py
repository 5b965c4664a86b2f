"""See what attention heads look at.

A softmax in a vision transformer returns (batch, heads, tokens, tokens). The row of the class token, laid out
as patches, says where a head looks.

Group: Pictures
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
card = lg.models.describe("patchformer")
images = card.preprocessing(lg.sample("cat"))
layers = lg.LayerActivations(lg.models.load("patchformer"))
names = layers.select(lambda name, _: name.endswith("attention.softmax"))
with layers.capture(*names) as record:
    layers.run(images)

# %%
# Rows are blocks, columns are heads; `index` 0 is the class token, which asks.
photo = card.preprocessing.as_seen(images)
figure, axes = plt.subplots(4, 5, figsize=(5.6, 4.8), layout="constrained")
for name, row in zip(names, axes, strict=True):
    weights = lg.to_array(record[name].output)
    found = lg.arrange(weights, kind="attention-query", index=0)
    print(name, weights.shape, "as maps", found.maps.shape, f"strongest {found.maps.max():.3f}")
    row[0].imshow(photo)
    row[0].set_ylabel(name.removesuffix(".attention.softmax"))
    for head, place in enumerate(row[1:]):
        place.imshow(found.maps[head], cmap="inferno")
        place.set_xlabel(f"head {head}", fontsize=8)
for place in axes.flat:
    place.set(xticks=[], yticks=[])
figure.savefig("attention_heads.png", dpi=110)
