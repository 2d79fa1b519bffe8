"""Writing a plan: beside the new root first, and under its name only when all of it is there."""

import os
import secrets
import shutil
from pathlib import Path
from typing import Any

from waypost.errors import ContentError, StoreError
from waypost.limits import IMPORT_BYTES_MAX
from waypost.site.content import copy_file
from waypost.site.edit import edit_toml
from waypost.site.importing.plan import Leaf, Plan
from waypost.site.notation import write_yaml

__all__ = ["refuse_target", "write_plan"]

_FIRST = ("title", "nav_title", "nav_order", "nav_parent_id", "description", "alias", "redirect_from", "published",
          "updated", "lang", "translations", "tags", "images", "draft", "noindex")  # fmt: skip
_SETTINGS = "# Settings of this site; every line is optional.\n# `waypost config show .` prints all of them.\n"


def refuse_target(source: str, target: str) -> None:
    """Raise ContentError where a new root cannot be written: it has to be empty, and apart from what is imported."""
    one, other = Path(source).resolve(), Path(target).resolve()
    if one == other or one in other.parents or other in one.parents:
        raise ContentError(f"{target} and {source} are in one another; nothing is ever written into what is imported")
    try:
        if os.path.lexists(other) and (not other.is_dir() or any(other.iterdir())):
            raise ContentError(f"{target} is not an empty folder; nothing was written")
    except OSError as error:
        raise ContentError(f"{target} cannot be used: {(error.strerror or str(error)).lower()}") from None


def write_plan(plan: Plan, source: str, target: str) -> None:
    """Write a runtime root, whole or not at all. Raises ContentError, or StoreError where the disk will not take it."""
    refuse_target(source, target)
    _refuse_size(plan, source)
    final = Path(target).resolve()
    draft = final.with_name(f".{final.name[:60]}.{secrets.token_hex(4)}.tmp")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        (draft / "content").mkdir(parents=True)
        if not any(copy.target == "waypost.toml" for copy in plan.copies):
            (draft / "waypost.toml").write_text(_settings(plan), encoding="utf-8")
        for leaf in plan.leaves:
            path = draft / "content" / leaf.target
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_text(leaf), encoding="utf-8")
            if leaf.source:
                _date(path, f"{source}/{leaf.source}")
        for copy in plan.copies:
            path = draft / copy.target
            path.parent.mkdir(parents=True, exist_ok=True)
            copy_file(f"{source}/{copy.source}", str(path))
        draft.rename(final)
    except (OSError, StoreError) as error:
        cause = error if isinstance(error, OSError) else error.__cause__
        why = (cause.strerror if isinstance(cause, OSError) else None) or str(error)
        raise StoreError(f"cannot write {target}: {why.lower()}; nothing was written") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _date(path: Path, source: str) -> None:
    """A page is as old as what it comes from; one that was made is new."""
    status = os.lstat(source)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _refuse_size(plan: Plan, source: str) -> None:
    size = 0
    for copy in plan.copies:
        try:
            size += Path(source, copy.source).lstat().st_size
        except OSError as error:
            raise ContentError(f"{copy.source} cannot be read: {(error.strerror or str(error)).lower()}") from None
    if size > IMPORT_BYTES_MAX:
        raise ContentError(f"the files have {size:,} bytes; at most {IMPORT_BYTES_MAX:,} are imported")


def _settings(plan: Plan) -> str:
    said = {"title": plan.title, "lang": plan.lang, "slash": "always" if plan.has_slashes else ""}
    return edit_toml(_SETTINGS, {key: value for key, value in said.items() if value})


def _text(leaf: Leaf) -> str:
    head: dict[str, Any] = {key: leaf.head[key] for key in _FIRST if key in leaf.head}
    head |= {key: value for key, value in leaf.head.items() if key not in head}
    if not head:
        return leaf.body
    return f"---\n{write_yaml(head)}---\n{leaf.body}"
