"""Coming in step with the disk without holding the event loop: at once where that is quick, else in a thread."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from waypost.publish.table import PageTable
from waypost.site.cache import PageMetaCache

__all__ = ["Settling"]

_ROUNDS_MAX = 8
T = TypeVar("T")


class Settling:
    """The roots that come in step at this moment; for each one thread does it, and everybody waits for that one."""

    def __init__(self) -> None:
        self._under_way: dict[int, asyncio.Future[PageTable]] = {}

    async def table(self, root: PageMetaCache) -> PageTable:
        """The table in step with the disk."""
        return await self.step(root, lambda: root.catalog.table)

    async def step(self, root: PageMetaCache, do: Callable[[], T], *, is_in_step: bool = False) -> T:
        """Do something quick with what is known, under the root's lock.

        `is_in_step` says that the root came in step for this request before, so that the disk need not be asked again.
        """
        for _ in range(_ROUNDS_MAX):
            if root.lock.acquire(blocking=False):
                try:
                    if is_in_step or root.try_table() is not None:
                        return do()
                finally:
                    root.lock.release()
            # What the thread found may be older than this request: the next round asks the disk once more.
            await asyncio.shield(self._thread(root))
        return await asyncio.to_thread(_waiting, root, do)

    def _thread(self, root: PageMetaCache) -> asyncio.Future[PageTable]:
        under_way = self._under_way.get(id(root))
        if under_way is None:
            under_way = self._under_way[id(root)] = asyncio.ensure_future(asyncio.to_thread(root.table))
            under_way.add_done_callback(lambda _: self._under_way.pop(id(root), None))
        return under_way


def _waiting(root: PageMetaCache, do: Callable[[], T]) -> T:
    with root.lock:
        root.table()
        return do()
