"""Settings every test shares."""

import os
import signal
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("ci", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A shell lets what it starts in the background ignore Ctrl-C, and every process below inherits that: tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)

# What a machine may lack, as the reasons of skipped tests name it.
_PROGRAMS = ("Chromium", "nginx")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what a missing program made us skip."""
    reasons = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())]
    counts = {name: sum(name in reason for reason in reasons) for name in _PROGRAMS}
    missing = [f"{name} ({count} skipped)" for name, count in counts.items() if count]
    if missing:
        terminalreporter.write_line(f"not tested, for want of a program: {', '.join(missing)}")
