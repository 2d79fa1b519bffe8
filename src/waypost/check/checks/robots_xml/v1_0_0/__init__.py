"""The robots-xml check, version 1.0.0."""

from waypost.check.checks.robots_xml.v1_0_0.spec import CHECK

__all__ = ["CHECK"]
