"""Run a model that takes two pictures.

Give all inputs to the call, as the model takes them. With `inputs=True` a record also has what each layer
was given.

Group: Inputs
"""

from matplotlib import pyplot as plt
from torch import Tensor, nn

import layerglass as lg


# %%
# Two pictures go through one trained trunk; a layer compares the results.
class Compare(nn.Module):
    """How far two pictures are apart, at each place."""

    def __init__(self, trunk: nn.Module) -> None:
        super().__init__()
        self.trunk, self.distance = trunk, nn.PairwiseDistance()

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        """Return distances (N, H, W) for two batches (N, 3, H, W)."""
        maps = [self.trunk(picture).movedim(1, -1) for picture in (left, right)]
        return self.distance(*maps)


# %%
# The second picture is the first one, mirrored.
left = lg.models.Preprocessing(192, (192, 192))(lg.sample("cat"))
layers = lg.wrap(Compare(lg.models.load("photonet").stem))
with layers.capture("distance", inputs=True) as record:
    layers.run(left, left.flip(-1))
print("given:", [tuple(each.shape) for each in record["distance"].inputs])
print("returned:", tuple(record["distance"].output.shape))

# %%
titles = ("left: mean of the trunk", "right: mean of the trunk", "distance")
pictures = [each[0].mean(-1) for each in record["distance"].inputs] + [record["distance"].output[0]]
figure, axes = plt.subplots(1, 3, figsize=(6.4, 2.4), layout="constrained")
for title, picture, place in zip(titles, pictures, axes, strict=True):
    place.imshow(picture.cpu(), cmap="magma")
    place.set(xticks=[], yticks=[])
    place.set_title(title, fontsize=9)
figure.savefig("two_inputs.png", dpi=100)
