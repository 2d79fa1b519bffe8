"""Crawlers by name: the token a crawler answers to, and the crawlers that do not follow the `*` group."""

import re

__all__ = ["FALLBACKS", "IGNORE_STAR", "ascii_lower", "candidates", "product_token"]

IGNORE_STAR = frozenset({"adsbot-google", "adsbot-google-mobile", "apis-google", "mediapartners-google"})
"""Google's special-case crawlers: only a group that names them binds them (Google's documentation, not its library)."""

FALLBACKS = {
    "googlebot-image": "googlebot",
    "googlebot-news": "googlebot",
    "googlebot-video": "googlebot",
    "storebot-google": "googlebot",
    "adsbot-google-mobile": "adsbot-google",
}
"""The more general token a crawler follows when no group names it (Google's documentation)."""

_BROWSERS = frozenset(
    {"mozilla", "applewebkit", "chrome", "safari", "gecko", "version", "mobile", "firefox", "edg", "opr"}
)
_PRODUCT = re.compile(r"(?<![\w/.-])([A-Za-z_-]+)/v?[0-9]")
_COMPATIBLE = re.compile(r"compatible; *([A-Za-z_-]+)", re.IGNORECASE)
_FIRST = re.compile(r"[A-Za-z_-]*")


def ascii_lower(text: str) -> str:
    """The text with A to Z in lower case and nothing else changed, so that no other letter becomes one of these."""
    return (
        text.lower()
        if text.isascii()
        else text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    )


def product_token(user_agent: str) -> str:
    """The token to look for in robots.txt for a full User-Agent header: the first product that is not a browser's."""
    products = _PRODUCT.findall(user_agent) + _COMPATIBLE.findall(user_agent)
    for product in products:
        if product.lower() not in _BROWSERS:
            return str(product)
    found = _FIRST.match(user_agent)
    return found[0] if found else ""


def candidates(token: str) -> tuple[str, ...]:
    """The tokens a crawler looks for, the most specific first: ask `allowed` with this instead of one token."""
    general = FALLBACKS.get(ascii_lower(token))
    return (token,) if general is None else (token, general)
