"""Reading is bounded when a clock is lent: a document that takes too long is judged by what was read of it."""

import gzip

from waypost.check.assess import read_document
from waypost.check.body import Body, BodyWriter
from waypost.check.capture import answered
from waypost.check.options import Options
from waypost.check.patience import Patience
from waypost.check.scan import Scan

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
LARGE = f"<urlset {NS}>".encode() + b"".join(
    b"<url><loc>https://example.com/%07d</loc></url>" % n for n in range(60_000)
)


class Clock:
    """Goes on by a step whenever it is read."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


def spooled(data):
    with BodyWriter(memory_bytes_max=0) as writer:
        writer.write(data)
        return writer.finish()


def test_without_a_clock_there_is_no_bound():
    patience = Patience(None, until=-1.0)
    with patience:
        assert not patience.is_out


def test_only_the_time_inside_counts():
    clock = Clock(0.0)
    patience = Patience(clock, reading_s=10)
    for _ in range(3):
        with patience:
            clock.now += 3
            assert not patience.is_out
        clock.now += 100
    with patience:
        clock.now += 3
        assert patience.is_out


def test_the_end_of_the_sites_time_ends_reading():
    clock = Clock(0.0)
    with Patience(clock, until=5) as patience:
        assert not patience.is_out
        clock.now = 6
        assert patience.is_out


def entries(body, step):
    with Patience(Clock(step), reading_s=1.0) as patience:
        return len(read_document(answered("https://example.com/sitemap.xml", body), patience).entries)


def test_a_large_body_is_read_as_far_as_patience_goes():
    packed = gzip.compress(LARGE)
    for body in (spooled(LARGE), Body(packed), spooled(packed)):
        assert entries(body, 0.0) == 60_000
        assert 0 < entries(body, 0.6) < 60_000


def test_a_small_body_is_still_looked_at_when_patience_is_out():
    small = f"<urlset {NS}><url><loc>https://example.com/</loc></url></urlset>".encode()
    assert entries(Body(small), 5.0) == 1


def scan_with(clock):
    scan = Scan("https://example.com", Options(now=0.0, clock=clock))
    while wanted := scan.wants():
        for request in wanted:
            is_sitemap = request.url.endswith("/sitemap.xml")
            scan.receive(answered(request, spooled(LARGE) if is_sitemap else b"", status=200 if is_sitemap else 404))
    return scan.result()


def test_a_scan_says_that_it_stopped_reading():
    notice = "https://example.com/sitemap.xml: reading took too long and was stopped; what was read is judged"
    assert notice in scan_with(Clock(15.0)).notices
    assert notice not in scan_with(None).notices
