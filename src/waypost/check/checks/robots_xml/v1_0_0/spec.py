"""The table of the robots-xml check 1.0.0."""

from waypost.check.contract import CheckSpec, Mode, StepSpec

__all__ = ["CHECK"]

CHECK = CheckSpec(
    id="robots-xml",
    version="1.0.0",
    title="Robots.xml — reads the index of a site's machine-readable services",
    category="AI Discoverability",
    subcategory="Crawl Discovery",
    group="Service Discovery",
    group_id="service-discovery",
    maturity="Proposed",
    scope="site",
    weight=0.0,
    resources=("/robots.xml",),
    input="scan-origin@1.0.0",
    output="stepped-report@1.0.0",
    mode=Mode.BESIDE,
    steps=(
        StepSpec(
            "robots-xml",
            "Read robots.xml",
            0.0,
            "robots.xml, where there is one, names services a client can load",
            rules=("RXM",),
        ),
    ),
    moves=(),
    page="page.md",
    changelog=(("1.0.0", "The first version."),),
)
