"""The sitemap-deep check, version 1.0.0."""

from waypost.check.checks.sitemap_deep.v1_0_0.spec import CHECK

__all__ = ["CHECK"]
