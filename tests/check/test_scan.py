"""The conversation and the verdict: what is asked, in which order, within which budget, and which candidate counts."""

import asyncio

import pytest
from tests.check.samples import NOW, ORIGIN, SampleFetcher, codes, scanned

from waypost.check import judge
from waypost.check.baseline import Baseline
from waypost.check.capture import ErrorKind, Purpose, answered, unanswered
from waypost.check.contract import Outcome
from waypost.check.drive import drive
from waypost.check.options import Options
from waypost.check.policing import Ignore, Policing
from waypost.check.rule import Rule, Severity, Step, rule
from waypost.check.scan import Scan
from waypost.check.single import Paper, check_sitemap_file
from waypost.errors import ConfigError

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*locs, extra=""):
    return f"<urlset {NS}>" + "".join(f"<url><loc>{loc}</loc>{extra}</url>" for loc in locs) + "</urlset>"


GOOD, BROKEN = urlset(f"{ORIGIN}/a"), "<urlset"
FOREIGN = urlset("https://other.edu/a")


def xml(path, text):
    return (f"{ORIGIN}{path}", "200 application/xml", ["ETag: 1"], text)


def robots(text):
    return (f"{ORIGIN}/robots.txt", "200 text/plain", [], text)


def statuses(result):
    return [step.status.value for step in result.check("sitemap").steps]


def best_url(result):
    return result.check("sitemap").steps[2].evidence["best"].get("url")


def test_a_scan_asks_robots_txt_first_and_the_conventional_paths_next():
    scan = Scan(ORIGIN, Options(now=NOW))
    (first,) = scan.wants()
    assert (first.url, first.purpose) == (f"{ORIGIN}/robots.txt", Purpose.ROBOTS)
    scan.receive(answered(first, b"Sitemap: /m.xml\n"))
    assert [request.url.removeprefix(ORIGIN) for request in scan.wants()] == [
        "/sitemap.xml", "/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml", "/m.xml",
    ]  # fmt: skip


def test_an_answer_nobody_asked_for_is_ignored():
    scan = Scan(ORIGIN, Options(now=NOW))
    before = scan.wants()
    scan.receive(answered(f"{ORIGIN}/other", b""))
    assert scan.wants() == before


def test_a_scan_that_is_ended_early_still_has_a_result():
    scan = Scan(ORIGIN, Options(now=NOW))
    assert scan.result().status is Outcome.PASS or scan.result().status is Outcome.FAIL
    assert scan.wants() == ()


def test_an_origin_that_is_none_is_refused():
    with pytest.raises(ConfigError):
        Scan("ftp://example.com", Options(now=NOW))


def test_spec_1_0_0_the_first_valid_candidate_in_robots_order_carries_the_verdict():
    rows = [
        robots("Sitemap: /broken.xml\nSitemap: /foreign.xml\nSitemap: /good.xml\n"),
        xml("/broken.xml", BROKEN),
        xml("/foreign.xml", FOREIGN),
        xml("/good.xml", GOOD),
    ]
    result = scanned(rows)
    assert best_url(result) == f"{ORIGIN}/foreign.xml"
    assert result.status is Outcome.WARN


def test_spec_1_0_0_a_valid_conventional_candidate_beats_an_invalid_declared_one():
    result = scanned([robots("Sitemap: /broken.xml\n"), xml("/broken.xml", BROKEN), xml("/sitemap_index.xml", GOOD)])
    assert best_url(result) == f"{ORIGIN}/sitemap_index.xml"
    assert result.status is Outcome.PASS
    assert "SMP201" in codes(result)


def test_spec_1_0_0_evidence_lists_every_candidate_with_its_outcome():
    result = scanned([robots("Sitemap: /gone.xml\n"), xml("/sitemap.xml", GOOD)])
    candidates = result.check("sitemap").steps[1].evidence["candidates"]
    assert [(row["url"].removeprefix(ORIGIN), row["outcome"]) for row in candidates] == [
        ("/gone.xml", "fail"), ("/sitemap.xml", "pass"), ("/sitemap.txt", "fail"),
        ("/sitemap_index.xml", "fail"), ("/sitemap-index.xml", "fail"),
    ]  # fmt: skip
    assert "SMD106" in codes(result)
    assert "SMF101" not in codes(result)


