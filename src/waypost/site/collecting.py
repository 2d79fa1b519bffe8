"""Many long-lived objects made at once, without collecting garbage meanwhile: that would walk all of them again."""

import contextlib
import gc
from collections.abc import Iterator, Sized

from waypost.limits import LASTING_MIN

__all__ = ["without_collections"]


@contextlib.contextmanager
def without_collections(made: Sized, before: int) -> Iterator[None]:
    """Collect no garbage; where many more than before have been made, what there is now is never looked at again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if len(made) > before + LASTING_MIN:
            gc.freeze()
        if was_enabled:
            gc.enable()
