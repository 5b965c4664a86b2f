"""Words about classes: opening one, joining one, and taking part."""

from ...words_table import Words

BROWSER_WORDS: Words = {
    "help_class": "in a class: back to what the teacher shows",
    "classroom_button": "Class",
    "classroom_title": "Teach or join a class",
    "classroom_bar": "Your class",
    "classroom_teach": "Teach",
    "classroom_teach_text": "Everybody who joins sees what you look at, on your picture.",
    "classroom_open": "Open a class",
    "classroom_password_maybe": "Password, if you want one",
    "classroom_join": "Join",
    "classroom_join_text": "See what your teacher looks at. You need no account.",
    "classroom_join_button": "Join the class",
    "classroom_code": "Code of the class",
    "classroom_password_if": "Password, if there is one",
    "classroom_unreachable": "The server does not answer; try again in a moment.",
    "classroom_board": "Join this class",
    "classroom_board_title": "Show the code and its picture to the class",
    "classroom_code_is": "Code {code}",
    "classroom_step_address": "Open this address, or scan the picture",
    "classroom_step_code": "Under “Class”, type this code",
    "classroom_qr": "QR code of {address}",
    "classroom_addresses": "Another address of this machine",
    "classroom_only_here": (
        "Only this machine opens the page so far. Stop it in its terminal with Ctrl+C, and start it again "
        "like this:"
    ),
    "classroom_then": (
        "Then open the class again: everybody in your network can join, and the board shows the address. "
        "A firewall may ask you to allow it."
    ),
    "classroom_no_address": (
        "It is not known under which address others reach the page: ask whoever has set it up."
    ),
    "classroom_begin": "Begin",
    "classroom_here": ("{count} student is here", "{count} students are here"),
    "classroom_following": ("{count} student follows you", "{count} students follow you"),
    "classroom_looking": ("{count} looks around alone", "{count} look around alone"),
    "classroom_freeze": "Freeze",
    "classroom_thaw": "Go on",
    "classroom_freeze_title": "The class keeps what it sees, while you look for something else",
    "classroom_is_frozen": "Frozen: the class does not see what you do",
    "classroom_frozen_here": "The teacher has frozen what you see",
    "classroom_point": "Point",
    "classroom_point_title": "Show your pointer on the maps to everybody",
    "classroom_students": "Students",
    "classroom_students_title": "Who is here, and who leads",
    "classroom_hands": ("{count} asks to lead", "{count} ask to lead"),
    "classroom_student": "Student {number}",
    "classroom_student_leads": "Student {number} leads",
    "classroom_nobody": "Nobody has joined yet.",
    "classroom_follows": "follows",
    "classroom_looks": "looks around alone",
    "classroom_asks": "asks to lead",
    "classroom_leads": "leads",
    "classroom_away": "has no connection",
    "classroom_give_lead": "Let lead",
    "classroom_take_back": "Lead again",
    "classroom_remove": "Remove",
    "classroom_remove_title": "Show this student out; their answer to the open question counts no more",
    "classroom_shut": "Nobody else may join",
    "classroom_end": "End the class",
    "classroom_end_ask": ("End the class for {count} student?", "End the class for {count} students?"),
    "classroom_end_ask_nobody": "End the class? Nobody is in it.",
    "classroom_end_answers": "Its answers are forgotten; Results (CSV) keeps them.",
    "classroom_end_cancel": "Cancel",
    "classroom_you_follow": "You see what the teacher looks at",
    "classroom_you_lead": "You lead: the class sees what you look at",
    "classroom_alone": "You look around on your own",
    "classroom_back": "Back to the class",
    "classroom_back_title": "See what everybody sees",
    "classroom_use_own": "On my own picture",
    "classroom_use_shared": "On the teacher's picture",
    "classroom_own_title": "Whose picture the maps are made of",
    "classroom_hand": "Ask to lead",
    "classroom_hand_title": "You are student {number}: the teacher sees that you want to show something",
    "classroom_leave": "Leave",
    "classroom_lost": "No connection to the class; it comes back by itself",
    "classroom_ends_later": (
        "The server does not answer. The class ends as soon as it does; keep this page open."
    ),
    "classroom_their_weights": (
        "The teacher's model has weights of its own, in which your picture cannot be shown. "
        "“{button}” shows what the teacher sees."
    ),
    "classroom_over": "The class has ended. You go on by yourself.",
    "classroom_removed": "The teacher has removed you from the class. You go on by yourself.",
}
