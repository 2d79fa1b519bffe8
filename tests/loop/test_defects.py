"""Every seeded defect of a good site is found by its rule, and nothing else is said to be an error: one cause, one finding."""

import asyncio
import os
import time

import pytest
from tests.loop.defects import CASES, Seeded
from tests.loop.loopback import checked, served
from tests.web.roots import write

from waypost.web.app import create

FORMS = {
    "small": "",
    "split": "[sitemap]\nsplit_at = 1\npart_size = 2\n",
}
PAGES = {
    "index.md": "---\ntitle: Home\nupdated: 2026-01-05\n---\n# Home\n\nWelcome.\n",
    "about.md": "---\ntitle: About\npublished: 2026-01-20\n---\n# About\n",
    "news/one.md": "---\ntitle: One\npublished: 2026-02-01\n---\n# One\n",
    "news/two.md": "---\ntitle: Two\npublished: 2026-02-03\n---\n# Two\n",
}
DAY_S = 86_400


def make(root, form):
    """A good site whose answers hold one of everything; its dates lie some days apart."""
    write(
        root / "waypost.toml",
        f'title = "Good"\nlang = "en"\n\n{FORMS[form]}\n[[data]]\npath = "/style.css"\nnamespace = "urn:x:style"\n',
    )
    write(root / "content/style.css", "body { color: black }\n")
    for days, (name, text) in enumerate(PAGES.items(), 3):
        path = write(root / "content" / name, text)
        moment = (time.time() - days * DAY_S) // 60 * 60
        os.utime(path, (moment, moment))
    return root


@pytest.fixture(scope="module")
def apps(tmp_path_factory):
    """The good sites, and what is said of each without a defect."""
    made = {form: create(str(make(tmp_path_factory.mktemp(form) / "root", form)), environment={}) for form in FORMS}
    for app in made.values():
        app.hosts.open()
    yield made
    for app in made.values():
        app.hosts.close()


async def judged(app, case):
    seeded = Seeded(case)
    async with served(app, seeded) as address:
        host = f"{case.get('host', '127.0.0.1')}:{address.partition(':')[2]}"
        seeded.host = host
        result = await checked(host, time.time(), **case.get("with", {}))
    assert not seeded.unused, "an edited answer was never asked for"
    assert not result.crashes
    return result


def codes(result, *severities):
    return {finding.code for _, finding in result.findings() if not severities or finding.severity.value in severities}


@pytest.fixture(scope="module")
def usual(apps):
    """The codes that a site without a defect gets: nothing above info."""
    found = {}
    for form, app in apps.items():
        result = asyncio.run(judged(app, {"edits": [], "with": {"deep": True, "probe": None}}))
        assert (result.status.value, result.score) == ("pass", 1.0)
        assert not codes(result, "warn", "error")
        found[form] = codes(result)
    return found


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_seeded_defect_is_found_by_its_rule_alone(case, apps, usual):
    form = case.get("site", "small")
    result = asyncio.run(judged(apps[form], case))
    finds = set(case["finds"])
    beside = set(case.get("beside", ()))
    new = codes(result) - usual[form] - {"SMF119"}  # how slow this machine is today is no defect of the site
    assert finds <= new
    assert codes(result, "error") <= finds
    assert new <= finds | beside
    if "status" in case:
        assert (result.status.value, result.score) == (case["status"], pytest.approx(case["score"]))


def test_there_are_many_and_no_two_are_alike():
    assert len(CASES) >= 60
    assert len({case["name"] for case in CASES}) == len(CASES)
