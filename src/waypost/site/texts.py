"""What stands on pages, for feeds: the whole text as safe HTML whose links lead back to this site from anywhere."""

import re
from collections.abc import Callable
from contextlib import suppress
from html import escape

from waypost.errors import ContentError
from waypost.limits import FEED_TEXT_CHARS_MAX
from waypost.publish.page import Page, PageText
from waypost.site.cache import PageMetaCache
from waypost.site.links import is_local, resolver
from waypost.site.markdown import Rendered, render
from waypost.site.objects import Entry
from waypost.urls import absolute

__all__ = ["texts"]


def texts(root: PageMetaCache, origin: str) -> Callable[[Page], PageText | None]:
    """For one answer: from a page to its text, while FEED_TEXT_CHARS_MAX last. Rendering takes a while."""
    left = FEED_TEXT_CHARS_MAX

    def text_of(page: Page) -> PageText | None:
        nonlocal left
        with root.lock:
            entry = root.catalog.by_key(page.key)
        if entry is None or not entry.access.is_public or left <= 0:
            return None
        with suppress(OSError, ContentError):
            text = root.read_page(entry)[0]
            left -= len(text)
            if left >= 0 and root.stands(entry):
                return _rendered(root, entry, origin, text)
        return None

    return text_of


_HEADING_LINK = re.compile(r'<a class="anchor" href="#[^"]*" aria-label="[^"]*">#</a>')
_PLACE_LINK = re.compile(r'(<a(?: [a-z-]+="[^"]*")*? href=")(?=#)')


def _rendered(root: PageMetaCache, entry: Entry, origin: str, text: str) -> PageText:
    """The text as it can be read far from its page: nothing in it is relative."""
    resolve = resolver(root, entry)
    here = origin + entry.path

    def resolved(target: str) -> str | None:
        found = resolve(target)
        if found is None:
            return absolute(here, target) if is_local(target) else None
        return found and origin + found

    rendered = render(text, resolved)
    html = _without_title(rendered, entry.title)
    html = _PLACE_LINK.sub(lambda found: found[1] + escape(here), _HEADING_LINK.sub("", html))
    return PageText(html, rendered.summary)


def _without_title(rendered: Rendered, title: str) -> str:
    """The HTML without a first heading that says what an entry of a feed says already."""
    first = next(iter(rendered.headings), None)
    if first is None or first.level != 1 or first.text != title:
        return rendered.html
    before, _, after = rendered.html.partition(f'<h1 id="{escape(first.id)}">')
    return before + after.partition("</h1>")[2].lstrip("\n")
