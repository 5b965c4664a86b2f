"""Look at the tokens of a text model.

A text model is given whole numbers, and its layers return (batch, tokens, features). Compare the tokens
of each layer to see how words take on their neighbours.

Group: Inputs
"""

import torch
from matplotlib import pyplot as plt
from torch import nn

import layerglass as lg

# %%
# An untrained encoder: without positions, equal words stay equal.
torch.manual_seed(0)
words = ["the", "cat", "sat", "on", "the", "mat", "and", "the", "dog", "sat", "too"]
vocabulary = sorted(set(words))
block = nn.TransformerEncoderLayer(48, 4, 96, batch_first=True)
encoder = nn.TransformerEncoder(block, 2, enable_nested_tensor=False)
layers = lg.wrap(nn.Sequential(nn.Embedding(len(vocabulary), 48), encoder))

# %%
tokens = torch.tensor([[vocabulary.index(word) for word in words]])
names = ("0", "1.layers.0", "1.layers.1")
with layers.capture(*names) as record:
    layers.run(tokens)

# %%
# The cosine of each token with each other one.
figure, axes = plt.subplots(1, 3, figsize=(6.4, 2.6), layout="constrained", sharey=True)
for name, place in zip(names, axes, strict=True):
    found = nn.functional.normalize(record[name].output[0], dim=-1)
    cosines = found @ found.T
    print(f"{name}: {tuple(found.shape)}, the and the {cosines[0, 4]:.3f}, cat and dog {cosines[1, 8]:.3f}")
    place.imshow(cosines.cpu(), cmap="RdBu_r", vmin=-1, vmax=1)
    place.set_xticks(range(len(words)), words, rotation=90, fontsize=8)
    place.set_yticks(range(len(words)), words, fontsize=8)
    place.set_title(name)
figure.savefig("text_tokens.png", dpi=100)
