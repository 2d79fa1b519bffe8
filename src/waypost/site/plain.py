"""Plain pages of a folder that is walked: Markdown without sidecar and front matter, read in one loop.

Whatever is not plain, or not well, is left to the careful reader, which knows what to say of it.
"""

import os
import re
import stat
from collections.abc import Iterable

from waypost.limits import PLAIN_PAGE_BYTES_MAX
from waypost.site.folders import Group
from waypost.site.headings import first_heading
from waypost.site.naming import MARKDOWN, path_key
from waypost.site.objects import Entry
from waypost.site.shard import READ_FLAGS

__all__ = ["read_pages"]

_LINE_BYTES_MAX = 1_024
_TITLE = re.compile(rb"#[^\r\n]+(?=\r?\n)")
_ENDS = (".md", ".markdown")
"""How the names of Markdown files end, as nearly everybody writes them."""


def read_pages(
    descriptor: int, folder: str, now: float, groups: Iterable[Group]
) -> tuple[dict[str, Entry], list[Group], float]:
    """The plain pages by name, the objects that want a careful reading, and the latest time of change."""
    pages: dict[str, Entry] = {}
    others: list[Group] = []
    newest, above = 0.0, f"{folder}/" if folder else ""
    for group in groups:
        name = group.name
        read = None if group.forms or not name.endswith(_ENDS) else _read(name, descriptor)
        if read is None or read[1].st_mtime > now:
            others.append(group)
            continue
        title, status = read
        path, modified, changed = above + name, status.st_mtime, status.st_ctime
        newest = max(newest, changed)
        pages[name] = Entry(path_key(path), path, -1, modified, title, MARKDOWN, (), (), "", 0, None)
    return pages, others, newest


def _read(name: str, folder: int) -> tuple[str, os.stat_result] | None:
    """A page's title and status; None where its first line is not its title, or it is no plain page."""
    try:
        descriptor = os.open(name, READ_FLAGS, dir_fd=folder)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        data = os.read(descriptor, _LINE_BYTES_MAX) if stat.S_ISREG(status.st_mode) else b""
    except OSError:
        return None
    finally:
        os.close(descriptor)
    found = _TITLE.match(data)
    if found is None or status.st_size > PLAIN_PAGE_BYTES_MAX:
        return None
    title = first_heading(found[0].decode("utf-8", "replace"))
    return (title, status) if title else None
