"""Words of a layer as one picture."""

from ..words_table import Words

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "view_reduced": "One picture",
    "reduced_open": "One picture",
    "reduced_open_title": "All maps of this layer as one picture (O)",
    "reduced_back": "All maps of this layer",
    "reduced_back_title": "Back to the maps of this layer (O)",
    "reduced_how": "Formula",
    "reduced_mean": "mean",
    "reduced_abs-mean": "mean of absolute values",
    "reduced_max": "largest value",
    "reduced_l2": "L2 norm",
    "reduced_std": "standard deviation",
    "reduced_entropy": "entropy",
    "reduced_argmax": "channel that wins",
    "reduced_top": "sum of the strongest channels",
    "reduced_pca": "three principal components as colours",
    "reduced_similar": "similarity to one place",
    "reduced_similar_how": "Click a place, or choose one with the arrow keys and Enter, to compare with it.",
    "reduced_similar_to": "Compared with row {row}, column {column}.",
    "reduced_top_count": "Channels",
    "reduced_all": ("The only channel of this layer.", "All {count} channels of this layer."),
    "reduced_strongest": "The strongest of {count} channels:",
    "reduced_explained": (
        "These three components explain {shares} of the variance between places, as red, green and blue."
    ),
    "reduced_source": "Source: {source}.",
    "reduced_seen": "What the model saw",
    "reduced_alt": "{layer} as one picture, {how}: {height} × {width} values",
    "help_reduced": "the layer as one picture, and back",
}
