"""Where code stands in a Markdown text, as far as an expression can tell: what looks at a text leaves it alone."""

__all__ = ["CODE"]

CODE = (
    r"^(?P<indent> {0,12})(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,12}(?P=fence)[^\n]*$|\Z)"
    r"|(?P<ticks>`{1,8})(?!`)[^\n]{1,1000}?(?<!`)(?P=ticks)(?!`)"
)
"""A fenced block or a span of code, for expressions with MULTILINE and DOTALL; it goes forward only, and not far."""
