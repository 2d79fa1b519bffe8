"""Whether somebody has a file open for writing at this moment, where the system tells.

The kernel says when a writer closes a file, but not when a file was changed without being opened: by `truncate(2)`. A
lease for reading is granted exactly while nobody has the file open for writing; it is given back at once, so that
whoever opens the file just then waits for a few microseconds and notices nothing.
"""

import fcntl
import os
import signal

from waypost.site.content import open_file

__all__ = ["has_writer"]

_SET_LEASE = getattr(fcntl, "F_SETLEASE", None)
_SET_SIGNAL = getattr(fcntl, "F_SETSIG", None)


def has_writer(path: str) -> bool:
    """Whether anybody may have a file open for writing; True too where nobody can say.

    The system tells only the file's owner, and root.
    """
    if _SET_LEASE is None or _SET_SIGNAL is None:
        return True
    try:
        descriptor = open_file(path)
    except OSError:
        return True
    try:
        # Whoever opens the file meanwhile has us told by a signal, and this one does nothing.
        fcntl.fcntl(descriptor, _SET_SIGNAL, signal.SIGURG)
        fcntl.fcntl(descriptor, _SET_LEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, _SET_LEASE, fcntl.F_UNLCK)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
