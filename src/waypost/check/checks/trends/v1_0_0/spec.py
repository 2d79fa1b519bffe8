"""The table of the trends check 1.0.0."""

from waypost.check.contract import CheckSpec, Mode, StepSpec

__all__ = ["CHECK"]

CHECK = CheckSpec(
    id="trends",
    version="1.0.0",
    title="Trends — compares a site with an earlier result",
    category="AI Discoverability",
    subcategory="Crawl Discovery",
    group="Trends",
    group_id="trends",
    maturity="Established",
    scope="site",
    weight=0.0,
    resources=(),
    input="scan-origin@1.0.0",
    output="stepped-report@1.0.0",
    mode=Mode.BASELINE,
    steps=(
        StepSpec(
            "trends",
            "Compare with the baseline",
            0.0,
            "nothing a site offers crawlers vanished since the baseline",
            rules=("TRD", "RBT117", "SMQ309"),
        ),
    ),
    moves=(),
    page="page.md",
    changelog=(("1.0.0", "The first version."),),
)
