"""Where programs keep what they have to remember of a root: its `state/`, or for a bare folder the user's own place."""

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

__all__ = ["state_folder"]


def state_folder(root: str, *, is_bare: bool, environment: Mapping[str, str]) -> Path:
    """The folder, which need not be there yet; nothing is ever written into a bare folder."""
    if not is_bare:
        return Path(root, "state")
    name = blake2b(os.fsencode(os.path.realpath(root)), digest_size=8).hexdigest()
    return _of_the_user(environment) / name


def _of_the_user(environment: Mapping[str, str]) -> Path:
    if own := environment.get("WAYPOST_STATE"):
        return Path(own)
    # The XDG base directory specification: a relative path is to be ignored.
    base = environment.get("XDG_STATE_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".local/state") / "waypost"
