"""The known answers of tests/cases/robots_*.json, as bytes and URLs."""

import base64
import json
from pathlib import Path
from typing import Any

_CASES = Path(__file__).resolve().parent.parent / "cases"
Case = dict[str, Any]


def cases(name: str) -> list[Case]:
    """The cases of one file."""
    found: list[Case] = json.loads((_CASES / f"{name}.json").read_text("utf-8"))
    return found


def _repeated(parts: list[tuple[str, int]]) -> str:
    return "".join(text * times for text, times in parts)


def body(case: Case) -> bytes:
    """The document of a case."""
    if "robots_b64" in case:
        return base64.b64decode(case["robots_b64"])
    text = case["robots"] if "robots" in case else _repeated(case["robots_repeat"])
    return str(text).encode()


def url(case: Case) -> str:
    """The URL of a case."""
    return str(case["url"]) if "url" in case else _repeated(case["url_repeat"])
