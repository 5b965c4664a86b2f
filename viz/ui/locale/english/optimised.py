"""Words about pictures that are optimised for a channel."""

from ..words_table import Words

BROWSER_WORDS: Words = {
    "optimised": "Optimised picture",
    "optimised_honest": (
        "Made by gradient ascent to excite this channel. Such pictures can mislead: a channel may react to "
        "quite different things in photographs, so look at those too."
    ),
    "optimised_aim": "What for",
    "optimised_aim_channel": "all of the channel",
    "optimised_aim_cell": "the cell in row {row}, column {column}",
    "optimised_aim_minus": "this channel without channel {channel}",
    "optimised_way": "How",
    "optimised_fourier": "any picture",
    "optimised_maco": "contrasts like a photograph's",
    "optimised_own": "from your picture, staying near",
    "optimised_count": "How many",
    "optimised_one": "one",
    "optimised_four": "four different ones",
    "optimised_start": "Start",
    "optimised_stop": "Stop",
    "optimised_go_on": "Go on",
    "optimised_progress": "{done} of {total} steps",
    "optimised_stopped": "Stopped after {done} of {total} steps.",
    "optimised_finished": "Finished after {done} steps.",
    "optimised_alt": "Picture optimised for channel {channel} of {layer}",
    "optimised_title": "Channel {channel}",
    "optimised_title_cell": "row {row}, column {column}",
    "optimised_title_minus": "without channel {channel}",
    "optimised_value": "strongest cell {value}, on your picture {own}",
    "optimised_stuck": (
        "This channel is the same whatever the model sees, so there is no picture that it wants."
    ),
    "optimised_beaten": (
        "It excites the channel more than {beaten} of one picture of the folder.",
        "It excites the channel more than {beaten} of {count} pictures of the folder.",
    ),
    "optimised_likeness": (
        "Agreement {share}: in so many pairs of an exemplar and another picture, the exemplar is more like "
        "the optimised one, by what all other channels make of them. Of {count} pictures, chance alone makes "
        "50 %, and rarely more than {chance}."
    ),
    "optimised_disagrees": (
        "They agree no more than chance makes of {count} pictures: do not name this channel after the "
        "optimised picture."
    ),
    "optimised_no_folder": "Once a folder of pictures was looked through, you see here how far both agree.",
    "optimised_keep": "Keep beside other channels",
    "optimised_drop": "Put away",
}
