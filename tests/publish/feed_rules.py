"""A validator of feeds that shares no line with the package: what RFC 4287, RSS 2.0, JSON Feed 1.1 and OPML 2.0 demand."""

import json
import re
from datetime import datetime
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree as ET

ATOM, CONTENT, DC = "{http://www.w3.org/2005/Atom}", "{http://purl.org/rss/1.0/modules/content/}", "{http://purl.org/dc/elements/1.1/}"  # fmt: skip
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
RFC822 = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d ([+-]\d{4}|GMT)")
RELATIVE = re.compile(r"<(?:a|img)\b[^>]*? (?:href|src)=\"(?!https?://|mailto:|tel:)", re.IGNORECASE)
TYPES = {"application/atom+xml": "atom", "application/rss+xml": "rss", "application/feed+json": "json", "text/x-opml": "opml"}  # fmt: skip


def faults(body: bytes, media: str) -> list[str]:
    """Everything wrong with a feed or a list of feeds that was sent with this Content-Type."""
    kind = TYPES.get(media.partition(";")[0])
    if kind is None:
        return [f"{media} is no type of a feed"]
    if kind == "json":
        return list(_json(body))
    try:
        root = ET.fromstring(body)
    except ET.ParseError as error:
        return [f"not well-formed: {error}"]
    return list({"atom": _atom, "rss": _rss, "opml": _opml}[kind](root))


def _once(parent, names, most=1, least=1):
    for name in names:
        count = len(parent.findall(name))
        if not least <= count <= most:
            yield f"{name} stands {count} times in {parent.tag}"


def _absolute(url, where):
    if not re.fullmatch(r"https?://[!-~]+", url or ""):
        yield f"{where} is no absolute URL: {url!r}"


def _rfc3339(text, where):
    try:
        if not RFC3339.fullmatch(text or ""):
            raise ValueError(text)
        datetime.fromisoformat(text)
    except ValueError:
        yield f"{where} is no RFC 3339 date: {text!r}"


def _rfc822(text, where):
    try:
        if not RFC822.fullmatch(text or "") or parsedate_to_datetime(text).strftime("%a") != text[:3]:
            raise ValueError(text)
    except ValueError:
        yield f"{where} is no RFC 822 date: {text!r}"


def _html(text, where):
    if RELATIVE.search(text or ""):
        yield f"{where} has a relative link"
    if re.search(r"<\s*(script|style|iframe)\b|\bon\w+\s*=\s*[\"']?[a-z]+\(", re.sub(r"<(pre|code)\b.*?</\1>", "", text or "", flags=re.DOTALL), re.IGNORECASE):  # fmt: skip
        yield f"{where} has a script in it"


def _atom(root):
    if root.tag != f"{ATOM}feed":
        yield f"the root is {root.tag}"
        return
    yield from _once(root, [f"{ATOM}{name}" for name in ("id", "title", "updated")])
    yield from _once(root, [f"{ATOM}{name}" for name in ("subtitle", "generator", "icon", "logo", "rights")], least=0)
    yield from _absolute(root.findtext(f"{ATOM}id"), "id")
    yield from _rfc3339(root.findtext(f"{ATOM}updated"), "updated")
    yield from _links(root)
    if [link.get("rel") for link in root.findall(f"{ATOM}link")].count("self") != 1:
        yield "the feed has no self link"
    entries = root.findall(f"{ATOM}entry")
    if root.find(f"{ATOM}author") is None and not all(entry.find(f"{ATOM}author") is not None for entry in entries):
        yield "nobody is the author"
    yield from _unique([entry.findtext(f"{ATOM}id") for entry in entries], "ids")
    for entry in entries:
        yield from _atom_entry(entry)


def _atom_entry(entry):
    yield from _once(entry, [f"{ATOM}{name}" for name in ("id", "title", "updated")])
    yield from _once(entry, [f"{ATOM}{name}" for name in ("published", "summary", "content", "source")], least=0)
    yield from _absolute(entry.findtext(f"{ATOM}id"), "id of an entry")
    yield from _rfc3339(entry.findtext(f"{ATOM}updated"), "updated of an entry")
    if (published := entry.findtext(f"{ATOM}published")) is not None:
        yield from _rfc3339(published, "published of an entry")
    yield from _links(entry)
    rels = [link.get("rel", "alternate") for link in entry.findall(f"{ATOM}link")]
    if entry.find(f"{ATOM}content") is None and "alternate" not in rels:
        yield "an entry has neither content nor an alternate link"
    for name in ("summary", "content"):
        text = entry.find(f"{ATOM}{name}")
        if text is not None and (text.get("type") not in {"text", "html"} or len(text)):
            yield f"{name} is of the type {text.get('type')} with {len(text)} elements in it"
        if text is not None and text.get("type") == "html":
            yield from _html(text.text, name)


