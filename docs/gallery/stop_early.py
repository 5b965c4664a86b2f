"""Run no further than one layer.

`until` ends the run after a layer's first call and returns the output of that layer. Later layers do not
run.

Group: Capture
"""

import layerglass as lg

# %%
layers = lg.LayerActivations(lg.models.load("efficientnet_lite0"))
images = lg.models.describe("efficientnet_lite0").preprocessing(lg.sample("cat"))

# %%
# `watch` counts the layers whose calls have ended.
ended = []
with layers.watch(lambda name, _: ended.append(name)):
    output = layers.run(images, until="stage2.block1.project.conv")
print(f"{len(ended)} of {len(layers.names)} layers ran, the last was {ended[-1]}")
print("output", tuple(output.shape))

# %%
# The first twelve channels, on one scale around zero.
maps = lg.to_array(output)[0]
figure = lg.feature_map_figure(maps, channels=range(12), colormap="RdBu_r", columns=6)
figure.savefig("stop_early.png", dpi=78)
