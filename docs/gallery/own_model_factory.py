"""Name a model of your own.

A factory is a function that returns your model, or the model and a dict of facts about it. Its name works
wherever the name of a model of the catalogue does: `layerglass layers package.module:factory`.

Group: Inputs
"""

import os
from typing import Any

import torch
from torch import nn

import layerglass as lg


# %%
# The facts say how a picture becomes the input, and what the outputs are called.
def edges() -> tuple[nn.Module, dict[str, Any]]:
    """Return a net of fixed filters, and how to give it pictures."""
    filters = nn.Conv2d(1, 4, 5, padding=2, bias=False)
    net = nn.Sequential(filters, nn.ReLU(), nn.AdaptiveMaxPool2d(1), nn.Flatten())
    line = torch.linspace(-1, 1, 5)
    down, right = torch.meshgrid(line, line, indexing="ij")
    filters.weight.data[:, 0] = torch.stack([right, down, right + down, right - down])
    facts = {"input_size": 120, "channels": 1, "mean": (0.5,), "std": (0.25,)}
    return net, {**facts, "classes": ("left", "top", "corner", "other corner")}


# %%
# The setting is the factory's address, often `package.module:factory`.
os.environ["LAYERGLASS_MODEL"] = "__main__:edges"
card = lg.models.describe("edges")
layers = lg.LayerActivations(lg.models.load("edges"))
print(card.id, card.input_size, card.preprocessing.describe())
for row in lg.survey(layers, images := card.preprocessing(lg.sample("coins"))):
    print(row.name, row.type, row.detail, row.shapes[0])

# %%
with layers.capture("0") as record:
    layers.run(images)
maps = lg.to_array(record["0"].output)[0]
figure = lg.feature_map_figure(maps, title="edges, layer 0", colormap="RdBu_r", columns=2)
figure.savefig("own_model_factory.png", dpi=100)