@pytest.mark.parametrize("number", [0, 1, 5, 200])
def test_a_site_is_asked_at_most_sixteen_times_and_the_conventional_paths_keep_their_seats(number):
    fetcher = SampleFetcher(
        [robots("".join(f"Sitemap: /dead/{n}.xml\n" for n in range(number))), xml("/sitemap.xml", GOOD)]
    )
    result = asyncio.run(drive(Scan(ORIGIN, Options(now=NOW)), fetcher))
    assert len(fetcher.asked) <= 16
    assert result.requests == len(fetcher.asked)
    for path in ("/robots.txt", "/sitemap.xml", "/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml"):
        assert fetcher.asked.count(ORIGIN + path) == 1
    assert result.status is Outcome.PASS


def test_redirects_count_and_five_of_them_are_followed():
    chain = [(f"{ORIGIN}/{n}", "302", [f"Location: /{n + 1}"], "") for n in range(1, 5)]
    rows = [(f"{ORIGIN}/sitemap.xml", "302", ["Location: /1"], ""), *chain, xml("/5", GOOD)]
    fetcher = SampleFetcher(rows)
    result = asyncio.run(drive(Scan(ORIGIN, Options(now=NOW)), fetcher))
    assert statuses(result) == ["pass"] * 5
    assert len(fetcher.asked) <= 16


def test_a_redirect_to_letters_in_utf8_is_followed_alike_in_both_halves_of_an_exchange():
    raw = "/café.xml".encode().decode("latin-1")
    maps = [(f"{ORIGIN}/{name}.xml", "302", [f"Location: {raw}"], "") for name in "mno"]
    fetcher = SampleFetcher([robots("Sitemap: /m.xml\nSitemap: /n.xml\nSitemap: /o.xml\n"), *maps])
    asyncio.run(drive(Scan(ORIGIN, Options(now=NOW)), fetcher))
    assert {url for url in fetcher.asked if "caf" in url} == {f"{ORIGIN}/caf%C3%A9.xml"}


def test_six_redirects_are_too_many():
    chain = [(f"{ORIGIN}/{n}", "302", [f"Location: /{n + 1}"], "") for n in range(1, 6)]
    result = scanned([(f"{ORIGIN}/sitemap.xml", "302", ["Location: /1"], ""), *chain, xml("/6", GOOD)])
    assert statuses(result) == ["pass", "fail", "skip", "skip", "skip"]


def test_redirects_in_a_circle_end():
    rows = [
        (f"{ORIGIN}/sitemap.xml", "302", ["Location: /b"], ""),
        (f"{ORIGIN}/b", "302", ["Location: /sitemap.xml"], ""),
    ]
    fetcher = SampleFetcher(rows)
    result = asyncio.run(drive(Scan(ORIGIN, Options(now=NOW)), fetcher))
    assert statuses(result)[1] == "fail"
    assert len(fetcher.asked) <= 16


def test_a_site_whose_every_path_redirects_twice_stays_in_the_budget():
    class Loopy(SampleFetcher):
        async def fetch(self, request):
            self.rows.setdefault(request.url, ("302", [f"Location: {request.url}x"], ""))
            self.rows.setdefault(f"{request.url}x", ("302", [f"Location: {request.url}xx"], ""))
            return await super().fetch(request)

    fetcher = Loopy([])
    asyncio.run(drive(Scan(ORIGIN, Options(now=NOW)), fetcher))
    assert len(fetcher.asked) <= 16


def test_declared_sitemaps_that_are_not_asked_are_counted_and_have_no_outcome():
    lines = "".join(f"Sitemap: {ORIGIN}/dead-{number}.xml\n" for number in range(30))
    result = scanned([robots(lines), xml("/sitemap.xml", urlset(f"{ORIGIN}/a"))])
    fetch = next(step for step in result.check("sitemap").steps if step.id == "fetch")
    outcomes = [one["outcome"] for one in fetch.evidence["candidates"]]
    skipped = outcomes.count("skip")
    assert result.notices == (f"{skipped} of 30 declared sitemaps were not asked for: a check asks at most 16 times",)
    assert (skipped, outcomes.count("fail"), outcomes.count("pass")) == (21, 12, 1)


