"""Write docs/reference/ from the tables the code itself reads: python3 run.py reference (a test fails when it is old)."""

import ast
import inspect
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from enum import Enum
from importlib import import_module
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
TARGET = ROOT / "docs" / "reference"


def front(title: str, description: str, order: int) -> str:
    """The head of a page."""
    return f"---\ntitle: {title}\ndescription: {json.dumps(description)}\nnav_order: {order}\n---\n# {title}\n\n{description}\n\n"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; a pipe in a cell is escaped."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(list(head))]
    lines += ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def rules_page() -> str:
    """Every rule, with what it finds."""
    from waypost.check.rules import RULES
    from waypost.cli.catalogue import scored_steps

    rows = []
    for rule in sorted(RULES, key=lambda rule: rule.code):
        moved = ", ".join(step.partition("/")[2] for step in scored_steps(rule.code)) or "–"
        rows.append((rule.code, f"`{rule.name}`", rule.severity.value, moved, rule.title))
    text = "`waypost rule CODE` prints a rule's page: what it finds, why it matters, a bad and a good sample, the mend.\n\n"
    head = ("code", "name", "severity", "moves the score of", "finds")
    return (
        front("Rules", "Everything a check can find, with its code, its severity and what it moves.", 1)
        + text
        + table(head, rows)
    )


def checks_page() -> str:
    """Every check of every suite."""
    from waypost.check.suite import SUITES

    parts = []
    for suite in SUITES:
        parts.append(f"## Suite {suite.date}\n\n")
        for check in suite.checks:
            parts.append(
                f"### {check.id} {check.version}\n\n{check.title}. {'Scored' if check.is_scored else 'Not scored'}.\n\n"
            )
            rows = [(f"`{step.id}`", step.title, f"{step.weight:.2f}", step.passes_when) for step in check.steps]
            parts.append(table(("step", "title", "weight", "passes when"), rows) + "\n")
    return front("Checks", "The checks of each dated suite, their steps and weights.", 2) + "".join(parts)


def settings_page() -> str:
    """Every setting, from the one table."""
    from waypost.site.settings import OPINIONS, SETTINGS, TABLES

    rows = [(f"`{row.name}`", f"`{row.variable}`", shown(row.default), row.help) for row in SETTINGS]
    text = front("Settings", "Every setting: in waypost.toml, in the environment, and what it means.", 3)
    text += "Options of a command go before the environment, and that before the file. `waypost config show` prints what is in force.\n\n"
    text += table(("waypost.toml", "environment", "default", "means"), rows)
    text += "\n## Tables\n\n" + "".join(f"- `{name}` — {words}\n" for name, words in TABLES.items())
    text += "\n## For `waypost check` and `waypost doctor`\n\nThey may stand in the same file; serving passes over them.\n\n"
    return text + "".join(f"- `{name}` — {words}\n" for name, words in OPINIONS.items())


def shown(value: object) -> str:
    """A default as the file spells it."""
    value = getattr(value, "value", value)
    if value in ("", ()):
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def commands_page() -> str:
    """The help of every command, as the terminal shows it."""
    from waypost.cli.group import command_of
    from waypost.cli.main import COMMANDS

    parts = [front("Commands", "Every command with its options, as its --help prints them.", 4)]
    for row in COMMANDS:
        command = command_of(row)
        parts.append(f"## waypost {row.name}\n\n{row.help}\n\n{help_of(command, f'waypost {row.name}')}")
        for name, below in sorted(getattr(command, "commands", {}).items()):
            parts.append(f"### waypost {row.name} {name}\n\n{help_of(below, f'waypost {row.name} {name}')}")
    return "".join(parts)


def help_of(command: object, name: str) -> str:
    """A command's help in a block of text."""
    out = io.StringIO()
    os.environ.update(COLUMNS="80", NO_COLOR="1", TERM="dumb")
    with redirect_stdout(out), suppress(SystemExit):
        command.main(["--help"], prog_name=name, standalone_mode=False)  # type: ignore[attr-defined]
    lines = [line.rstrip() for line in out.getvalue().strip().splitlines()]
    return "```text\n" + "\n".join(lines) + "\n```\n\n"


def exit_codes_page() -> str:
    """What the exit status of every command means."""
    from waypost.cli import exit_codes

    rows = [(str(value), f"`{name}`", words) for name, value, words in documented(exit_codes, "ExitCode")]
    text = front("Exit codes", "What the exit status of every command means.", 5)
    return (
        text
        + table(("exit", "name", "means"), rows)
        + "\nFor a list of targets it is the worst of 4 > 2 > 1 > 3 > 0. A command that is interrupted (Ctrl-C) ends with 130 and\n"
        + "leaves no half-written file. With `WAYPOST_TRACEBACK=1` in the environment an internal error shows where it came from.\n"
    )


