"""Where is the record of answers, unless somebody says otherwise?"""

import os
import sys
from pathlib import Path
from typing import Final

from comparekit.store_backend import os_failure

VARIABLE: Final = "COMPAREKIT_STORE"


def place_or_default(given: str | Path | None) -> str:
    """The path or URL that was given, else what COMPAREKIT_STORE says, else a file in the user's data folder."""
    return str(given) if given is not None else os.environ.get(VARIABLE) or str(user_file())


def user_file() -> Path:
    """The file in the user's data folder."""
    home = Path.home()
    if sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    elif os.name == "nt":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        told = os.environ.get("XDG_DATA_HOME", "")
        # The XDG specification: a path that is not absolute is to be ignored.
        folder = Path(told) if os.path.isabs(told) else home / ".local" / "share"
    return folder / "comparekit" / "judgments.sqlite"


def make_user_folder() -> None:
    """Make the folder of `user_file`, for its owner only; a folder that somebody named is never made."""
    path = user_file()
    try:
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise os_failure(error, str(path)) from error
