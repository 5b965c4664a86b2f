"""Read the capture of a folder with pyarrow.

The command `capture-folder` looks at every picture of a folder and writes Parquet files. Here pyarrow finds
the pictures that excite a channel most, each with its small copy.

Group: Training and folders
"""

import io
from pathlib import Path

from matplotlib import pyplot as plt
from PIL import Image
from pyarrow import parquet

import layerglass as lg
from layerglass.viz.__main__ import main

# %%
# A folder of pictures, and the command `layerglass capture-folder photos …`.
Path("photos").mkdir()
for name in lg.sample_names():
    lg.sample(name).save(f"photos/{name}.png")
words = ("--model", "photonet", "--layers", "stage1.1.relu2", "--out", "capture", "--workers", "0")
main(["capture-folder", "photos", *words])

# %%
# Rows by channel and rank: 0 is the picture that excites the channel most.
rows = parquet.read_table("capture/exemplars.parquet", filters=[("channel", "<", 5), ("rank", "<", 5)])
pictures = parquet.read_table("capture/pictures.parquet").to_pylist()
small = {each["picture"]: Image.open(io.BytesIO(each["thumbnail"])) for each in pictures}

# %%
figure, axes = plt.subplots(5, 5, figsize=(5.4, 5), layout="constrained")
for row in rows.to_pylist():
    if not row["rank"]:
        print(f"channel {row['channel']}: {row['picture']} ({row['value']:.2f})")
    place = axes[row["channel"], row["rank"]]
    place.imshow(small[row["picture"]])
    place.set_xlabel(f"{row['value']:.2f}", fontsize=8)
for channel, place in enumerate(axes[:, 0]):
    place.set_ylabel(f"channel {channel}")
for place in axes.flat:
    place.set(xticks=[], yticks=[])
figure.savefig("folder_read_with_pyarrow.png", dpi=100)
