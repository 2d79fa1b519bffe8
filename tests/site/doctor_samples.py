"""Roots and servers as the samples of the doctor's pages write them.

=== content/index.md                          a file of the root, or of the directory of sites
=== GET https://example.com/sitemap.xml       what a server answers there; everywhere else it answers as waypost
"""

import asyncio
import os
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from waypost.check.capture import Capture, Request, answered
from waypost.check.options import Options
from waypost.check.result import Result
from waypost.site.doctor.door import Knock, Server
from waypost.site.doctor.evidence import Answer
from waypost.site.doctor.examine import Patient, examine
from waypost.site.tenants import Tenants
from waypost.web.app import create
from waypost.web.inside import Inside

MOMENT = 1_768_903_200  # 2026-01-20T10:00:00Z, the time of every file of a sample
_PART = re.compile(r"^=== (?:(GET) )?(.+)$", re.MULTILINE)


@dataclass
class Sample:
    """A folder, and the answers of a server that are not waypost's."""

    folder: Path
    answers: dict[str, Answer] = field(default_factory=dict)


def written(text: str, folder: Path) -> Sample:
    """The sample's files on disk, all of one time, and its answers."""
    sample = Sample(folder)
    _, *parts = _PART.split(text)
    for verb, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        body = body.removeprefix("\n")
        body = body if body.endswith("\n") else f"{body}\n"
        if verb:
            media = "application/xml; charset=utf-8" if name.endswith(".xml") else "text/plain; charset=utf-8"
            sample.answers[name] = Answer(name, 200, body.encode(), media)
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body)
        os.utime(path, (MOMENT, MOMENT))
    return sample


class Pretender:
    """A server: waypost's own answers, but for those of the sample."""

    def __init__(self, door: Inside, answers: dict[str, Answer]) -> None:
        self.door, self.answers = door, answers

    async def fetch(self, request: Request) -> Capture:
        origin, path = re.fullmatch(r"(https?://[^/]+)(.*)", request.url).groups()
        own = self.answers.get(request.url)
        answer = own or await self.door.answer(Knock(origin, path, request.headers, peer="203.0.113.9"))
        headers = {"content-type": answer.media} | ({"location": answer.location} if answer.location else {})
        return answered(request, answer.body, status=answer.status, headers=headers)


def examined(sample: Sample, url: str = "", fetcher=None, **choices) -> Result:
    """The examination of a sample: as a directory of sites where it has a sites.toml."""
    has_sites = (sample.folder / "sites.toml").is_file()
    folder = str(sample.folder)
    served = create(None if has_sites else folder, sites=folder if has_sites else None, environment={})
    rows = None
    if has_sites:
        tenants = Tenants(folder)
        rows = tenants.rows()
        tenants.close()
    door = Inside(served)
    if sample.answers and not url:
        url = "https://example.com"
    server = Server(fetcher or Pretender(door, sample.answers)) if url else None
    try:
        patient = Patient(folder, door, rows, server, url)
        return asyncio.run(examine(patient, Options(now=time.time(), **choices)))
    finally:
        served.hosts.close()


def codes(result: Result) -> set[str]:
    """The codes of a result's findings."""
    return {finding.code for _, finding in result.findings()}


def finding(result: Result, code: str):
    """The one finding of a code."""
    found = [finding for _, finding in result.findings() if finding.code == code]
    assert len(found) == 1, codes(result)
    return found[0]
