"""The table of the feeds check 1.0.0."""

from waypost.check.contract import CheckSpec, Mode, StepSpec

__all__ = ["CHECK"]

CHECK = CheckSpec(
    id="feeds",
    version="1.0.0",
    title="Feeds — reads the feeds a site links and the lists that name them",
    category="AI Discoverability",
    subcategory="Crawl Discovery",
    group="Feeds",
    group_id="feeds",
    maturity="Established",
    scope="site",
    weight=0.0,
    resources=(
        "/",
        "/feeds.opml",
        "the feeds that the home page, robots.xml or an OPML list names",
    ),
    input="scan-origin@1.0.0",
    output="stepped-report@1.0.0",
    mode=Mode.BESIDE,
    steps=(
        StepSpec("feeds", "Read feeds", 0.0, "the feeds and lists of feeds a site names can be read", rules=("FED",)),
    ),
    moves=(),
    page="page.md",
    changelog=(("1.0.0", "The first version."),),
)
