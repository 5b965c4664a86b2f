"""Film a training.

`film` watches a training loop and leaves it as it is. After every so many updates it takes a frame: what
chosen layers return for the same picture, and statistics of them.

Group: Training and folders
"""

import torch
from matplotlib import pyplot as plt
from torch import nn

import layerglass as lg

# %%
# Stripes of four directions, and a net that learns to tell them apart.
torch.manual_seed(0)
line = torch.arange(20.0)
turns = torch.arange(32) % 4
angles = (turns * torch.pi / 4)[:, None, None]
waves = torch.sin((line[:, None] * angles.sin() + line * angles.cos()) * 1.3 + 6 * torch.rand(32, 1, 1))
images = waves[:, None] + 0.3 * torch.randn(32, 1, 20, 20)
head = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 4))
net = nn.Sequential(nn.Conv2d(1, 4, 5), nn.ReLU(), *head)
optimiser = torch.optim.Adam(net.parameters(), lr=0.03)

# %%
# The block takes a frame at once, and after each fifteenth update.
with lg.film(net, waves[1:2, None], every=15, layers="0") as film:
    for _ in range(60):
        optimiser.zero_grad()
        nn.functional.cross_entropy(net(images), turns).backward()
        optimiser.step()
print(film)
guesses = film.predictions.argmax(-1)[:, 0]
for step, guess, spread in zip(film.steps, guesses, film.statistic("deviation", "0"), strict=True):
    print(f"step {step:>2}: class {guess}, deviation of layer 0 {spread:.2f}")

# %%
figure, axes = plt.subplots(4, len(film), figsize=(4.4, 3.8), layout="constrained")
for frame, column in enumerate(axes.T):
    for channel, place in enumerate(column):
        place.imshow(film["0"][frame, 0, channel], cmap="RdBu_r", vmin=-3, vmax=3)
        place.set(xticks=[], yticks=[])
    column[0].set_title(f"step {film.steps[frame]}", fontsize=9)
figure.savefig("film_of_a_training.png", dpi=100)