@pytest.mark.parametrize(
    ("text", "codes_shown"),
    [
        (
            urlset(f"{ORIGIN}/a", extra="<lastmod>x</lastmod><priority>x</priority><author/>"),
            {"SMQ301": 1, "SMQ312": 1},
        ),
        (urlset("/a", extra="<lastmod>x</lastmod>"), {}),  # parse fails, and nothing is left for the step
    ],
)
def test_field_quality_shows_the_findings_that_move_it(text, codes_shown):
    result = scanned([xml("/sitemap.xml", text)])
    step = next(step for step in result.check("sitemap").steps if step.id == "field-quality")
    assert step.evidence["findings"] == codes_shown


def test_one_dead_server_is_asked_once():
    class Dead:
        asked = 0

        async def fetch(self, request):
            self.asked += 1
            return unanswered(request, ErrorKind.DNS_NO_NAME)

    fetcher = Dead()
    result = asyncio.run(drive(Scan(ORIGIN, Options(now=NOW)), fetcher))
    assert fetcher.asked == 1
    assert not result.is_reached
    assert statuses(result) == ["pass", "fail", "skip", "skip", "skip"]
    assert {"SMF102", "RBT101"} <= codes(result)
    assert [f.count for _, f in result.findings() if f.code == "SMF102"] == [4]


def test_isolation_a_broken_robots_txt_fails_no_sitemap():
    for text in ("\0\1\2", "<!doctype html><html></html>", "User-agent: *\nDisallow: /\n"):
        result = scanned([robots(text), xml("/sitemap.xml", GOOD)])
        assert result.score == 1.0
        assert result.status is Outcome.PASS


def test_spec_3_a_perfect_score_is_reachable_with_advisory_findings_open():
    result = scanned([xml("/sitemap.xml", urlset(f"{ORIGIN}/a", extra="<lastmod>2999-01-01</lastmod>"))])
    assert "SMQ302" in codes(result)
    assert result.score == 1.0


def test_scored_findings_are_those_that_moved_a_step():
    rows = [xml("/sitemap.xml", urlset(f"{ORIGIN}/a", extra="<lastmod>soon</lastmod><author>x</author>"))]
    found = {finding.code: finding for _, finding in scanned(rows).findings()}
    assert found["SMQ301"].scored
    assert not found["SMP223"].scored
    assert (found["SMQ301"].where.line, found["SMQ301"].where.entry) == (1, 1)


def test_a_crashed_rule_is_never_a_silent_pass(monkeypatch):
    @rule("XXX001", Step.DISCOVER, Severity.INFO)
    def throws(evidence: judge.Any) -> str | None:
        """Throw."""
        raise RuntimeError(f"no {evidence}")

    broken = Rule("XXX001", Step.DISCOVER, Severity.INFO, throws.fix, throws.judge)
    object.__setattr__(broken, "takes", (object,))
    bench = judge.Bench([broken])
    assert bench.hear({object: 1}, [Step.DISCOVER], "u") == []
    (crash,) = bench.crashes
    assert (crash.code, crash.error) == ("XXX001", "RuntimeError: no 1")
    assert crash.where.startswith("test_scan.py:")


def test_fingerprints_stay_when_the_count_grows():
    def mark(number):
        rows = [xml("/sitemap.xml", urlset(*[f"{ORIGIN}/{n}" for n in range(number)], extra="<priority>x</priority>"))]
        (found,) = [finding for _, finding in scanned(rows).findings() if finding.code == "SMQ312"]
        return found.fingerprint, found.count

    (one, first), (other, second) = mark(3), mark(9)
    assert one == other
    assert (first, second) == (3, 9)


def test_fingerprints_stay_when_the_first_page_or_child_is_mended():
    def mark(code, rows, **choices):
        return [finding.fingerprint for _, finding in scanned(rows, **choices).findings() if finding.code == code]

    page = (f"{ORIGIN}/0", "200 text/html", [], "<html></html>")
    sitemap = xml("/sitemap.xml", urlset(*[f"{ORIGIN}/{n}" for n in range(4)]))
    assert mark("SMU701", [sitemap], probe=None) == mark("SMU701", [sitemap, page], probe=None)
    children = "".join(f"<sitemap><loc>{ORIGIN}/{n}.xml</loc></sitemap>" for n in range(2))
    index = xml("/sitemap.xml", f"<sitemapindex {NS}>{children}</sitemapindex>")
    first, other = (xml(f"/{n}.xml", urlset(f"{ORIGIN}/a", extra="<lastmod>soon</lastmod>")) for n in range(2))
    mended = xml("/0.xml", urlset(f"{ORIGIN}/a"))
    assert mark("SMQ301", [index, first, other], deep=True) == mark("SMQ301", [index, mended, other], deep=True)
    assert mark("SMQ316", [index, first, other], deep=True) == mark("SMQ316", [index, mended, other], deep=True)


