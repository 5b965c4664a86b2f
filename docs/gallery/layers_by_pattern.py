"""Choose layers by a pattern or a class.

A selector is a name, a class such as `nn.Conv2d`, or a function of name and layer. With `fnmatch`,
that function takes patterns.

Group: Capture
"""

from fnmatch import fnmatch

from matplotlib import pyplot as plt
from torch import nn

import layerglass as lg

# %%
# `select` says which layers a selector means, without running the model.
layers = lg.LayerActivations(lg.models.load("photonet"))
print(len(layers.select(nn.Conv2d)), "convolutions")
print(*layers.select(lambda name, _: fnmatch(name, "stage?.1.conv*")))

# %%
# A capture takes the same selectors, and several of them.
images = lg.models.describe("photonet").preprocessing(lg.sample("cat"))
with layers.capture("stem.relu", lambda name, _: fnmatch(name, "stage?.1.relu2")) as record:
    layers.run(images)

# %%
# Each layer as one picture: the length of the channels' vector at each place.
figure, axes = plt.subplots(1, len(record), figsize=(6.4, 2), layout="constrained")
for (name, found), place in zip(record.items(), axes, strict=True):
    place.imshow(lg.reduce_maps(lg.to_array(found.output)[0], "l2").values, cmap="magma")
    place.set(xticks=[], yticks=[], title=name, xlabel=" × ".join(map(str, found.output.shape[1:])))
    print(name, tuple(found.output.shape))
figure.savefig("layers_by_pattern.png", dpi=100)
