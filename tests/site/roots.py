"""A runtime root on a real disk, and what its cache says of it."""

from pathlib import Path

from waypost.site.cache import PageMetaCache
from waypost.site.live import LiveConfig
from waypost.site.watch import Mode


class Root:
    """A runtime root and its cache."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content = path / "content"
        self.opened: list[PageMetaCache] = []

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def page(self, name: str, text: str | bytes = "# Page\n") -> Path:
        return self.write(f"content/{name}", text)

    def cache(self, mode: Mode = Mode.EXACT) -> PageMetaCache:
        cache = PageMetaCache(str(self.path), LiveConfig(str(self.path)), best=mode)
        cache.open()
        self.opened.append(cache)
        return cache

    def close(self) -> None:
        for cache in self.opened:
            cache.close()
            cache.config.close()


def paths(cache: PageMetaCache) -> list[str]:
    return sorted(page.path for page in cache.table())


def snapshot(cache: PageMetaCache) -> dict[str, object]:
    """Everything the cache says of the disk: two caches of one disk must agree in it."""
    with cache.lock:
        table = cache.table()
        pages = {page.path: page for page in table}
        objects = {entry.blob: (entry.path, entry.access, entry.title, entry.mime) for entry in cache.catalog.entries()}
        return {"pages": pages, "objects": objects, "reports": cache.reports.every(), "hash": table.set_hash}
