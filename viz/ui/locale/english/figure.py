"""Words of the figure desk."""

from ..words_table import Words

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "view_figure": "Figure",
    "figure_begin": "Add to a figure",
    "figure_begin_title": "This layer as a column of a figure (G)",
    "figure_back": "The layer as one picture",
    "figure_back_title": "Back to the layer as one picture (G)",
    "help_figure": "the layer in a figure, and back",
    "figure_plain": (
        "A figure shows what the model makes of whole pictures: without your edits, training mode, crop or "
        "layout."
    ),
    "figure_instead": "Take instead",
    "figure_empty": (
        "A figure has a column for each layer: add the one on screen, then go to others, of this model or "
        "another."
    ),
    "figure_columns": "Layers",
    "figure_pictures": "Pictures",
    "figure_add": "Add {layer}",
    "figure_choose_layer": "Choose another layer or model to add it.",
    "figure_full": "A figure here has at most {most} layers.",
    "figure_own_weights": (
        "Layers with your own weights cannot be added: no address names them. Use the command figure."
    ),
    "figure_untrained": "untrained",
    "figure_another": "Add a picture",
    "figure_before": "Move left",
    "figure_after": "Move right",
    "figure_remove": "Remove",
    "figure_scale": "Scale",
    "figure_scale_own": "a scale for each map",
    "figure_scale_row": "one scale for each row",
    "figure_scale_all": "one scale for all",
    "figure_photos": "photos beside them",
    "figure_over": "over the photos",
    "figure_letters": "letters (a), (b)",
    "figure_width": "Width in mm",
    "figure_width_title": "One column of a paper is often 88 mm, two are 180",
    "figure_caption": "Caption",
    "figure_command": "Command",
    "figure_no_command": (
        "There is none for this figure: it has different calls, a model that only this server knows, or "
        "pictures whose files cannot be told apart by name."
    ),
    "figure_copy": "Copy",
}