def test_only_what_the_baseline_does_not_know_is_new():
    rows = [xml("/sitemap.xml", urlset(f"{ORIGIN}/a", extra="<priority>x</priority>"))]
    before = scanned(rows)
    marks = frozenset(finding.fingerprint for _, finding in before.findings())
    after = scanned([xml("/sitemap.xml", urlset(f"{ORIGIN}/a", extra="<priority>x</priority><lastmod>x</lastmod>"))],
                    baseline=Baseline(fingerprints=marks))  # fmt: skip
    assert {finding.code for _, finding in after.findings() if finding.is_new} == {"SMQ301"}


def test_an_advisory_form_of_a_rule_is_not_said_to_move_the_score():
    text = f"<!DOCTYPE urlset><urlset {NS}></urlset>"
    result = scanned([xml("/sitemap.xml", text)])
    alone = check_sitemap_file(Paper(text.encode(), "sitemap.xml"), Options(now=NOW))
    for one in (result, alone):
        scored = {finding.code: finding.scored for _, finding in one.findings()}
        assert (scored["SMP210"], scored["SMP211"]) == (False, True)


def test_a_sitemap_the_budget_did_not_reach_has_not_vanished():
    urls = [f"{ORIGIN}/{n}.xml" for n in range(20)]
    rows = [robots("".join(f"Sitemap: {url}\n" for url in urls)), *(xml(f"/{n}.xml", GOOD) for n in range(20))]
    assert "TRD002" not in codes(scanned(rows, baseline=Baseline(sitemaps=tuple(urls))))
    vanished = scanned(rows[:-19], baseline=Baseline(sitemaps=tuple(urls)))
    assert "TRD002" in codes(vanished)


def test_a_project_may_change_severities_and_ignore_rules_until_a_day():
    rows = [xml("/sitemap.xml", urlset(f"{ORIGIN}/a", extra="<priority>x</priority><lastmod>x</lastmod>"))]
    policing = Policing({"SMQ301": Severity.ERROR}, (Ignore("SMQ312", NOW + 1), Ignore("SMF120", NOW - 1)))
    result = scanned(rows, policing=policing)
    found = {finding.code: finding.severity for _, finding in result.findings()}
    assert found["SMQ301"] is Severity.ERROR
    assert "SMQ312" not in found
    assert result.score == 0.95


def test_all_findings_keeps_every_place():
    rows = [xml("/sitemap.xml", urlset(*[f"{ORIGIN}/{n}" for n in range(40)], extra="<priority>x</priority>"))]
    few, all_ = scanned(rows), scanned(rows, all_findings=True)
    assert [len(f.places) for _, f in few.findings() if f.code == "SMQ312"] == [5]
    assert [len(f.places) for _, f in all_.findings() if f.code == "SMQ312"] == [40]


def test_all_findings_keeps_every_place_of_several_documents():
    missing = [f"{ORIGIN}/{n}" for n in range(8)]
    assert [
        len(f.places) for f in scanned([xml("/sitemap.xml", urlset(*missing))], probe=8).check("pages").findings
    ] == [5]
    all_ = scanned([xml("/sitemap.xml", urlset(*missing))], probe=8, all_findings=True)
    assert [len(f.places) for f in all_.check("pages").findings] == [8]
    children = "".join(f"<sitemap><loc>{ORIGIN}/{n}.xml</loc></sitemap>" for n in range(2))
    undated = [xml(f"/{n}.xml", urlset(*missing, extra="<lastmod>soon</lastmod>")) for n in range(2)]
    rows = [xml("/sitemap.xml", f"<sitemapindex {NS}>{children}</sitemapindex>"), *undated]
    (found,) = [f for _, f in scanned(rows, deep=True, all_findings=True).findings() if f.code == "SMQ301"]
    assert len(found.places) == 16


