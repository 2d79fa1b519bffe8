"""django.contrib.sitemaps on rows that are in memory already: the framework alone, no database."""

from collections.abc import Callable
from datetime import UTC, datetime

import django
from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.test import RequestFactory

Rows = list[tuple[str, float]]


def rendered(rows: Rows) -> Callable[[], bytes]:
    """Renders the rows as a Django site would, at each call."""
    if not settings.configured:
        settings.configure(
            ALLOWED_HOSTS=["*"],
            INSTALLED_APPS=["django.contrib.sitemaps"],
            TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
        )
        django.setup()
    items = [(path, datetime.fromtimestamp(modified, UTC)) for path, modified in rows]

    class Pages(Sitemap):
        limit = 50_000
        protocol = "https"

        def items(self):
            return items

        def location(self, item):
            return item[0]

        def lastmod(self, item):
            return item[1]

    request = RequestFactory().get("/sitemap.xml")

    def run() -> bytes:
        return sitemap(request, {"pages": Pages}).render().content

    return run
