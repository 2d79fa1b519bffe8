"""Documents become findings.

The package can be called: `waypost.check("https://example.com")` is `waypost.check.drive.check`, because the name
stands for both, and whichever was imported first must not hide the other.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__all__: list[str] = []


class _Callable(ModuleType):
    """This package, able to check a target."""

    def __call__(self, target: str, *args: Any, **choices: Any) -> Any:
        return import_module("waypost.check.drive").check(target, *args, **choices)


sys.modules[__name__].__class__ = _Callable
check = sys.modules[__name__]
