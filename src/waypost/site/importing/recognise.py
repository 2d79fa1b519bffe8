"""Which program a folder was made for, and the plan of its import."""

import re
import time
from pathlib import Path

from waypost.errors import ContentError
from waypost.site.importing.finish import finish
from waypost.site.importing.hugo import NAMES as HUGO_NAMES
from waypost.site.importing.hugo import plan_hugo
from waypost.site.importing.jekyll import plan_jekyll
from waypost.site.importing.mkdocs import NAMES as MKDOCS_NAMES
from waypost.site.importing.mkdocs import plan_mkdocs
from waypost.site.importing.notes import plan_nopressure, plan_notes
from waypost.site.importing.plan import Plan, Shape
from waypost.site.importing.source import Source
from waypost.site.naming import is_markdown_name
from waypost.site.sidecar import Unreadable

__all__ = ["glance", "plan_import", "recognise"]

_ID_FILE = re.compile(r"content/([0-9a-f]{2})/[0-9a-f]{14}\1\.\d+\.(?:ron|json|toml)")


def recognise(source: Source) -> tuple[Shape, str] | None:
    """The shape of a folder, and by what it was recognised; None where there is nothing to import."""
    found = next((name for name in source.files if _ID_FILE.fullmatch(name)), "")
    if found or "state/sys/tags.yaml" in source:
        return Shape.NOPRESSURE, found or "state/sys/tags.yaml"
    for name in MKDOCS_NAMES:
        if name in source:
            return Shape.MKDOCS, name
    has_content = bool(source.below("content")) or source.has_folder("config/_default")
    for name in HUGO_NAMES:
        if name in source and (name.startswith("hugo.") or has_content):
            return Shape.HUGO, name
    if has_content and any(source.has_folder(name) for name in ("archetypes", "layouts", "static", "config/_default")):
        return Shape.HUGO, "content/"
    for name in ("_config.yml", "_config.yaml", "_config.toml"):
        if name in source:
            return Shape.JEKYLL, name
    if source.has_folder("_posts"):
        return Shape.JEKYLL, "_posts/"
    if source.has_folder(".obsidian"):
        return Shape.OBSIDIAN, ".obsidian/"
    first = next((name for name in source.files if is_markdown_name(name)), "")
    return (Shape.MARKDOWN, first) if first else None


def glance(folder: str) -> Shape | None:
    """The program that a folder was made for, as far as the names at its top tell."""
    try:
        names = {path.name for path in Path(folder).iterdir()}
    except OSError:
        return None
    if names.intersection(MKDOCS_NAMES):
        return Shape.MKDOCS
    if any(name in names and (name.startswith("hugo.") or "content" in names) for name in HUGO_NAMES):
        return Shape.HUGO
    return Shape.JEKYLL if names.intersection({"_config.yml", "_config.yaml", "_posts"}) else None


def plan_import(folder: str, shape: Shape | None = None, *, now: float | None = None) -> Plan:
    """What an import of a folder would write. Raises ContentError where there is nothing to import."""
    source = Source(folder)
    seen = recognise(source)
    if seen is None and shape is None:
        raise ContentError(f"{folder} has no Markdown in it, and is no site that is known here")
    found, why = seen if shape is None and seen is not None else (shape or Shape.MARKDOWN, "--from")
    plan = Plan(found, why)
    moment = time.time() if now is None else now
    try:
        if found is Shape.HUGO:
            plan_hugo(source, plan, moment)
        elif found is Shape.JEKYLL:
            plan_jekyll(source, plan, moment)
        elif found is Shape.MKDOCS:
            plan_mkdocs(source, plan, moment)
        elif found is Shape.NOPRESSURE:
            plan_nopressure(source, plan)
        else:
            plan_notes(source, plan, moment, is_vault=found is Shape.OBSIDIAN)
    except Unreadable as fault:
        where = f"{fault.file}:{fault.line}" if fault.line else fault.file
        raise ContentError(f"{folder} cannot be imported: {where}: {fault.reason}") from None
    if source.links:
        plan.miss("", "file", f"{source.links:,} symbolic links were not followed")
    plan.sum_up()
    finish(plan)
    return plan
