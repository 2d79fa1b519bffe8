"""The table of the robots check 1.0.0."""

from waypost.check.contract import CheckSpec, Mode, StepSpec

__all__ = ["CHECK"]

CHECK = CheckSpec(
    id="robots",
    version="1.0.0",
    title="Robots — reads robots.txt as crawlers do, and says what it means",
    category="AI Discoverability",
    subcategory="Crawl Discovery",
    group="robots.txt",
    group_id="robots",
    maturity="Established",
    scope="site",
    weight=0.0,
    resources=(
        "/robots.txt",
        "/robots.txt of the other scheme and of the www or apex name",
    ),
    input="scan-origin@1.0.0",
    output="stepped-report@1.0.0",
    mode=Mode.BESIDE,
    steps=(
        StepSpec(
            "fetch",
            "Fetch robots.txt",
            0.0,
            "a crawler gets a robots.txt, or a plain answer that there is none",
            rules=("RBT1",),
        ),
        StepSpec("syntax", "Read robots.txt", 0.0, "every line is understood by every crawler", rules=("RBT2",)),
        StepSpec("meaning", "Judge the rules", 0.0, "the rules say what their owner means", rules=("RBT3",)),
    ),
    moves=(),
    page="page.md",
    changelog=(("1.0.0", "The first version."),),
)
