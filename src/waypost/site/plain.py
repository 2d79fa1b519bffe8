"""Plain pages of a folder that is walked: Markdown without sidecar and front matter, read in one loop.

Whatever is not plain, or not well, is left to the careful reader, which knows what to say of it.
"""

import os
import stat
from collections.abc import Iterable

from waypost.limits import PLAIN_PAGE_BYTES_MAX
from waypost.site.folders import Group
from waypost.site.headings import first_heading
from waypost.site.naming import MARKDOWN, is_markdown_name, path_key
from waypost.site.objects import Entry
from waypost.site.shard import READ_FLAGS

__all__ = ["read_pages"]

_LINE_BYTES_MAX = 1_024
_MARKS = (b"---", b"+++", b"\xef\xbb\xbf")
"""What front matter, or a text with a mark of its own, begins with."""


def read_pages(
    descriptor: int, folder: str, now: float, groups: Iterable[Group]
) -> tuple[dict[str, Entry], list[Group], float]:
    """The plain pages by name, the objects that want a careful reading, and the latest time of change."""
    pages: dict[str, Entry] = {}
    others: list[Group] = []
    newest, above = 0.0, f"{folder}/" if folder else ""
    for group in groups:
        name = group.name
        read = _read(name, descriptor) if not group.forms and is_markdown_name(name) else None
        if read is None:
            others.append(group)
            continue
        title, status = read
        path = above + name
        modified = min(status.st_mtime, now)
        newest = max(newest, status.st_ctime)
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
    end = data.find(b"\n")
    if end < 0 or data.startswith(_MARKS) or status.st_size > PLAIN_PAGE_BYTES_MAX:
        return None
    title = first_heading(data[:end].decode("utf-8", "replace"))
    return (title, status) if title else None
