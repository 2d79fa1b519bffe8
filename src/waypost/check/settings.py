"""What a client may take and spend: every limit of an exchange as one value."""

from dataclasses import dataclass

from waypost import __version__
from waypost.errors import ConfigError

__all__ = ["DEFAULT_SETTINGS", "IDENTITY_PAGE", "ClientSettings"]

IDENTITY_PAGE = "https://github.com/waypost/waypost/blob/main/docs/crawler.md"
"""The page that explains to a server's owner what asks here, and how to stop it."""


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The bounds of a client for one site (spec/safety.md section 1); a fleet gives tighter ones.

    `rate_min` counts bytes a second, measured once an answer has taken `rate_after_s`; `delay_s` is the least time
    between two requests, and time spent on it is not taken from the site's.
    """

    user_agent: str = f"waypost/{__version__} (+{IDENTITY_PAGE})"
    delay_s: float = 0.0
    dns_s: float = 5.0
    connect_s: float = 5.0
    first_byte_s: float = 10.0
    silence_s: float = 5.0
    request_s: float = 30.0
    site_s: float = 45.0
    rate_min: float = 32.0
    rate_after_s: float = 10.0
    connections_max: int = 6
    memory_bytes_max: int = 8 * 1_048_576
    ca_file: str = ""

    def __post_init__(self) -> None:
        """Refuse an agent that no header can hold."""
        if not self.user_agent or not self.user_agent.isascii() or not self.user_agent.isprintable():
            raise ConfigError("--user-agent: give visible ASCII characters")


DEFAULT_SETTINGS = ClientSettings()
"""The limits of `waypost check`."""