def _links(parent):
    seen = []
    for link in parent.findall(f"{ATOM}link"):
        yield from _absolute(link.get("href"), "a link")
        seen.append((link.get("rel", "alternate"), link.get("type"), link.get("hreflang")))
    yield from _unique([link for link in seen if link[0] == "alternate"], "alternate links")


def _unique(values, what):
    if len(set(values)) != len(values):
        yield f"the {what} are not unique"


def _rss(root):
    if root.tag != "rss" or root.get("version") != "2.0" or [child.tag for child in root] != ["channel"]:
        yield "no RSS 2.0 with one channel"
        return
    channel = root[0]
    yield from _once(channel, ("title", "link", "description", f"{ATOM}link"))
    yield from _once(channel, ("language", "lastBuildDate", "pubDate", "ttl", "generator"), least=0)
    yield from _absolute(channel.findtext("link"), "link")
    yield from _rfc822(channel.findtext("lastBuildDate"), "lastBuildDate")
    known = {"title", "link", "description", "language", "lastBuildDate", "item", f"{ATOM}link", f"{DC}creator"}
    yield from (f"{child.tag} stands in the channel" for child in channel if child.tag not in known)
    items = channel.findall("item")
    yield from _unique([item.findtext("guid") for item in items], "guids")
    for item in items:
        yield from _once(item, ("link", "guid", "pubDate"))
        yield from _once(item, ("title", "description", f"{CONTENT}encoded"), least=0)
        if not item.findtext("title") and not item.findtext("description"):
            yield "an item has neither title nor description"
        yield from _absolute(item.findtext("link"), "link of an item")
        yield from _rfc822(item.findtext("pubDate"), "pubDate")
        if item.find("guid").get("isPermaLink", "true") == "true":
            yield from _absolute(item.findtext("guid"), "guid")
        yield from _html(item.findtext(f"{CONTENT}encoded"), "content:encoded")


FEED_KEYS = {"version", "title", "home_page_url", "feed_url", "description", "language", "items", "authors", "icon", "favicon", "next_url", "hubs", "user_comment", "expired"}  # fmt: skip
ITEM_KEYS = {"id", "url", "external_url", "title", "content_html", "content_text", "summary", "image", "banner_image", "date_published", "date_modified", "authors", "tags", "language", "attachments"}  # fmt: skip


def _json(body):
    try:
        feed = json.loads(body.decode())
    except ValueError as error:
        yield f"no JSON: {error}"
        return
    if feed.get("version") != "https://jsonfeed.org/version/1.1":
        yield f"version is {feed.get('version')!r}"
    if not isinstance(feed.get("title"), str) or not feed["title"] or not isinstance(feed.get("items"), list):
        yield "title or items are missing"
        return
    yield from (f"unknown member {key}" for key in feed if key not in FEED_KEYS and not key.startswith("_"))
    yield from _absolute(feed.get("home_page_url"), "home_page_url")
    yield from _absolute(feed.get("feed_url"), "feed_url")
    yield from _unique([item.get("id") for item in feed["items"]], "ids")
    for item in feed["items"]:
        yield from (f"unknown member {key} of an item" for key in item if key not in ITEM_KEYS)
        yield from (f"{key} of an item is no text" for key in ITEM_KEYS - {"authors", "tags", "attachments"} if not isinstance(item.get(key, ""), str))  # fmt: skip
        if not item.get("id") or not {"content_html", "content_text"} & set(item):
            yield "an item has no id or no content"
        yield from _absolute(item.get("url"), "url of an item")
        yield from _html(item.get("content_html"), "content_html")
        for key in ("date_published", "date_modified"):
            if key in item:
                yield from _rfc3339(item[key], key)


def _opml(root):
    if root.tag != "opml" or root.get("version") != "2.0" or [child.tag for child in root] != ["head", "body"]:
        yield "no OPML 2.0 with head and body"
        return
    if not root.findtext("head/title"):
        yield "the list has no title"
    outlines = list(root.find("body").iter("outline"))
    if not outlines:
        yield "the list is empty"
    yield from _unique([line.get("xmlUrl") for line in outlines if line.get("xmlUrl")], "feeds")
    for line in outlines:
        if not line.get("text"):
            yield "an outline has no text"
        if line.get("type") == "rss":
            yield from _absolute(line.get("xmlUrl"), "xmlUrl")
            yield from _absolute(line.get("htmlUrl"), "htmlUrl")
        elif not len(line):
            yield "an outline is no feed and holds none"
