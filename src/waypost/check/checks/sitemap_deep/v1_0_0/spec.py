"""The table of the sitemap-deep check 1.0.0."""

from waypost.check.contract import CheckSpec, Mode, StepSpec

__all__ = ["CHECK"]

CHECK = CheckSpec(
    id="sitemap-deep",
    version="1.0.0",
    title="Sitemap, deep — reads the children of a sitemap index",
    category="AI Discoverability",
    subcategory="Crawl Discovery",
    group="Crawl Discovery",
    group_id="crawl-discovery",
    maturity="Established",
    scope="site",
    weight=0.0,
    resources=("a seeded sample of the sitemaps that the index names",),
    input="scan-origin@1.0.0",
    output="stepped-report@1.0.0",
    mode=Mode.DEEP,
    steps=(
        StepSpec(
            "children",
            "Read child sitemaps",
            0.0,
            "every child that was read is a sitemap crawlers can use",
            rules=("SMF", "SMP", "SMQ", "SML", "SMS", "SMX", "SMD"),
        ),
        StepSpec(
            "robots",
            "Compare with robots.txt",
            0.0,
            "robots.txt lets crawlers read what the sitemaps list",
            rules=("SMU", "RBT"),
        ),
    ),
    moves=(),
    page="page.md",
    changelog=(("1.0.0", "The first version."),),
)
