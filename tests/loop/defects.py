"""Seeded defects: small edits of a good site's answers, as data (tests/cases/defects.json).

A defect names what it edits and how, and the rules that must find it:

    swap    [[old, new], …]    each `old` stands in the answer, and is replaced once
    body    text               another body
    encode  codec              the body in another encoding
    status, headers            another status; headers set, or taken out with null
    gzip    n                  compressed n times
    append  hex                bytes behind it
    repeat  [text, n, before]  n times the text, its {n} counted, before a place
    cut     n                  n bytes fewer than announced
    hang_up                    no answer at all

`{O}`, `{H}`, `{N}` and `{P}` stand for the origin, its host with port, the host alone, and the port. The other places
where a sitemap is looked for answer 404 unless the defect has them `shown`: else the next best one would be judged.
"""

import gzip
import json
from pathlib import Path

from tests.loop.loopback import Answer

CASES = json.loads((Path(__file__).parent.parent / "cases" / "defects.json").read_text("utf-8"))


OTHERS = ("/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml")


class Seeded:
    """The edits of one defect, for the loopback server; `host` is known once it listens."""

    def __init__(self, case):
        self.edits = case["edits"]
        self.host = ""
        self.unused = set(range(len(self.edits)))
        self.hidden = set(OTHERS) - set(case.get("shown", ()))

    def __call__(self, answer: Answer) -> None:
        if answer.path in self.hidden:
            answer.status, answer.headers, answer.body = 404, {"content-type": "text/plain"}, b"not found"
        for number, edit in enumerate(self.edits):
            if answer.path in edit["at"]:
                before = (answer.status, dict(answer.headers), answer.body)
                self.apply(edit, answer)
                is_changed = (
                    before != (answer.status, answer.headers, answer.body) or "cut" in edit or "hang_up" in edit
                )
                assert is_changed, f"the edit of {answer.path} changes nothing"
                self.unused.discard(number)

    def apply(self, edit, answer):
        answer.status = edit.get("status", answer.status)
        if "body" in edit:
            answer.body = self.named(edit["body"]).encode()
        for old, new in edit.get("swap", ()):
            old, new = self.named(old).encode(), self.named(new).encode()
            assert old in answer.body, f"{old!r} does not stand in {answer.path}: {answer.body[:3000]!r}"
            answer.body = answer.body.replace(old, new, 1)
        if "repeat" in edit:
            text, times, place = edit["repeat"]
            added = "".join(self.named(text).replace("{n}", str(n)) for n in range(1, times + 1)).encode()
            assert place.encode() in answer.body
            answer.body = answer.body.replace(place.encode(), added + place.encode(), 1)
        if "encode" in edit:
            answer.body = answer.body.decode().encode(edit["encode"])
        for _ in range(edit.get("gzip", 0)):
            answer.body = gzip.compress(answer.body, mtime=0)
        answer.body += bytes.fromhex(edit.get("append", ""))
        for name, value in edit.get("headers", {}).items():
            answer.headers.pop(name, None)
            if value is not None:
                answer.headers[name] = self.named(value)
        if "cut" in edit:
            answer.length = len(answer.body)
            answer.body = answer.body[: -edit["cut"]]
        answer.hangs_up = edit.get("hang_up", False)

    def named(self, text):
        name, _, port = self.host.partition(":")
        return (
            text.replace("{O}", f"http://{self.host}")
            .replace("{H}", self.host)
            .replace("{N}", name)
            .replace("{P}", port)
        )
