"""What the doctor checks, as the same kind of table that checks of other people's sites have."""

from waypost.check.contract import CheckSpec, Mode, StepSpec

__all__ = ["CHECK"]

CHECK = CheckSpec(
    id="publisher",
    version="1.0.0",
    title="Publisher — compares what is published with what is on disk",
    category="AI Discoverability",
    subcategory="Crawl Discovery",
    group="Publishing",
    group_id="publishing",
    maturity="Established",
    scope="root",
    weight=1.0,
    resources=(),
    input="runtime-root@1.0.0",
    output="stepped-report@1.0.0",
    mode=Mode.SCORED,
    steps=(
        StepSpec(
            "objects",
            "Read the objects",
            0.25,
            "every object can be read and is served where its owner wants it",
            rules=("PUB001", "PUB005", "PUB009", "PUB010", "PUB016", "PUB018"),
        ),
        StepSpec(
            "listing",
            "Compare the sitemap with the objects",
            0.25,
            "the sitemap lists every public page once, at its one URL, with its date, and nothing else",
            rules=("PUB003", "PUB004", "PUB006", "PUB007", "PUB008", "PUB011", "PUB015"),
        ),
        StepSpec(
            "documents",
            "Read the documents",
            0.25,
            "documents name their own origin alone, and nothing that is secret or blocked",
            rules=("PUB002", "PUB012", "PUB017", "RBT318", "SMS508"),
        ),
        StepSpec(
            "hosts",
            "Knock at the hosts",
            0.25,
            "every host that should be answered is, and nobody can forge another",
            rules=("PUB013", "PUB014"),
        ),
    ),
    moves=(),
    page="",
    changelog=(("1.0.0", "The first version."),),
)
"""The publisher check."""
