"""read_robots: what it takes, how much it reads, and what else a file says to a crawler."""

import pickle

import pytest

from waypost import read_robots
from waypost.formats.robots import SitemapUrl
from waypost.formats.robots_extras import CleanParam, RequestRate, read_usage

UA = "User-agent: *\n"


@pytest.mark.parametrize(
    ("limit", "closed"),
    [
        (None, ["/b", "/c"]),
        (40, ["/b", "/c"]),
        (39, ["/b", "/c"]),
        (38, ["/b"]),
        (27, ["/b"]),
        (26, ["/b"]),
        (25, []),
        (13, []),
        (0, []),
    ],
)
def test_a_line_the_limit_cuts_through_is_not_read(limit: int | None, closed: list[str]) -> None:
    robots = read_robots(UA + "Disallow: /b\nDisallow: /c\n", limit=limit)
    assert robots.bytes == 40
    assert robots.truncated is (limit is not None and limit < 40)
    assert [path for path in ("/a", "/b", "/c") if not robots.allowed("x", path)] == closed


def test_512_000_bytes_are_read_by_default() -> None:
    filler = "# " + "z" * 61 + "\n"
    text = UA + filler * 8_100 + "Disallow: /late\n"
    assert read_robots(text).truncated
    assert read_robots(text).allowed("x", "/late")
    assert not read_robots(text, limit=None).allowed("x", "/late")
    assert pickle.loads(pickle.dumps(read_robots(text))).truncated


def test_bytes_text_and_other_buffers_are_taken() -> None:
    text = UA + "Disallow: /é"
    for data in (text, text.encode(), bytearray(text.encode()), memoryview(text.encode())):
        assert not read_robots(data).allowed("x", "https://h/%C3%A9")


def test_an_unknown_profile_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="bing"):
        read_robots("", profile="bing")


def test_its_name_says_what_it_is() -> None:
    assert repr(read_robots(UA, url="https://h/robots.txt")) == "<Robots https://h/robots.txt 14 bytes, 1 groups>"


def test_sitemaps_raw_and_resolved() -> None:
    robots = read_robots(
        "Sitemap: https://h/a.xml\nSITEMAP: b.xml\nSitemap:\nSitemap: ftp://h/c\nSitemap: https://h/a.xml\nSitemap https://h/d.xml",
        url="https://g.test/robots.txt",
    )
    assert robots.sitemaps == ["https://h/a.xml", "b.xml", "", "ftp://h/c", "https://h/a.xml", "//h/d.xml"]
    assert robots.sitemap_urls() == [
        SitemapUrl("https://h/a.xml", 1, "https://h/a.xml"),
        SitemapUrl("https://g.test/b.xml", 2, "b.xml"),
        SitemapUrl("https://h/a.xml", 5, "https://h/a.xml"),
        SitemapUrl("https://h/d.xml", 6, "//h/d.xml"),
    ]
    assert robots.sitemap_urls("http://o.test/")[1].url == "http://o.test/b.xml"


def test_sitemaps_without_a_base_must_be_absolute() -> None:
    assert [found.url for found in read_robots("Sitemap: /a\nSitemap: http://h/b").sitemap_urls()] == ["http://h/b"]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("10", 10.0),
        ("2.5", 2.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("0", 0.0),
        ("", None),
        ("soon", None),
        ("-1", None),
        ("1s", None),
        ("inf", None),
        ("nan", None),
        ("1e3", None),
        ("٣", None),
        ("9" * 400, None),
    ],
)
def test_crawl_delay_values(value: str, seconds: float | None) -> None:
    assert read_robots(UA + f"Crawl-delay: {value}").crawl_delay("x") == seconds


def test_a_delay_between_agents_is_said_to_those_above_it() -> None:
    robots = read_robots(
        "User-agent: a\nCrawl-delay: 10\nUser-agent: b\nDisallow: /\n\nUser-agent: *\nDisallow: /\nUser-agent: *\nCrawl-delay: 30\nCrawl-delay: 20\nCrawl-delay: x"
    )
    assert [robots.crawl_delay(agent) for agent in ("a", "b", "other", "A")] == [10.0, None, 30.0, 10.0]
    assert not robots.allowed("a", "/")
    assert read_robots("Crawl-delay: 5").crawl_delay("a") is None


