"""Sites that hypothesis makes, and what ought to be public of them by a model of its own that shares no code with waypost."""

import json
import os
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from hypothesis import strategies as st

ROLES = {"staff-only": ["staff"], "board": ["chair", "staff"]}
RESERVED_FILES = [
    "robots.txt",
    "sitemap.xml",
    "sitemap_index.xml",
    "sitemap.txt",
    "robots.xml",
    "feeds.opml",
    "feed.atom",
    "feed.rss",
    "feed.json",
    "healthz",
    "readyz",
    "metrics",
]
RESERVED_FOLDERS = ["sitemaps", ".well-known", "_waypost", "id", "login", "builtin", "api"]
ADMIN = "hidden-door-5f2a9c"
HOSTS = ["127.0.0.1", "shop.example", "xn--bcher-kva.example", "a.b-c.d0.example", "localhost"]
LANGUAGES = ["en", "de", "de-AT", "zh-Hant", "pt-BR", "sr-Latn-RS"]
DATES = ["2026-01-20", "2025-12-31T23:59:59Z", "2024-02-29", "2999-01-01", "1970-01-01", "1988-06-01", "soon"]
EPOCH = 1_700_000_000
CONTROL = {"Cc", "Cs", "Zl", "Zp"}


@dataclass
class Draft:
    """One object of a site, as its owner wrote it."""

    path: str
    """Below content/, with its extension; for an id object its shard and name."""
    said: dict
    minute: int
    form: str = "json"
    body: str = "text"

    @property
    def is_id_object(self):
        return self.path[2:3] == "/" and self.path.endswith(".1")

    @property
    def key(self):
        if self.is_id_object:
            return self.path[3:19]
        return self.said.get("id") or blake2b(os.fsencode(self.path)).digest()[:8].hex()


@dataclass
class Plan:
    """A whole site: its settings and its objects."""

    drafts: list[Draft]
    always_slash: bool
    split: tuple[int, int]
    lines: list[str] = field(default_factory=list)
    host: str = "127.0.0.1"


def canonical(text, *, derived):
    """The alias a text means, or None where it can be none: the paragraph of runtime-root.md in a few lines."""
    alias = unicodedata.normalize("NFC", text.strip()).lower()
    if derived:
        for blank in {c for c in alias if unicodedata.category(c) == "Zs"}:
            alias = alias.replace(blank, " ")
        alias = "-".join(part for part in _split_keeping(alias))
    segments = [segment for segment in alias.split("/") if segment]
    alias = "/".join(segments)
    if any(unicodedata.category(c) in CONTROL for c in alias) or "\\" in alias or "%" in alias:
        return None
    if any(c in "\ufeff\ufffe\uffff" for c in alias) or any(segment in {".", ".."} for segment in segments):
        return None
    plain = "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/"
    return None if not derived and any(c not in plain for c in alias) else alias


def _split_keeping(text):
    """The pieces between runs of blanks, an empty piece at an end that is blank."""
    pieces, run = [""], False
    for c in text:
        if c == " ":
            run = True
            continue
        if run:
            pieces.append("")
            run = False
        pieces[-1] += c
    return [*pieces, ""] if run else pieces


def is_reserved(alias):
    first = alias.split("/")[0].rstrip(". ")
    return first in {*RESERVED_FILES, *RESERVED_FOLDERS, ADMIN} or alias.endswith(".md")


def wanted(draft):
    """(alias, is it explicit), or None for a page that gets no alias."""
    said = draft.said.get("alias")
    if said is None:
        if draft.is_id_object:
            return None
        stem = draft.path.removesuffix(".md")
        folder, _, name = stem.rpartition("/")
        alias, explicit = canonical(folder if name.lower() == "index" else stem, derived=True), False
    elif not said.strip("/ "):
        return ("", True) if said else None
    else:
        alias, explicit = canonical(said, derived=False), True
        alias = "" if alias == "index" else alias
    return None if alias is None or (alias and is_reserved(alias)) else (alias, explicit)


def is_public(draft):
    said = draft.said
    is_shut = said.get("draft") or said.get("access") == "deny" or said.get("roles")
    return not is_shut and not any(tag in ROLES for tag in said.get("tags") or ())


TRUE_DATES = {
    "2026-01-20": "2026-01-20T00:00:00Z",
    "2025-12-31T23:59:59Z": "2025-12-31T23:59:59Z",
    "2024-02-29": "2024-02-29T00:00:00Z",
}
TOO_EARLY, TO_COME = {"1970-01-01", "1988-06-01"}, {"2999-01-01"}


def dated(plan, draft):
    """The lastmod of a page: None for none, ... for the moment it was read, whenever that was."""
    said = draft.said.get("updated") if 'lastmod = "declared"' in plan.lines else None
    if said in TO_COME:
        return ...
    if said in TOO_EARLY:
        return None
    if said in TRUE_DATES:
        return TRUE_DATES[said]
    seconds = EPOCH + draft.minute * (61 if draft.form == "json" else 60)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def listed(plan):
    """The paths of every page that everybody may see and find, with the lastmod of each."""
    holders = {}
    for draft in plan.drafts:
        claim = wanted(draft)
        if claim is not None:
            holders.setdefault(claim[0], []).append((not claim[1], draft.key, draft))
    found = {}
    for draft in plan.drafts:
        claim = wanted(draft)
        holds = claim is not None and min(holders[claim[0]], key=lambda row: row[:2])[2] is draft
        if not is_public(draft) or draft.said.get("noindex"):
            continue
        path = "/" + quote(claim[0], safe="-._~!$&'()*+,;=:@/") if holds else f"/id/{draft.key}"
        found[path + "/" if plan.always_slash and path != "/" else path] = dated(plan, draft)
    return found


