"""What is judged, and why: rules and checks as plain data, for `waypost rule`, `rules` and `checks`."""

import json
from difflib import get_close_matches
from importlib.resources import files
from typing import Any

from waypost.check.contract import CheckSpec
from waypost.check.rule import Rule
from waypost.check.rules import RULES
from waypost.check.suite import SUITES
from waypost.cli.console import fail
from waypost.site.doctor import RULES as DOCTOR_RULES

__all__ = [
    "EVERY_RULE",
    "FORMAT_HELP",
    "check_row",
    "dumped",
    "find_rule",
    "is_json",
    "page_of",
    "rule_row",
    "scored_steps",
]

EVERY_RULE: tuple[Rule, ...] = tuple(sorted((*RULES, *DOCTOR_RULES), key=lambda rule: rule.code))
"""The rules of every check and of the doctor, by code."""


def find_rule(name: str) -> Rule:
    """The rule of a code or of a name."""
    found = next((rule for rule in EVERY_RULE if name.upper() == rule.code or name.lower() == rule.name), None)
    if found is not None:
        return found
    names = [rule.code for rule in EVERY_RULE] + [rule.name for rule in EVERY_RULE]
    near = get_close_matches(name.upper(), names, 1) or get_close_matches(name.lower(), names, 1)
    hint = f"perhaps {near[0]}?" if near else "see waypost rules"
    return fail(f"there is no rule {name}; {hint}")


def scored_steps(code: str) -> list[str]:
    """The steps of scored checks that a rule moves."""
    checks = {check.key: check for suite in SUITES for check in suite.checks}
    moved = {f"{check.key}/{move.step}" for check in checks.values() for move in check.moves if move.code == code}
    return sorted(moved)


def rule_row(rule: Rule) -> dict[str, Any]:
    """A rule as plain data."""
    return {
        "code": rule.code,
        "name": rule.name,
        "title": rule.title,
        "severity": rule.severity.value,
        "step": rule.step.value,
        "scored": scored_steps(rule.code),
        "fixable": rule.fix.value,
        "why": rule.why,
        "fix": rule.fix_words,
    }


def check_row(check: CheckSpec) -> dict[str, Any]:
    """A check as plain data."""
    return {
        "id": check.id,
        "version": check.version,
        "title": check.title,
        "category": check.category,
        "subcategory": check.subcategory,
        "group": check.group,
        "group_id": check.group_id,
        "maturity": check.maturity,
        "scope": check.scope,
        "weight": check.weight,
        "scored": check.is_scored,
        "runs": check.mode.value,
        "resources": list(check.resources),
        "input": check.input,
        "output": check.output,
        "steps": [
            {"id": step.id, "title": step.title, "weight": step.weight, "passes_when": step.passes_when}
            for step in check.steps
        ],
        "changelog": [{"version": version, "text": text} for version, text in check.changelog],
    }


def dumped(value: object) -> str:
    """JSON for stdout."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def page_of(check: CheckSpec) -> str:
    """The page of a check, from its package."""
    folder = f"{check.id.replace('-', '_')}/v{check.version.replace('.', '_')}"
    return (files("waypost.check.checks") / folder / check.page).read_text("utf-8")


FORMAT_HELP = "text or json."


def is_json(name: str) -> bool:
    """Whether the format asked for is JSON; any but text and json is a usage error."""
    if name not in {"text", "json"}:
        fail(f"--format {name}: it is text or json")
    return name == "json"
