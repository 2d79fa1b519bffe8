"""A hostile server: every behaviour a checked site may show, as one table of named rows."""

from tests.hostile import compression, documents, redirecting, tls, transport
from tests.hostile.kit import Behaviour, Exchange
from tests.hostile.server import AUTHORITY, HostileServer

BEHAVIOURS: tuple[Behaviour, ...] = (
    *transport.BEHAVIOURS,
    *compression.BEHAVIOURS,
    *redirecting.BEHAVIOURS,
    *documents.BEHAVIOURS,
    *tls.BEHAVIOURS,
)

__all__ = ["AUTHORITY", "BEHAVIOURS", "Behaviour", "Exchange", "HostileServer"]