@pytest.mark.parametrize(
    ("value", "rate"),
    [
        ("1/5", RequestRate(1, 5)),
        ("10/1m", RequestRate(10, 60)),
        ("2/3h 0900-1700", RequestRate(2, 10_800, ("0900", "1700"))),
        ("1/0", None),
        ("5", None),
        ("1/5d", None),
    ],
)
def test_request_rates(value: str, rate: RequestRate | None) -> None:
    assert read_robots(UA + f"Request-rate: {value}").request_rate("x") == rate


def test_the_first_valid_request_rate_counts() -> None:
    assert read_robots(UA + "Disallow:\nRequest-rate: x\nRequest-rate: 1/2\nRequest-rate: 1/3").request_rate(
        "x"
    ) == RequestRate(1, 2)


def test_content_signals_of_the_own_group_only() -> None:
    robots = read_robots(
        "Content-Signal: search=no\nUser-agent: a\nContent-Signal: Search=Yes , ai-train = NO,ai-input=maybe,,x\nAllow: /\n\nUser-agent: *\nContent-Signal: ai-input=yes\nAllow: /"
    )
    assert robots.content_signals("a") == {"search": "yes", "ai-train": "no"}
    assert robots.content_signals("z") == {"ai-input": "yes"}
    assert read_robots("").content_signals("z") == {}


def test_of_contradicting_signals_the_no_counts() -> None:
    text = (
        UA
        + "Content-Signal: search=yes, search=no\nContent-Signal: search=yes, ai-train=no\nContent-Signal: ai-train=yes"
    )
    assert read_robots(text).content_signals("z") == {"search": "no", "ai-train": "no"}


def test_aipref_example_of_the_draft() -> None:
    robots = read_robots(
        "User-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: / train-ai=n\nContent-Usage: /ai-ok/ train-ai=y\n\nUser-Agent: ExampleBot\nAllow: /\nContent-Usage: / train-ai=y\n"
    )
    assert robots.content_usage("z", "/test") == {"train-ai": "n"}
    assert robots.content_usage("z", "https://h/never/test") == {}
    assert robots.content_usage("z", "/ai-ok/test") == {"train-ai": "y"}
    assert robots.content_usage("ExampleBot", "/test") == {"train-ai": "y"}


def test_aipref_equal_paths_add_up_and_no_counts() -> None:
    robots = read_robots(
        UA
        + "Content-Usage: /a\ttrain-ai=y, search=y;x=1\nContent-Usage: /a train-ai=n, bad\nContent-Usage: train-ai=y\nContent-Usage: /b search=n\nDisallow: /q"
    )
    assert robots.content_usage("z", "/a/1") == {"train-ai": "n", "search": "y"}
    assert robots.content_usage("z", "/c") == {"train-ai": "y"}
    assert read_usage("*x train-ai=n") == ("*x", {"train-ai": "n"})


def test_yandex_fields() -> None:
    robots = read_robots(
        UA
        + "Disallow:\nHost:\nHost: www.h.test\nHost: other\nClean-param: a&b /p\nClean-param: c\nClean-param: a b c\nClean-param:"
    )
    assert robots.host == "www.h.test"
    assert robots.clean_params == (CleanParam(("a", "b"), "/p", 6), CleanParam(("c",), "/", 7))
    assert read_robots("").host is None


def test_only_so_many_crawlers_are_remembered() -> None:
    robots = read_robots(UA + "Disallow: /x")
    assert not any(robots.allowed(f"bot{number}", "/x") for number in range(1_000))
    assert len(robots._asked) <= 256


def test_many_rules_are_looked_through_and_then_compiled_with_the_same_answers() -> None:
    robots = read_robots(UA + "".join(f"Disallow: /a{number}/*.x$\n" for number in range(80)) + "Allow: /a7/")
    assert [robots.allowed("x", f"/a{number}/b.x") for number in (1, 7, 79, 80, 1, 7, 79, 80)] == [
        False,
        False,
        False,
        True,
    ] * 2