def write(plan, root: Path):
    content = root / "content"
    content.mkdir(parents=True)
    (content / "data.css").write_text("body { color: black }")
    (content / "a picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    for draft in plan.drafts:
        blob = content / draft.path
        blob.parent.mkdir(parents=True, exist_ok=True)
        text = draft.body
        if draft.form == "front":
            text = (
                "---\n" + "".join(f"{key}: {_in_yaml(value)}\n" for key, value in draft.said.items()) + f"---\n{text}"
            )
        else:
            blob.with_name(blob.name + ".json").write_text(json.dumps(draft.said))
            os.utime(blob.with_name(blob.name + ".json"), (EPOCH, EPOCH + draft.minute * 61))
        blob.write_text(text)
        os.utime(blob, (EPOCH, EPOCH + draft.minute * 60))
    tags = "".join(f"[tags.{tag}]\nroles = {json.dumps(roles)}\n" for tag, roles in ROLES.items())
    head = f'slash = "{"always" if plan.always_slash else "never"}"\n'
    split = f"[sitemap]\nimages = true\nsplit_at = {plan.split[0]}\npart_size = {plan.split[1]}\n"
    admin = f'[admin]\npath = "{ADMIN}"\n'
    (root / "waypost.toml").write_text(head + "\n".join(plan.lines) + "\n" + split + admin + tags)
    return root


def _in_yaml(value):
    """JSON is YAML, but for surrogates, and for characters that YAML wants escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", text)


# --- strategies -------------------------------------------------------------------------------------------------

_name = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='/\\#".~'), min_size=1, max_size=8
).filter(lambda text: text.strip() == text and len(text.encode()) < 60)
_plain = st.sampled_from(
    ["a", "b", "docs", "Notes", "intro", "index", "über", "Ünï cödé", "日本", "x y", "login", "API", "id"]
)
_segment = st.one_of(_plain, _plain, _name)
_path = st.lists(_segment, min_size=1, max_size=3).map("/".join)
_alias = st.one_of(
    st.sampled_from(
        ["", "/", "index", "login/now", "Sitemap.xml", "api", ADMIN, "id/0000000000000001", "x.md", "a%b", "a\\b"]
    ),
    st.text("ab/C&'()*+,;=:@!$~._-", min_size=1, max_size=9),
    _plain,
    _name,
)
_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_tags = st.lists(st.sampled_from(["label", "staff-only", "board"]), max_size=2, unique=True)
_images = st.lists(
    st.sampled_from(["/a picture.png", "a picture.png", "gone.png", "https://cdn.example/x.png?a=1&b=2"]), max_size=2
)


def _said(aliases):
    optional = {
        "alias": _alias,
        "title": _text,
        "description": _text,
        "tags": _tags,
        "roles": st.lists(st.sampled_from(["staff", "chair"]), max_size=1),
        "access": st.sampled_from(["public", "public", "deny"]),
        "draft": st.booleans(),
        "noindex": st.booleans(),
        "lang": st.sampled_from(LANGUAGES),
        "translations": st.dictionaries(st.sampled_from(LANGUAGES), st.sampled_from(aliases), max_size=3),
        "images": _images,
        "published": st.sampled_from(DATES),
        "updated": st.sampled_from(DATES),
        "nav_title": _text,
        "redirect_from": st.lists(st.sampled_from(["old", "older/place", *aliases]), max_size=2),
    }
    return st.fixed_dictionaries({}, optional=optional)


def _drafts(names, ids):
    aliases = [name.lower() for name in names] or ["a"]
    said, minutes = _said(aliases), st.integers(0, 500_000)
    paths = [
        st.builds(Draft, st.just(f"{name}.md"), said, minutes, st.sampled_from(["json", "front"])) for name in names
    ]
    objects = [st.builds(Draft, st.just(f"{key[-2:]}/{key}.1"), said, minutes) for key in ids]
    return st.tuples(*paths, *objects).map(list)


def _fits(drafts):
    """Whether no two objects are one file or have one id."""
    return len({draft.key for draft in drafts}) == len(drafts) == len({draft.path for draft in drafts})


_LINES = st.lists(
    st.sampled_from(['title = "A & <site>"', 'lang = "en"', 'lastmod = "declared"', "feeds = { count = 2 }"]),
    unique=True,
)
_TABLES = st.lists(
    st.sampled_from(
        [
            '[[robots.group]]\nagents = ["CCBot", "GPTBot"]\ndisallow = ["/"]\ncontent_signal = "ai-train=no, search=yes"',
            '[[robots.group]]\nagents = ["*"]\ndisallow = ["/never-there/", "/*?print=$"]\nallow = ["/never-there/but"]',
            '[[data]]\npath = "/data.css"\nnamespace = "urn:example:style"\ntitle = "Style"\nlastmod = 2026-01-20',
        ]
    ),
    unique=True,
)
_names = st.lists(_path, min_size=0, max_size=7, unique=True)
_ids = st.lists(st.integers(0, 2**64 - 1).map("{:016x}".format), max_size=4, unique=True)
plans = st.builds(
    lambda drafts, slash, split, lines, tables, host: Plan(drafts, slash, split, [*lines, *tables], host),
    st.tuples(_names, _ids).flatmap(lambda made: _drafts(*made)).filter(_fits),
    st.booleans(),
    st.sampled_from([(50_000, 10_000), (1, 1), (3, 2), (5, 50_000)]),
    _LINES,
    _TABLES,
    st.sampled_from(HOSTS),
)
