"""
The mark that keeps a spreadsheet from running a text cell as a formula, put on and taken off again.

A text that begins with one of `= + - @`, a tab, a carriage return or a full-width twin of the four gets an
apostrophe before it, and so does a text that begins with apostrophes and then one of these: thus the mark can
always be taken off without harm. Numbers never get it.
"""

import re

DANGEROUS = re.compile(r"'*[=+\-@\t\r＝＋－＠]")


def guarded(text: str) -> str:
    """The text as it goes into a CSV cell."""
    return f"'{text}" if DANGEROUS.match(text) else text


def unguarded(text: str) -> str:
    """The text of a CSV cell, as it was before `guarded`."""
    return text[1:] if text.startswith("'") and DANGEROUS.match(text) else text
