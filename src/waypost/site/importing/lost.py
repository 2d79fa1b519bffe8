"""Addresses that no page takes over: feeds by their old names, pages of terms, a folder that all of a site stood in."""

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from waypost.site.importing.plan import Plan

__all__ = ["tell_folder", "tell_lost_feed", "tell_lost_terms"]

_TOPIC = "address"


def tell_lost_feed(plan: Plan, file: str, path: str) -> None:
    """Say that a feed is lost, and what answers instead."""
    plan.miss(file, _TOPIC, f"the feed {path} is lost: /feed.rss and /feed.atom answer instead")


def tell_lost_terms(plan: Plan, file: str, terms: Mapping[str, Collection[str]]) -> None:
    """Say that the lists of pages by their terms are lost: `terms` are those of each kind, by its name in addresses."""
    for kind, words in terms.items():
        if words:
            count = "the page of its one term" if len(words) == 1 else f"the pages of its {len(words):,} terms"
            lost = f"/{kind}/ and {count} (/{kind}/{min(words)}/), and their feeds, are lost"
            plan.miss(file, _TOPIC, f"{lost}: /feed.rss and /feed.atom answer instead")


def tell_folder(plan: Plan, file: str, url: str) -> None:
    """Say that everything stood in a folder, where the URL of the site has one."""
    path = urlsplit(url).path.strip("/")
    if path:
        plan.miss(file, _TOPIC, f"everything below /{path}/ is lost: pages have the same addresses without it")
