"""Helper processes of a big first scan: shards are read by whoever comes to them first, on every processor.

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
from waypost.site.shard import FRAME_LENGTH_BYTES, Frame, claimed, read_frame

__all__ = ["ShardHelpers", "helpers_for"]

_decode = msgspec.msgpack.Decoder(Frame).decode
_CODE = "from waypost.site.shard import help_scan; help_scan()"


def helpers_for(root: str, shards: Sequence[str]) -> int:
    """How many helpers should read along; none where the root is small or there is one processor."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    sample = shards[:: max(1, len(shards) // 8)]
    if not sample or _bytes_of(root, sample) * len(shards) // len(sample) < SHARDS_BIG_BYTES:
        return 0
    return min(processors - 1, HELPERS_MAX)


def _bytes_of(root: str, shards: Sequence[str]) -> int:
    total = 0
    for shard in shards:
        with contextlib.suppress(OSError):
            total += os.lstat(f"{root}/{shard}").st_size
    return total


class _Helper:
    """One process at work, and the file it writes frames to."""

    def __init__(self, child: "subprocess.Popen[bytes]", target: int) -> None:
        self.child, self.target = child, target
        self._at = 0

    def frames(self) -> Iterator[Frame]:
        """What was written since this was last asked; nothing more once that makes no sense."""
        size = os.fstat(self.target).st_size
        while self._at + FRAME_LENGTH_BYTES <= size:
            start = self._at + FRAME_LENGTH_BYTES
            length = int.from_bytes(os.pread(self.target, FRAME_LENGTH_BYTES, self._at), "little")
            if start + length > size:
                return
            try:
                frame = _decode(os.pread(self.target, length, start))
            except ValueError:
                return
            self._at = start + length
            yield frame

    def last_frames(self) -> Iterator[Frame]:
        """Wait for the process, and what is left then."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.child.wait(HELPER_SECONDS_MAX)
        yield from self.frames()

    def close(self) -> None:
        """Let nothing of it stay."""
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.target)


class ShardHelpers:
    """Helper processes at work. What they may read stands in a pipe; who takes a name out of it reads that shard."""

    def __init__(self, root: str, shards: Sequence[str], helpers: int, now: float) -> None:
        self._root, self._now = root, now
        self._names, given = os.pipe()
        os.write(given, "".join(shards).encode())
        os.close(given)
        self._started: list[_Helper] = []
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        for _ in range(helpers):
            try:
                with tempfile.TemporaryFile() as stream:
                    target = os.dup(stream.fileno())
            except OSError:
                return  # nowhere to write to: everything is read here
            kept = (target, self._names)
            command = (sys.executable, "-c", _CODE, str(target), str(self._names), root, repr(now))
            try:
                child = subprocess.Popen(  # noqa: S603 - our own interpreter, and no shell
                    command, pass_fds=kept, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            except OSError:
                os.close(target)
            else:
                self._started.append(_Helper(child, target))

    def frames(self) -> Iterator[Frame]:
        """Every shard as it comes, read here or by a helper; nothing of those that could not be read."""
        try:
            while shard := claimed(self._names):
                with contextlib.suppress(OSError):
                    yield read_frame(self._root, shard, self._now)
                for helper in self._started:
                    yield from helper.frames()
            for helper in self._started:
                yield from helper.last_frames()
        finally:
            os.close(self._names)
            for helper in self._started:
                helper.close()
