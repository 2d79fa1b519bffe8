"""Helper processes of a big first scan: each reads some of the shards on a processor of its own.

They only read; what they cannot do, or fail to do, is done by the one who asked. Shards are watched before they are
read, here as anywhere.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence

import msgspec

from waypost.limits import HELPER_SECONDS_MAX, HELPERS_MAX, SHARDS_BIG_BYTES
from waypost.site.shard import FRAME_LENGTH_BYTES, Frame

__all__ = ["ShardHelpers", "share_of"]

_decode = msgspec.msgpack.Decoder(Frame).decode
_CODE = "from waypost.site.shard import help_scan; help_scan()"


def share_of(root: str, shards: Sequence[str]) -> list[list[str]]:
    """Which shards helpers should read, a list each; none where the root is small or there is one processor."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    helpers = min(processors - 1, HELPERS_MAX)
    sample = shards[:: max(1, len(shards) // 8)]
    if helpers < 1 or not sample or _bytes_of(root, sample) * len(shards) // len(sample) < SHARDS_BIG_BYTES:
        return []
    return [list(shards[number :: helpers + 1]) for number in range(1, helpers + 1)]


def _bytes_of(root: str, shards: Sequence[str]) -> int:
    total = 0
    for shard in shards:
        with contextlib.suppress(OSError):
            total += os.lstat(f"{root}/{shard}").st_size
    return total


class ShardHelpers:
    """Helper processes at work."""

    def __init__(self, root: str, shares: Sequence[Sequence[str]], now: float) -> None:
        self._shares = shares
        self._started: list[tuple[subprocess.Popen[bytes], int]] = []
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        for shards in shares:
            with tempfile.TemporaryFile() as stream:
                target = os.dup(stream.fileno())
            command = (sys.executable, "-c", _CODE, str(target), root, repr(now), *shards)
            try:
                child = subprocess.Popen(  # noqa: S603 - our own interpreter, and no shell
                    command, pass_fds=(target,), env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            except OSError:
                os.close(target)
            else:
                self._started.append((child, target))

    def frames(self) -> Iterator[Frame]:
        """What the helpers read, one shard after the other; nothing more of one that failed."""
        for child, target in self._started:
            try:
                if child.wait(HELPER_SECONDS_MAX) == 0:
                    yield from _read_frames(target)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                child.kill()
                child.wait()
            finally:
                os.close(target)
        self._started.clear()


def _read_frames(descriptor: int) -> Iterator[Frame]:
    with os.fdopen(descriptor, "rb", closefd=False) as stream:
        left = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        while left > 0:
            length = int.from_bytes(stream.read(FRAME_LENGTH_BYTES), "little")
            left -= FRAME_LENGTH_BYTES + length
            if left < 0:
                raise ValueError("a frame is cut short")
            yield _decode(stream.read(length))
