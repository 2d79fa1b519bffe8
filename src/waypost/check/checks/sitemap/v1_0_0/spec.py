"""The table of the sitemap check 1.0.0."""

from waypost.check.checks.sitemap.v1_0_0.moves import MOVES
from waypost.check.contract import CheckSpec, Mode, StepSpec

__all__ = ["CHECK"]

CHECK = CheckSpec(
    id="sitemap",
    version="1.0.0",
    title="Sitemap — validates that a site exposes a fetchable sitemap or sitemap index",
    category="AI Discoverability",
    subcategory="Crawl Discovery",
    group="Crawl Discovery",
    group_id="crawl-discovery",
    maturity="Established",
    scope="site",
    weight=1.0,
    resources=(
        "/sitemap.xml",
        "/sitemap.txt",
        "/sitemap_index.xml",
        "/sitemap-index.xml",
        "/robots.txt",
        "what robots.txt names in Sitemap: lines",
    ),
    input="scan-origin@1.0.0",
    output="stepped-report@1.0.0",
    mode=Mode.SCORED,
    steps=(
        StepSpec(
            "discover",
            "Discover sitemap candidates",
            0.20,
            "at least one candidate URL can be built from the conventional paths or from `Sitemap:` directives",
            is_gate=True,
        ),
        StepSpec(
            "fetch",
            "Fetch a sitemap candidate",
            0.25,
            "at least one candidate answers with a successful status",
            is_gate=True,
        ),
        StepSpec(
            "parse",
            "Parse sitemap",
            0.25,
            "the body is a supported sitemap document with at least one absolute http(s) URL",
            is_gate=True,
        ),
        StepSpec(
            "field-quality",
            "Validate sitemap field quality",
            0.10,
            "optional fields, extension records, and the size limits hold",
        ),
        StepSpec(
            "scope",
            "Validate URL scope",
            0.20,
            "listed page URLs belong to the scanned origin's host",
        ),
    ),
    moves=MOVES,
    page="page.md",
    changelog=(("1.0.0", "The first version: five scored steps, the limits of sitemaps.org, four extensions."),),
)
