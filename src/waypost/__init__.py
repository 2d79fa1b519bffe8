"""waypost: everything a web site tells crawlers, published live and checked anywhere."""

from importlib import import_module

__version__ = "0.1.0"

_HOMES: dict[str, str] = {
    "Bounds": "waypost.formats.bounds",
    "Group": "waypost.formats.robots_groups",
    "Rule": "waypost.formats.robots_groups",
    "SitemapReader": "waypost.formats.sitemap",
    "WriteError": "waypost.errors",
    "acheck": "waypost.check.drive",
    "check": "waypost.check",
    "diff_robots": "waypost.formats.robots_diff",
    "discover": "waypost.check.discover",
    "read_feed": "waypost.formats.feeds",
    "read_robots": "waypost.formats.robots",
    "read_sitemap": "waypost.formats.sitemap",
    "robots_from_response": "waypost.formats.robots_policy",
    "write_index": "waypost.formats.sitemapwrite",
    "write_parts": "waypost.formats.sitemapparts",
    "write_robots": "waypost.formats.robots_write",
    "write_text": "waypost.formats.sitemapwrite",
    "write_urlset": "waypost.formats.sitemapwrite",
}
"""Where each public name lives; it is imported when it is first asked for, so `import waypost` stays cheap."""

__all__ = [
    "Bounds",
    "Group",
    "Rule",
    "SitemapReader",
    "WriteError",
    "__version__",
    "acheck",
    "check",
    "diff_robots",
    "discover",
    "read_feed",
    "read_robots",
    "read_sitemap",
    "robots_from_response",
    "write_index",
    "write_parts",
    "write_robots",
    "write_text",
    "write_urlset",
]


def __getattr__(name: str) -> object:
    """Import a public name from its room on first use."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'waypost' has no attribute {name!r}")
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, imported yet or not."""
    return list(__all__)
