"""Extension records of an entry: image, video, news, hreflang (SMX6xx)."""

from waypost.check.rule import Rule
from waypost.check.rules.extensions import hreflang, image, news, video, video_values

__all__ = ["RULES"]

RULES: tuple[Rule, ...] = (*image.RULES, *video.RULES, *video_values.RULES, *news.RULES, *hreflang.RULES)
