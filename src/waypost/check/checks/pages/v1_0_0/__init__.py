"""The pages check, version 1.0.0."""

from waypost.check.checks.pages.v1_0_0.spec import CHECK

__all__ = ["CHECK"]
