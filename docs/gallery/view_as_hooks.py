"""Turn a notebook's view into plain hooks.

`look` shows the page in a notebook's cell. The view also gives its maps as an array, and a script of plain
PyTorch hooks that makes them again.

Group: Pictures
"""

import layerglass as lg

# %%
# In a notebook, `view` as the last line of a cell shows the page.
card = lg.models.describe("lenet")
view = lg.look(lg.models.load("lenet"), card.preprocessing(lg.sample("cat")), layer="conv1")
view.channel = 1
print(view.look)
print("values", view.values.shape)

# %%
# The same view as code: here as far as the hook is removed.
code, removed, _ = view.code().partition("handle.remove()")
print(code + removed)

# %%
lg.channel_figure(view.values, title="conv1, channel 1", colormap="RdBu_r").savefig(
    "view_as_hooks.png", dpi=90
)
view.close()
