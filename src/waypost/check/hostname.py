"""Names of hosts: in the letters DNS knows, and which of them mean this very machine. The only importer of `idna`."""

import idna

from waypost.urls import read_host

__all__ = ["ascii_host", "is_localhost"]


def ascii_host(host: str) -> str | None:
    """A host name as DNS knows it (lower case, IDNA); None for what is no name."""
    name = host
    if not host.isascii():
        try:
            name = idna.encode(host, uts46=True, transitional=False).decode("ascii")
        except idna.IDNAError:
            name = _older_idna(host)
    parts = read_host(name)
    return parts[0] if parts is not None and parts[1] is None else None


def _older_idna(host: str) -> str:
    # Registries still hold names (emoji, say) that only the rules of 2003 can spell.
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def is_localhost(host: str) -> bool:
    """Whether a name means this very machine (RFC 6761)."""
    name = host.lower().rstrip(".")
    return name == "localhost" or name.endswith(".localhost")