def documented(module: object, owner: str = "") -> list[tuple[str, object, str]]:
    """Constants with the string that stands under each, of a module or of a class in it."""
    tree: ast.AST = ast.parse(inspect.getsource(module))  # type: ignore[arg-type]
    if owner:
        tree = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == owner)
    body = tree.body  # type: ignore[attr-defined]
    home = getattr(module, owner) if owner else module
    found = []
    for node, below in pairwise(body):
        says = (
            isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str)
        )
        if isinstance(node, ast.Assign) and says and isinstance(node.targets[0], ast.Name):
            value = getattr(home, node.targets[0].id)
            found.append((node.targets[0].id, getattr(value, "value", value), " ".join(below.value.value.split())))
    return found


def limits_page() -> str:
    """Every number of the protocols and of our own safety."""
    from waypost import limits

    rows = [
        (f"`{name}`", f"{value:,}" if isinstance(value, int | float) else str(value), words)
        for name, value, words in documented(limits)
    ]
    return front("Limits", "Every number of the protocols and of waypost's own safety.", 6) + table(
        ("name", "value", "is"), rows
    )


_FORMATS = {
    "feedwrite": "write_feed",
    "opml": "read_opml write_opml",
    "xmlmap": "read_xmlmap write_xmlmap",
    "sniff": "read_any",
}
"""Readers and writers of whole documents that are no names of the package itself."""


def formats() -> Iterator[tuple[str, str]]:
    """Each of them by its full name, with the first line of its docstring."""
    for module, names in _FORMATS.items():
        home = import_module(f"waypost.formats.{module}")
        for name in names.split():
            yield f"`{home.__name__}.{name}`", (inspect.getdoc(getattr(home, name)) or "").partition("\n")[0]


def function(value: object) -> object:
    """What is called: `waypost.check` is a package and a function."""
    return import_module("waypost.check.drive").check if inspect.ismodule(value) else value


def called(value: object) -> str:
    """The parameters of a function without their types; nothing for what is none."""
    target = function(value)
    if not inspect.isfunction(target):
        return ""
    bare = inspect.Parameter.empty
    parameters = [one.replace(annotation=bare) for one in inspect.signature(target).parameters.values()]
    parameters = [one.replace(default=written(one.default)) for one in parameters]
    return str(inspect.Signature(parameters)).replace("Ellipsis", "…")


def written(default: object) -> object:
    """A default as it may be written: a member of an enum by its value, an object of ours as dots."""
    if isinstance(default, Enum):
        return default.value
    return default if default is inspect.Parameter.empty or " " not in repr(default) else ...


def said(value: object) -> str:
    """The first line of what a docstring says."""
    if isinstance(value, str):
        return "The version of the package."
    return (inspect.getdoc(function(value)) or "").partition("\n")[0]


def python_page() -> str:
    """The public names."""
    import waypost

    rows = [
        (f"`waypost.{name}{called(getattr(waypost, name))}`", said(getattr(waypost, name))) for name in waypost.__all__
    ]
    text = front("Python", "The public names of the package; everything else may change between versions.", 7)
    return (
        text
        + table(("name", "is"), rows)
        + "\nThe readers and writers of the other formats are found where they live:\n\n"
        + table(("name", "is"), formats())
        + "\nDoors into applications: `waypost.integrations.asgi.mount`, `waypost.integrations.wsgi.mount`; the whole\nsite as an ASGI application: `waypost.web.app.create`.\n"
    )


def reserved_page() -> str:
    """The registry of reserved paths."""
    from waypost.publish.paths import RESERVED

    rows = [(f"`{row.name}`", row.form.value, row.why, "yes" if row.is_disallowed else "no") for row in RESERVED]
    text = front("Reserved paths", "Paths no page can take as its address, and which of them robots.txt disallows.", 8)
    return (
        text
        + table(("path", "form", "why", "in robots.txt"), rows)
        + "\nThe configured admin path is reserved too, and stands in no public document.\n"
    )


def index_page() -> str:
    """The first page of the reference."""
    rows = "".join(f"- [{name.replace('-', ' ').capitalize()}]({name}.md)\n" for name in PAGES)
    return front("Reference", "Generated from the tables the code itself reads, so it cannot be out of date.", 4) + rows


PAGES: Mapping[str, Callable[[], str]] = {
    "rules": rules_page,
    "checks": checks_page,
    "settings": settings_page,
    "commands": commands_page,
    "exit-codes": exit_codes_page,
    "limits": limits_page,
    "python": python_page,
    "reserved-paths": reserved_page,
}


def pages() -> dict[str, str]:
    """Every page of the reference by its file name."""
    return {"index.md": index_page()} | {f"{name}.md": make() for name, make in PAGES.items()}


def main() -> None:
    """Write what changed."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (TARGET / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(PAGES) + 1} pages below {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
