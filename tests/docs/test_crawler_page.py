"""The page that our User-Agent points at says what the client does."""

from pathlib import Path

from waypost.check.services import How, ServiceKind
from waypost.check.settings import DEFAULT_SETTINGS, IDENTITY_PAGE
from waypost.limits import LOCATION_BYTES_MAX, REDIRECTS_MAX, SITE_REQUESTS_MAX, SITEMAP_BYTES_MAX

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "crawler.md").read_text(encoding="utf-8")


def test_the_user_agent_points_at_this_page():
    assert IDENTITY_PAGE.endswith("/docs/crawler.md")
    assert IDENTITY_PAGE in DEFAULT_SETTINGS.user_agent
    assert IDENTITY_PAGE in PAGE


def test_the_page_tells_the_limits_as_they_are():
    settings = DEFAULT_SETTINGS
    assert settings.dns_s == settings.connect_s == 5
    assert "| resolve a name; connect; finish a TLS handshake | 5 s each |" in PAGE
    assert f"| begin to answer | {settings.first_byte_s:g} s |" in PAGE
    assert f"| silence in an answer | {settings.silence_s:g} s |" in PAGE
    assert f"{settings.request_s:g} s; {settings.site_s:g} s |" in PAGE
    assert f"({SITEMAP_BYTES_MAX:,} bytes)" in PAGE
    assert f"| {REDIRECTS_MAX}, {LOCATION_BYTES_MAX:,} bytes |" in PAGE
    assert f"at most {SITE_REQUESTS_MAX} requests" in PAGE
    assert settings.connections_max == 6
    assert "at most six connections" in PAGE


def test_every_kind_of_service_is_named():
    page = (DOCS / "do" / "discover.md").read_text(encoding="utf-8")
    assert all(f"`{kind.value}`" in page for kind in ServiceKind)
    assert len(How) == 6
