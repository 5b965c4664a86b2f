"""Words about folders of pictures: a channel's exemplars, a picture's unusual channels."""

from ..words_table import Words

BROWSER_WORDS: Words = {
    "exemplars": "What excites it",
    "exemplars_whose": "Whose pictures",
    "exemplars_folder": "The server's folder",
    "exemplars_own": "My pictures",
    "exemplars_samples": "The samples",
    "exemplars_by": "Order of the pictures",
    "exemplars_by_maximum": "by maximum",
    "exemplars_by_mean": "by mean",
    "exemplars_start": "Look through the pictures: {count}, {time}",
    "exemplars_resume": "Go on: {left} of {count} are left, {time}",
    "exemplars_running": "{done} of {count} pictures",
    "exemplars_running_time": "{done} of {count} pictures, {time} left",
    "exemplars_seconds": "about {count} s",
    "exemplars_minutes": "about {count} min",
    "exemplars_stop": "Stop",
    "exemplars_others": (
        "Another page wants this too, so it goes on until nobody does. A page that was closed counts for a "
        "few minutes more."
    ),
    "exemplars_done": "Pictures looked through: {count}",
    "exemplars_left_out": "Left out: {count}",
    "exemplars_unknown": (
        "The pass has no numbers for this: it looks at layers whose channels have places on the picture, or "
        "one number each, and at no operations."
    ),
    "exemplars_small": (
        "The pictures' files are not on this server: you see the small copies that the capture has kept."
    ),
    "exemplars_most": "They excite it most",
    "exemplars_least": "They excite it least",
    "exemplars_look_at": "Look at {title}: number {place}, value {value}",
    "exemplars_spread": (
        "How the channel's values spread over one picture",
        "How the channel's values spread over {count} pictures",
    ),
    "exemplars_here": "The picture on screen: {value}, more than {below} of {count}",
    "exemplars_back": "Back to the picture before",
    "exemplars_choose": "Choose pictures, or a ZIP file",
    "exemplars_choose_help": (
        "They stay in this visit, and nobody else sees them. Large ones are made smaller before they come. "
        "A folder for each class in the ZIP, or a labels.csv (picture,label), says their classes."
    ),
    "exemplars_bringing": "Pictures taken in: {done} of {count}",
    "exemplars_brought": "Pictures taken in: {count}.",
    "exemplars_labelled": "Pictures with a class from labels: {count}.",
    "exemplars_cancel": "Cancel",
    "exemplars_unsent": "Not sent: {count}.",
    "exemplars_unsent_full": "Not sent: {count}, because {reason}.",
    "exemplars_mean_note": "The mean is that of all cells, so that pictures are whole here.",
    "exemplars_least_note": "None of these has a place that stands out, so that pictures are whole here.",
    "exemplars_all_left_out": "All of them as a text file",
    "exemplars_forget": "Remove my pictures",
    "exemplars_wrong_damaged": "cannot be read",
    "exemplars_wrong_many": "holds too many files",
    "exemplars_wrong_long": "is too large when it is unpacked",
    "exemplars_wrong_locked": "is encrypted",
    "exemplars_wrong_method": "is packed in a way that is not known here",
    "exemplars_wrong_nested": "is an archive inside an archive",
    "exemplars_wrong_other": "is no picture by its name",
    "exemplars_wrong_busy": "the server is busy: try again",
    "unusual": "Unusual about this picture",
    "unusual_layer": "In this layer, beside {count} pictures",
    "unusual_model": "In the whole model, beside {count} pictures",
    "unusual_none": "No channel is excited unusually, or too few pictures were looked through.",
    "unusual_item": (
        "{layer}, channel {channel}: {value}, which is {score} standard deviations above the mean of the "
        "other pictures, and more than {above} of {count}"
    ),
}