def test_deep_reads_a_seeded_sample_of_ten_children_and_says_so():
    children = [f"{ORIGIN}/{n}.xml" for n in range(30)]
    index = (
        f"<sitemapindex {NS}>" + "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in children) + "</sitemapindex>"
    )
    rows = [xml("/sitemap.xml", index), *(xml(f"/{n}.xml", urlset(f"{ORIGIN}/p{n}")) for n in range(30))]

    def asked(seed):
        fetcher = SampleFetcher(rows)
        result = asyncio.run(drive(Scan(ORIGIN, Options(now=NOW, deep=True, seed=seed)), fetcher))
        evidence = result.check("sitemap-deep").steps[0].evidence
        assert (evidence["children"], evidence["read"], evidence["seed"]) == (30, 10, seed)
        return [url for url in fetcher.asked if url in children]

    assert len(asked(1)) == 10
    assert asked(1) == asked(1)
    assert asked(1) != asked(2)


def test_one_fault_of_all_children_is_one_finding():
    children = "".join(f"<sitemap><loc>{ORIGIN}/{n}.xml</loc></sitemap>" for n in range(8))
    dated = [xml(f"/{n}.xml", urlset(f"{ORIGIN}/p{n}", extra="<lastmod>soon</lastmod>")) for n in range(8)]
    result = scanned([xml("/sitemap.xml", f"<sitemapindex {NS}>{children}</sitemapindex>"), *dated], deep=True)
    (found,) = [finding for finding in result.check("sitemap-deep").findings if finding.code == "SMQ301"]
    assert found.count == 8
    assert [place.url for place in found.places] == [f"{ORIGIN}/{n}.xml" for n in range(5)]


def test_probe_finds_the_pages_of_an_index_in_its_children():
    index = f"<sitemapindex {NS}><sitemap><loc>{ORIGIN}/1.xml</loc></sitemap></sitemapindex>"
    rows = [xml("/sitemap.xml", index), xml("/1.xml", urlset(f"{ORIGIN}/a", f"{ORIGIN}/b"))]
    result = scanned(rows, probe=5)
    assert result.check("pages").steps[0].evidence["asked"] == 2
    assert "SMU701" in codes(result)


def test_probe_keeps_to_robots_txt_and_says_how_many_pages_it_asked_for():
    rows = [
        robots(f"User-agent: waypost\nDisallow: /no\nSitemap: {ORIGIN}/sitemap.xml\n"),
        xml("/sitemap.xml", urlset(f"{ORIGIN}/a", f"{ORIGIN}/no", "https://other.edu/b")),
        (f"{ORIGIN}/a", "200 text/html", [], "<html></html>"),
    ]
    fetcher = SampleFetcher(rows)
    result = asyncio.run(drive(Scan(ORIGIN, Options(now=NOW, probe=None)), fetcher))
    evidence = result.check("pages").steps[0].evidence
    assert (evidence["listed"], evidence["sample"], evidence["asked"]) == (2, 2, 1)
    assert f"{ORIGIN}/no" not in fetcher.asked
    assert "https://other.edu/b" not in fetcher.asked


def test_idn_two_spellings_of_one_foreign_host_are_one():
    rows = [xml("/sitemap.xml", urlset("http://bücher.edu/a", "http://xn--bcher-kva.edu/b"))]
    assert scanned(rows).check("sitemap").steps[4].evidence["foreign_hosts"] == {"xn--bcher-kva.edu": 2}


def test_a_host_whose_name_ends_like_a_reserved_one_is_asked_too():
    foreign = "https://goodexample.com"
    rows = [
        xml("/sitemap.xml", urlset(f"{foreign}/a", "http://sub.example.com:8080/b")),
        (f"{foreign}/robots.txt", "200 text/plain", [], f"Sitemap: {ORIGIN}/sitemap.xml"),
    ]
    fetcher = SampleFetcher(rows)
    asyncio.run(drive(Scan(ORIGIN, Options(now=NOW)), fetcher))
    assert f"{foreign}/robots.txt" in fetcher.asked
    assert not any("sub.example.com" in url for url in fetcher.asked)


def test_a_sitemap_that_another_host_authorises_warns_in_the_score_and_informs_in_the_findings():
    rows = [
        xml("/sitemap.xml", FOREIGN),
        ("https://other.edu/robots.txt", "200 text/plain", [], f"Sitemap: {ORIGIN}/sitemap.xml"),
    ]
    found = {finding.code: finding.severity for _, finding in scanned(rows).findings()}
    assert found["SMS506"] is Severity.INFO
    assert found["SMS501"] is Severity.INFO
    assert scanned(rows).status is Outcome.WARN
