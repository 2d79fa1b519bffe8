"""Take the README's picture of a report: .venv/bin/python tools/picture.py (needs Chromium)."""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = "/usr/bin/chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run")
SIZE = {"width": 900, "height": 620}


def take(target: Path) -> None:
    """Run the demo, open its report in a browser, and keep what a person sees first."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        command = [sys.executable, "-m", "waypost", "demo", "--report", str(report)]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
            page = browser.new_page(viewport=SIZE)
            page.goto(report.as_uri())
            page.screenshot(path=str(target))
            browser.close()


if __name__ == "__main__":
    take(ROOT / "docs" / "report.png")
