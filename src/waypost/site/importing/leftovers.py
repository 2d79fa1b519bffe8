"""What stands in a text that only its old program's Markdown knows: it is shown as it is, and named in the report."""

import re

from waypost.site.codeparts import CODE
from waypost.site.importing.plan import Leaf, Plan, Shape

__all__ = ["tell_leftovers"]

_FORMS = {
    "keys": (r"(?<![\w+])\+\+[A-Za-z0-9][\w-]{0,30}(?:\+[\w-]{1,30}){0,6}\+\+(?!\w)", {Shape.MKDOCS}),
    "abbreviation": (r"^\*\[[^\]\n]{1,100}\]:[^\n]{0,300}", {Shape.MKDOCS, Shape.JEKYLL}),
    "definition list": (r"^:[ \t]{1,4}\S[^\n]{0,300}", {Shape.HUGO, Shape.JEKYLL, Shape.MKDOCS}),
    "highlight": (r"(?<!=)==(?=[^\s=])[^=\n]{1,300}(?<!\s)==(?!=)", {Shape.HUGO, Shape.MKDOCS, Shape.OBSIDIAN}),
    "block id": (r"(?:^|(?<=[ \t]))\^[A-Za-z0-9-]{1,60}[ \t]*$", {Shape.OBSIDIAN}),
}
"""Each form, and whose it is."""
_SHOWN_CHARS = 60


def tell_leftovers(plan: Plan, leaf: Leaf) -> None:
    """Say which forms a page has, the first place of each and how many more there are."""
    forms = {name: form for name, (form, shapes) in _FORMS.items() if plan.shape in shapes}
    if not forms:
        return
    texts = "|".join(f"(?P<form{number}>{form})" for number, form in enumerate(forms.values()))
    first: dict[str, re.Match[str]] = {}
    counts: dict[str, int] = {}
    for found in re.compile(f"{CODE}|{texts}", re.MULTILINE | re.DOTALL).finditer(leaf.body):
        name = next((name for number, name in enumerate(forms) if found[f"form{number}"] is not None), "")
        if name:
            first.setdefault(name, found)
            counts[name] = counts.get(name, 0) + 1
    for name, found in first.items():
        more = f", and {counts[name] - 1:,} more on this page" if counts[name] > 1 else ""
        line = leaf.first_line + leaf.body.count("\n", 0, found.start())
        plan.miss(leaf.source, name, f"{found[0].strip():.{_SHOWN_CHARS}} is shown as it is written{more}", line)
