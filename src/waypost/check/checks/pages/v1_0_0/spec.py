"""The table of the pages check 1.0.0."""

from waypost.check.contract import CheckSpec, Mode, StepSpec

__all__ = ["CHECK"]

CHECK = CheckSpec(
    id="pages",
    version="1.0.0",
    title="Pages — asks for the pages a sitemap lists",
    category="AI Discoverability",
    subcategory="Crawl Discovery",
    group="Listed Pages",
    group_id="listed-pages",
    maturity="Established",
    scope="site",
    weight=0.0,
    resources=("a seeded sample of the pages that the sitemap lists",),
    input="scan-origin@1.0.0",
    output="stepped-report@1.0.0",
    mode=Mode.PROBE,
    steps=(
        StepSpec(
            "pages",
            "Ask for listed pages",
            0.0,
            "listed pages answer, may be indexed, and name themselves as canonical",
            rules=("SMU",),
        ),
    ),
    moves=(),
    page="page.md",
    changelog=(("1.0.0", "The first version."),),
)
