"""The shape of a folder: a runtime root with its content inside, or a bare folder that is its own content."""

import contextlib
from pathlib import Path

__all__ = ["content_of"]

_STATE_NAMES = ("secret.key", "users.sqlite", "audit.log", "sys")


def content_of(root: str, *, was_bare: bool = True) -> tuple[str, bool]:
    """Where a root's content is, and whether the folder is bare: no runtime root, itself the content.

    What was a runtime root once stays one, and so does a folder with a server's state in it: while its content is away
    nothing else of it may be taken for content.
    """
    with contextlib.suppress(OSError):
        names = {entry.name for entry in Path(root).iterdir()}
        has_state = "state" in names and any(Path(root, "state", name).exists() for name in _STATE_NAMES)
        if was_bare and not has_state and "content" not in names and "waypost.toml" not in names:
            return root, True
    return f"{root}/content", False
