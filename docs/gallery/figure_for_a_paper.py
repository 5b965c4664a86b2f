"""Make a figure for a paper.

Figures are matplotlib's, and their PDF files have fonts that journals accept. The caption says all that
a reader needs to make the figure again.

Group: Pictures
"""

from pathlib import Path

import layerglass as lg
from layerglass.viz.maps.figures import save_figure

# %%
card = lg.models.describe("efficientnet_lite0")
layers = lg.LayerActivations(lg.models.load("efficientnet_lite0"))
with layers.capture("stage3.block1") as record:
    layers.run(card.preprocessing(lg.sample("cat")), until="stage3.block1")
maps = lg.to_array(record["stage3.block1"].output)[0]

# %%
# The eight channels that vary most, on one scale around zero.
chosen = sorted(maps.std((1, 2)).argsort()[-8:].tolist())
figure = lg.feature_map_figure(maps, channels=chosen, columns=4, colormap="RdBu_r")
Path("figure_for_a_paper.pdf").write_bytes(save_figure(figure, "pdf"))
figure.savefig("figure_for_a_paper.png", dpi=110)

# %%
rows, columns = maps.shape[1:]
print(
    f"Channels {', '.join(map(str, chosen))} of stage3.block1 in {card.title} ({card.weights_origin}): "
    f"{len(chosen)} of {len(maps)} maps of {rows} × {columns} values, from {maps[chosen].min():.2f} to "
    f"{maps[chosen].max():.2f}. Input: chelsea.png of scikit-image, {card.preprocessing.describe()}."
)
