"""Follow a signal through one dimension.

Layers of a net for signals return (batch, channels, length). Draw each channel as a row under the
signal, with the same axis of time.

Group: Inputs
"""

from matplotlib import pyplot as plt

import layerglass as lg

# %%
# The sample is a waveform as brightness from left to right; the card's preparation reads it.
card = lg.models.describe("signalnet")
signal = card.preprocessing(lg.sample("chirp"))
layers = lg.LayerActivations(lg.models.load("signalnet"))

# %%
names = ("features.1", "features.3", "features.7")
with layers.capture(*names) as record:
    scores = layers.run(signal)
print("signal", tuple(signal.shape), "class", card.classes[int(scores.argmax())])

# %%
figure, axes = plt.subplots(4, 1, figsize=(6.4, 5.2), layout="constrained", sharex=True)
axes[0].plot(signal[0, 0], color="black", linewidth=1)
axes[0].set_ylabel("signal")
for name, place in zip(names, axes[1:], strict=True):
    rows = lg.to_array(record[name].output)[0]
    print(name, rows.shape)
    place.imshow(rows, aspect="auto", cmap="magma", extent=(0, signal.shape[-1], len(rows), 0))
    place.set_ylabel(f"{name}\n{len(rows)} channels", fontsize=8)
axes[-1].set_xlabel("time, in steps of the signal")
figure.savefig("signals.png", dpi=90)
