"""Words of the data-set lens: layers and channels that separate classes."""

from ..words_table import Words

WORDS: Words = {
    "lens_model": "{model} ({weights})",
    "lens_captured": "{model} ({weights}, capture)",
}
# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "view_lens": "Data set",
    "lens_look_first": "Let the model look through the pictures once; then this page compares its layers.",
    "lens_loading": "Comparing layers …",
    "lens_progress": "Comparing layers: {done} of {count} …",
    "lens_pictures": ("One picture.", "{count} pictures."),
    "lens_used": (
        "One of them, drawn at random, is compared.",
        "{count} of them, drawn at random, are compared.",
    ),
    "lens_classes": (
        "One class, named by folder or by labels.csv.",
        "{count} classes, named by folder or by labels.csv.",
    ),
    "lens_unlabelled": ("One picture has no class.", "{count} pictures have no class."),
    "lens_no_classes": (
        "They are not in classes, so only what needs none is shown. Pictures have classes if there is a "
        "folder for each, or a file labels.csv beside them with the columns picture and label."
    ),
    "lens_probes": "How well each layer separates the classes",
    "lens_probes_note": (
        "A linear classifier sees each layer's channels, one mean for each, and is judged by {held} "
        "different pictures, each held out in one of three splits; equal and nearly equal pictures are held "
        "out together. The line is its balanced accuracy, the band an interval of 95 %; dashed: guessing, "
        "{chance}. A click chooses the layer."
    ),
    "lens_no_probes": "This needs two classes of five different pictures or more.",
    "lens_probe": "{layer}: {accuracy} right ({low} to {high}).",
    "lens_counts": (
        "Over {count} different pictures, {dead} of {channels} channels are dead and {spare} redundant."
    ),
    "lens_counts_few": (
        "Over {count} different pictures, {dead} of {channels} channels are dead; too few to tell which are "
        "redundant."
    ),
    "lens_unknown": (
        "This layer has no channels of rows and columns, so it was not looked at. Choose another."
    ),
    "lens_heat": "Channels and classes",
    "lens_heat_note": (
        "Each row is a channel, alike ones beside each other; each column a class. Red: its pictures excite "
        "the channel more than others do; blue: less; the colour of 0: no more than chance may."
    ),
    "lens_scale": "standard deviations from the channel's mean",
    "lens_cell": "Channel {channel}, {name}: {score}",
    "lens_cell_chance": "Channel {channel}, {name}: no more than chance",
    "lens_channel": "Channel {channel}",
    "lens_open": "Open this channel",
    "lens_strongest": "Over {count} pictures strongest for {most}; weakest for {least}.",
    "lens_no_preference": "By {count} pictures, no class excites it more, or less, than chance may.",
    "lens_is_dead": (
        "Dead: the same for each of {count} pictures. Up to {share} of other pictures may excite it "
        "nevertheless (at 95 %)."
    ),
    "lens_is_redundant": (
        "Another channel says nearly the same (correlation above 0.95 over {count} pictures)."
    ),
    "lens_alike": "Channels like this one, with their correlation over {count} pictures:",
    "lens_dead": "Dead channels",
    "lens_no_dead": "None.",
    "lens_redundant": "Redundant channels, by group",
    "lens_no_redundant": "None: no two correlate above 0.95, over {count} different pictures.",
    "lens_correlated": (
        "Correlations are those of {count} different pictures; chance alone rarely reaches {chance} among so "
        "many channels, and only what is above that is shown."
    ),
    "lens_too_few": (
        "Not told of {count} different pictures: among so many channels, chance alone can make two correlate "
        "by {chance}. More pictures are needed."
    ),
    "lens_more_groups": ("… and one more group", "… and {count} more groups"),
    "lens_pairs": "How alike the layers are",
    "lens_pairs_note": (
        "Linear CKA of each pair of layers, by their channels' means on each picture, the first ones at the "
        "bottom left: the darker blue, the more alike (on a dark page: the brighter). It is the unbiased "
        "estimate, which can pass 1 or fall below 0, the further the fewer pictures there are. A click names "
        "the pair."
    ),
    "lens_pairs_sample": (
        "Of {count} different pictures, of which chance alone rarely makes any two layers more alike than "
        "{chance}: pairs up to that have the colour of 0."
    ),
    "lens_pairs_few": (
        "Not shown of {count} different pictures: among so many pairs, chance alone can make two layers look "
        "the same. It takes {needed} different pictures."
    ),
    "lens_pair": "{one} and {other}: CKA {cka}.",
    "lens_pair_chance": "{one} and {other}: no more alike than chance makes layers.",
    "lens_pairs_with": "Compare with",
    "lens_pairs_itself": "each other",
    "lens_pairs_alone": (
        "To compare these layers with another model's, let that model look through the same pictures, and "
        "come back."
    ),
    "lens_against": "How alike the layers are to those of {other}",
    "lens_against_pictures": (
        "Both models have looked through one of these pictures.",
        "Both models have looked through {count} of these pictures.",
    ),
    "lens_against_note": (
        "Linear CKA by the channels' means on each picture. Rows are this model's layers, the first one at "
        "the bottom; columns those of {other}, the first one on the left: the darker blue, the more alike "
        "(on a dark page: the brighter). It is the unbiased estimate, which can pass 1 or fall below 0, the "
        "further the fewer pictures there are. A click names the pair."
    ),
    "lens_against_pair": "{one} here and {layer} of {other}: CKA {cka}.",
    "lens_against_chance": "{one} here and {layer} of {other}: no more alike than chance makes layers.",
}
