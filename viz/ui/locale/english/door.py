"""Answers of the door to requests that it does not let in."""

from ..words_table import Words

WORDS: Words = {
    "door_query": (
        "This address has more than the {most} characters that are read; start from a shorter link."
    ),
    "door_path": (
        "The path of this address has more than {most} characters, and no page's is so long; "
        "open the page again."
    ),
    "door_head": (
        "The headers of this request have more than the {most} bytes that are read; delete its cookies."
    ),
    "door_host": "This server is not known by this name; its operator can allow it with LAYERGLASS_HOSTS.",
    "door_origin": "Another page has asked for this; open this address itself.",
    "door_twice": "This request names its host or its page twice; no browser does.",
    "door_nowhere": "There is nothing at this address; open the page again.",
    "door_gone": "This visit has ended; open the page again.",
    "door_bodiless": "This address takes no file; upload on the page.",
    "door_body": "At most {most} MB can be sent to this address; send less.",
    "door_picture": "This picture has more than the {most} MB that are read; make it smaller.",
    "door_weights": "This file has more than the {most} MB that are read; choose a smaller one.",
    "door_form": "This upload does not look like a file; choose the file again.",
    "door_kept": "This visit already holds as many files as it may; remove one, then upload again.",
    "door_full": (
        "Visitors' files fill the memory that this server has for them; try again in {count} second.",
        "Visitors' files fill the memory that this server has for them; try again in {count} seconds.",
    ),
    "door_uploads": (
        "Too many uploads are under way; try again in {count} second.",
        "Too many uploads are under way; try again in {count} seconds.",
    ),
    "door_slow": "This upload came too slowly or stopped; upload again over a better connection.",
    "door_often": (
        "You have asked for more than one visitor may at a time; try again in {count} second.",
        ("You have asked for more than one visitor may at a time; try again in {count} seconds."),
    ),
    "door_crowded": (
        "This server has as many visitors as it can hold; try again in {count} second.",
        "This server has as many visitors as it can hold; try again in {count} seconds.",
    ),
}
