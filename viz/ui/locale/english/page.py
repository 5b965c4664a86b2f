"""Words of the page itself: boxes, notices, costs, viewer and tree."""

from ..words_table import Words

WORDS: Words = {
    "target_best": "the most probable class",
    "quiz_any": "a new quiz",
    "step_own": "the step of the layer",
    "where_left": "the one where you were",
    "cell_none": "the maps without a number",
    "channel_none": "the whole channel",
    "channel_own": "the channel that the page chooses",
    "window_usual": "a seventh of the picture's shorter side",
    "stride_usual": "half of the window",
    "evaluation_mode": "evaluation mode",
    "page_own": "what the page itself chooses",
    "language": "Language",
    "upload": "Upload a picture",
    "upload_button": "Upload",
    "upload_help": (
        "PNG, JPEG, WebP, AVIF, BMP or GIF, whatever the file is called, at most {megabytes} MB. It stays in "
        "this visit and is never stored."
    ),
    "camera": "Camera",
    "camera_take": "Take a picture",
    "sample": "Sample picture",
    "model": "Model",
    "weights": "Weights",
    "about": "About",
    "about_source": "Architecture",
    "about_parameters": "Parameters",
    "about_weights": "Weights",
    "about_licence": "Licence of the weights",
    "about_accuracy": "Accuracy",
    "about_preparation": "A picture is",
    "about_notes": "Notes",
    "trained": "trained",
    "original": "original",
    "original_weights": "original weights",
    "untrained": "untrained",
    "refused_kept": "The trained weights of {model} are not available, so {shown} stays on screen.",
    "refused_untrained": "The trained weights of {model} are not available, so it is shown untrained.",
    "refused_beside": "The trained weights of {model} are not available, so B shows it untrained. {reason}.",
    "refused_again": "Try again",
    "refused_show": "Show {model} untrained",
    "refused_file": "Choose a file",
    "by_chance": (
        "{model} draws random numbers, or keeps a state that cannot be put back, also in evaluation mode: "
        "from {layer} on, it may return other values than the first time."
    ),
    "loading_model": "Loading {model} …",
    "downloading": "Downloading the weights of {model}: {done} of {total} MB",
    "bug": ("Something went wrong on our side (report {error_id}). The page still works; try another layer."),
    "address_model": (
        "The address asks for the model “{value}”, which does not exist{hint}. Showing {instead}."
    ),
    "address_layer": (
        "The address asks for the layer “{value}”, which {model} does not have{hint}. Showing {instead}."
    ),
    "address_other": "The address says {name}={value}, which does not exist{hint}. Showing {instead}.",
    "did_you_mean": " (did you mean {names}?)",
    "lost_upload": (
        "Your picture is no longer on this server, which was restarted or ended your visit: upload it again."
    ),
    "lost_other_upload": (
        "Picture B is no longer on this server, or was uploaded in another visit: upload it, or choose "
        "another."
    ),
    "lost_camera_picture": (
        "Your photo is no longer on this server, which was restarted or ended your visit: take it again."
    ),
    "lost_own_weights": (
        "Your weights are no longer on this server, which was restarted or ended your visit: upload the file "
        "again."
    ),
    "crop_in_vain": "{error} The whole picture is shown.",
    "picture_kept": "{error}. The picture on screen stays.",
    "live": "Live: the maps follow the camera",
    "needs_ready": "ready",
    "needs_download": "download",
    "needs_download_size": "download {megabytes} MB",
    "needs_untrained": "untrained only",
    "trained_download": "trained · {megabytes} MB",
    "own": "own",
    "own_place": "Your own weights …",
    "own_weights": "own weights",
    "own_part": "own weights, {fit} of {wanted}",
    "own_upload": "Your own weights for {model}",
    "own_help": (
        "A file of safetensors, torch.save (a state dict, a checkpoint, a whole module), TorchScript, "
        "torch.export or ONNX, or a ZIP of shards, at most {megabytes} MB; no code in it is ever run."
    ),
    "own_private": "They are yours alone and end with this visit; a link restores everything but them.",
    "own_reading": "Reading the weights …",
    "own_kept": "{error} What is on screen stays.",
    "own_fit": ("The only tensor fits {model}.", "All {count} tensors fit {model}."),
    "own_under": (
        "They stand under {place}; the file's one other tensor is left out.",
        "They stand under {place}; the file's {count} other tensors are left out.",
    ),
    "own_again": "As many fit under {places}.",
    "own_classes": (
        "The file's last layer tells {found} classes apart, not {wanted}: that layer stays untrained."
    ),
    "own_misfit": "Your weights do not fit {model}: {counts}. Showing {instead} weights; see “{place}”.",
    "own_each": "{missing} missing, {unexpected} unexpected, {misshapen} of another shape, {fitting} fit",
    "own_counts": "{fitting} of {wanted} weights fit {model}.",
    "own_missing": "{count} missing: {names}",
    "own_unexpected": "{count} unexpected: {names}",
    "own_misshapen": "{count} of another shape: {names}",
    "own_instead_of": "{found} instead of {wanted}",
    "own_go_on": "Go on with the {fitting} that fit",
    "own_rest": "The rest stays untrained.",
    "cost_load": "{model} takes about {cost} MB of memory to load; {free} MB are free on this server.",
    "cost_load_all": "Loading {names} takes about {cost} MB of memory; {free} MB are free on this server.",
    "cost_show_all": "Showing {names} takes about {cost} MB of memory; {free} MB are free on this server.",
    "cost_too_large": "{sentence} One request may take {most} MB here.",
    "cost_go_on": "Go on",
    "cost_instead": "Show {name} instead, about {cost} MB",
}

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "nothing_found": "Nothing found.",
    "server_away": (
        "The server does not answer. This page waits for it and then goes on; you need not reload."
    ),
    "found_of": "{count} of {total}",
    "search_hint": "name, type or shape",
    "in_vain": WORDS["address_other"],
    "loading_model": WORDS["loading_model"],
    "downloading": WORDS["downloading"],
    "refused_again": WORDS["refused_again"],
    "alt": "Feature maps of {layer}, {shape}, minimum {min}, maximum {max}, mean {mean}, zeros {zeros}",
    "alt_gradient": (
        "Gradient maps of {layer}, {shape}, minimum {min}, maximum {max}, mean {mean}, zeros {zeros}"
    ),
    "scale_clipped_note": (
        "colours from the 1st to the 99th percentile, {low} to {high}; {share} of the values lie beyond"
    ),
    "scale_clipped_signed_note": (
        "colours from {low} to {high}, as far on both sides of zero as the 1st or the 99th percentile, "
        "whichever is further; {share} of the values lie beyond"
    ),
    "scale_unclipped_note": "colours from {low} to {high}: no value lies beyond",
    "scale_model_note": "one scale for the whole model, {low} to {high}",
    "magnitudes": "magnitudes",
    "scale_overview_note": "means over channels, all on one scale: {low} to {high}",
    "means_note": "each pixel is the mean of about {down} × {across} values",
    "stretched_note": "colours follow the square root of the distance from {least}",
    "stretched_each_note": "colours follow the square root of the distance from a map's lowest value",
    "scale_channel_note": "each map on its own scale: colours cannot be compared between maps",
    "previous": "previous layer",
    "next": "next layer",
    "previous_map": "previous map",
    "next_map": "next map",
    "strip": "Choose picture, model and layer.",
    "call": "call {call} of {calls}",
    "eval": "eval mode",
    "sentence_maps": ("{count} map of {height} × {width}", "{count} maps of {height} × {width}"),
    "sentence_numbers": ("{count} number", "{count} numbers"),
    "sentence_made": "{what}: {made}.",
    "sentence_given": "{what}: what this layer is given.",
    "sentence_gradient": "{what}: how the score of the class changes with each value.",
    "brighter": "brighter",
    "brighter_title": ("Colour by the square root: a few large values make the other maps pale"),
    "legend_negative": "{colour}: negative",
    "legend_zero": "{colour}: zero",
    "legend_positive": "{colour}: positive",
    "legend_least": "{colour}: least of a map",
    "legend_most": "{colour}: most of a map",
    "legend_value": "{colour}: {value}",
    "colour_black": "black",
    "colour_white": "white",
    "colour_grey": "grey",
    "colour_red": "red",
    "colour_orange": "orange",
    "colour_brown": "brown",
    "colour_yellow": "yellow",
    "colour_green": "green",
    "colour_blue": "blue",
    "colour_purple": "purple",
    "minimum": "min",
    "maximum": "max",
    "mean": "mean",
    "zeros": "zeros",
    "nan": "NaN",
    "inf": "Inf",
    "constant": "constant",
    "channel": "channel {channel}",
    "choose_channel": "Click a map to see it large.",
    "over_photo": "over the picture",
    "download": "Download",
    "download_png": "maps, one pixel per value (PNG)",
    "download_figure": "figure (PNG)",
    "download_svg": "figure (SVG)",
    "download_pdf": "figure (PDF)",
    "download_npz": "numbers (NPZ)",
    "download_safetensors": "numbers (safetensors)",
    "download_code": "this view as a script (Python)",
    "download_picture": "picture.png, which the script reads",
    "maps_coming": (
        "The maps of {layer} are on their way; until they are here, no channel can be chosen or changed."
    ),
    "before_you": "{count} before you",
    "lost": "The server did not answer; this page tries again by itself.",
    "grad_cam_empty": "Nothing here supports this class.",
    "grad_cam_unreached": (
        "The gradient of this class's score is zero at all of these places, so Grad-CAM has nothing to say "
        "here. It is so, for example, where only a class token counts, or where a ReLU lets nothing through."
    ),
    "strength": "strength",
    "overview_loading": "Computing every layer …",
    "zoom_in": "magnify this channel (+)",
    "zoom_out": "back towards all maps (−)",
    "zoomed": "channel {channel}, {times} times as large · − or Esc goes back",
    "histogram": (
        "How often values occur, on a logarithmic scale: grey bars for the layer, the line for this channel"
    ),
    "call_label": "call",
    "value_label": "tensor",
    "kind_label": "layout",
    "slice_label": "slice",
    "row_label": "row of the batch",
    "row_of": "row {row} of {rows}",
    "no_run": "no output",
    "tree_label": "Layers of the model",
    "live_freeze": "Freeze this picture",
    "live_video": "What the camera sees",
    "live_starting": "Starting the camera …",
    "live_rate": "{rate} pictures per second",
    "live_refused": (
        "The camera cannot be used: allow it in the browser, or close the program that is using it."
    ),
    "live_insecure": "Browsers hand out the camera only on https:// or localhost addresses.",
    "live_elsewhere": "The camera's maps are shown in the views of one layer and of all layers.",
    "is_live": "live",
    "scale_model_live_note": (
        "one scale for the whole model, {low} to {high}, as for the picture before the camera; "
        "{share} of the values lie beyond"
    ),
    "as_usual": "The layer is shown as usual: {reason}",
    "layout_maps": "maps",
    "layout_channels_last": "maps, channels last",
    "layout_attention": "attention",
    "layout_attention_query": "attention of one token",
    "layout_tokens": "tokens on a grid",
    "layout_table": "table",
    "layout_sequence_first": "table, sequence first",
    "layout_signals": "signals",
    "layout_vector": "a square each",
    "layout_bar": "bar",
    "layout_scalar": "one number",
    "layout_volume": "slices",
    "layout_volume_last": "slices, channels last",
    "layout_placed": "by place",
    "layout_known": "known",
    "layout_guessed": "guessed",
    "layout_phase": "phase",
    "colormap": "Colours",
    "colormap_auto": "automatic",
    "colormap_auto_about": "by the signs",
    "colormap_both": "both signs",
    "colormap_one": "one sign",
    "colormap_rule": (
        "Colours follow one rule. If values have both signs, blue is negative, red is positive, and zero "
        "fades into the page. If they have one sign, larger is lighter (viridis). Heat over a picture is "
        "dark where there is nothing (inferno)."
    ),
    "layer": "Layer",
    "meaning_probabilities": "The model returns probabilities; they are shown as they are.",
    "meaning_logarithms": "The model returns logarithms of probabilities.",
    "meaning_labels": "The model gives each class a probability of its own; they need not add up to 1.",
    "more_about": "More about “{name}”",
    "operations": "with operations ({count})",
    "operations_help": (
        "Functions that the model calls without a layer, such as relu, add, cat or flatten, as they run."
    ),
    "order": "Order",
    "order_index": "by channel number",
    "order_maximum": "by maximum",
    "order_mean": "by mean",
    "order_variance": "by variance",
    "order_zeros": "by share of zeros",
    "prediction": "Prediction",
    "prediction_untrained": "Untrained: this prediction means nothing.",
    "scale": "Scale",
    "scale_channel": "one per channel",
    "scale_clipped": "1st to 99th percentile",
    "scale_help": (
        """One scale for the layer lets you compare brightness between maps; one per channel shows faint maps.
One for the whole model lets you compare layers; it takes one more pass (about {cost} MB of memory)."""
    ),
    "scale_layer": "one for the layer",
    "scale_model": "one for the whole model",
    "target": "Class",
    "target_top": "top prediction: {label}",
    "view": "View",
    "view_gradients": "Gradients",
    "view_layer": "One layer",
    "view_layers": "All layers",
    "knows_kinds": "1 of {kinds} kinds",
    "saw_pixels": "saw {size} pixels",
    "saw_values": "saw {size} values",
    "frame_label": (
        "What the model saw: {wide} × {high} of {width} × {height} pixels, {left} from the left and {top} "
        "from the top"
    ),
    "frame_help": (
        "Drag the frame, or a corner of it, to show the model another part. Arrow keys move it, + and − "
        "resize it; Home or a double click goes back to the middle of the picture."
    ),
    "frame_reset": "back to the middle",
    "what_it_saw": "What the model saw",
    "why": "why?",
    "why_title": "See which part of the picture makes the model say so",
    "cost_too_large": WORDS["cost_too_large"],
    "cost_go_on": WORDS["cost_go_on"],
    "cost_instead": WORDS["cost_instead"],
    "cost_alone": "Show {name} alone",
    "cost_gradients": (
        "Gradients of {model} take about {cost} MB of memory; {free} MB are free on this server."
    ),
    "cost_layer": "{layer} takes about {cost} MB of memory to show; {free} MB are free on this server.",
    "cost_layer_scale": "Use one scale for the layer",
    "cost_layers": (
        "All layers of {model} take about {cost} MB of memory; {free} MB are free on this server."
    ),
    "cost_scale": (
        "One scale for all of {model} takes about {cost} MB of memory; {free} MB are free on this server."
    ),
    "cost_waiting": "Not shown yet: it takes about {cost} MB of memory.",
}
