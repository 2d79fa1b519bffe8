"""Verdicts: the evidence, the near miss, and what to know about the crawler."""

import pytest

from waypost.formats import robots_near
from waypost.formats.robots import read_robots
from waypost.formats.robots_agents import candidates, product_token
from waypost.formats.robots_verdict import Reason

TEXT = """User-agent: Scout/2
User-agent: ranger
Disallow: /a # closed
Allow: /a/b

User-agent: *
Disallow: /s
Disallow:
"""


def test_the_deciding_line_its_group_and_its_agents() -> None:
    verdict = read_robots(TEXT).explain("RANGER", "https://h/a/x")
    assert (verdict.allowed, verdict.reason, verdict.line, verdict.group_line) == (False, Reason.RULE, 3, 2)
    assert (verdict.rule, verdict.pattern, verdict.agents) == ("Disallow: /a # closed", "/a", ("Scout/2", "ranger"))


@pytest.mark.parametrize(
    ("text", "agent", "url", "reason", "line", "group_line"),
    [
        (TEXT, "scout", "/z", Reason.NO_MATCH, 0, 1),
        (TEXT, "other", "/s", Reason.RULE, 7, 6),
        (TEXT, "other", "/z", Reason.EMPTY, 8, 6),
        ("User-agent: a\nDisallow: /", "b", "/", Reason.NO_GROUP, 0, 0),
        ("", "b", "/", Reason.NO_GROUP, 0, 0),
        ("User-agent: b", "b", "/", Reason.NO_MATCH, 0, 1),
    ],
)
def test_reasons(text: str, agent: str, url: str, reason: Reason, line: int, group_line: int) -> None:
    verdict = read_robots(text).explain(agent, url)
    assert (verdict.reason, verdict.line, verdict.group_line) == (reason, line, group_line)
    assert verdict.allowed is (reason is not Reason.RULE)


def test_rfc9309_robots_txt_itself_may_always_be_fetched() -> None:
    robots = read_robots("User-agent: *\nDisallow: /", profile="rfc")
    assert robots.explain("x", "https://h/robots.txt").reason is Reason.ROBOTS_TXT
    assert robots.allowed_many("x", ["https://h/robots%2Etxt#a", "/robots.txt", "/robots.txt?x=1", "/a"]) == [
        True,
        True,
        False,
        False,
    ]
    assert robots.allowed("x", "/robots.txt")
    assert not read_robots("User-agent: *\nDisallow: /").allowed("x", "/robots.txt")


@pytest.mark.parametrize(
    ("rules", "url", "kind", "line"),
    [
        ("Disallow: /a\nAllow: /a/b", "/a/b", "outweighed", 2),
        ("Allow: /a\nDisallow: /a", "/a", "tie", 3),
        ("Disallow: /vault/", "/vault", "slash", 2),
        ("Disallow: https://h/vault", "/vault", "absolute-url", 2),
        ("Disallow: vault", "/vault", "no-slash", 2),
        ("Disallow: ./vault", "/vault", "no-slash", 2),
        ("Disallow: /Vault", "/vault", "case", 2),
        ("Disallow: /~u", "/%7eu", "escape", 2),
        ("Disallow: //x/%7Eu", "https://h//x/~u", "escape", 2),
        ("Disallow: /caf%C3%A9", "/caf%c3%a9", "escape", 2),
        ("Disallow: /a b", "/a%20b", "blank", 2),
        ("Disallow: /a.pdf$", "/a.pdf?x", "end", 2),
        ("Disallow: /\nAllow: /Vault", "/vault", "case", 3),
        ("Allow: /index.html\nDisallow: /*", "/", "tie", 3),
    ],
)
def test_near_misses(rules: str, url: str, kind: str, line: int) -> None:
    miss = read_robots("User-agent: *\n" + rules).explain("x", url).near_miss
    assert miss is not None
    assert (miss.kind, miss.line, miss.rule) == (kind, line, ("User-agent: *\n" + rules).splitlines()[line - 1])
    assert miss.text


@pytest.mark.parametrize(
    "rules",
    [
        "Disallow: /other",
        "Disallow: /\nAllow: /other",
        "Disallow: /a\nDisallow: /",
        "Allow: /long/pattern\nDisallow: /LONG",
    ],
)
def test_no_near_miss_where_nothing_is_near(rules: str) -> None:
    assert read_robots("User-agent: *\n" + rules).explain("x", "/long/pattern").near_miss is None


def test_a_rule_that_could_not_outweigh_is_no_near_miss() -> None:
    assert (
        read_robots("User-agent: *\nDisallow: /vault/deep\nAllow: /VAULT").explain("x", "/vault/deep").near_miss is None
    )


def test_the_group_for_everybody_is_not_followed_beside_an_own_one() -> None:
    robots = read_robots("User-agent: own\nDisallow: /z\nUser-agent: *\nDisallow: /s\nAllow: /t\nDisallow:")
    miss = robots.explain("own", "/s").near_miss
    assert miss is not None
    assert (miss.kind, miss.line) == ("star-group", 4)
    assert robots.explain("own", "/t").near_miss is None
    assert robots.explain("own", "/q").near_miss is None
    assert robots.explain("own", "/z").near_miss is None


def kinds(text: str, agent: str) -> list[str]:
    return [note.kind for note in read_robots(text).explain(agent, "/").notes]


def test_what_to_know_about_the_crawler() -> None:
    star = "User-agent: *\nDisallow: /"
    assert kinds(star, "Mediapartners-Google") == ["special-crawler"]
    assert kinds("User-agent: Mediapartners-Google\n" + star, "Mediapartners-Google") == []
    assert kinds(star, "scout/2.4") == ["agent-not-a-token"]
    assert kinds(star, "*") == []
    assert kinds("User-agent: Googlebot\nDisallow: /", "Googlebot-News") == ["falls-back"]
    assert kinds(star, "Googlebot-News") == []
    assert kinds("", "x") == []


def test_google_special_crawlers_ignore_the_group_for_everybody_when_asked_so() -> None:
    star = "User-agent: *\nDisallow: /"
    assert not read_robots(star).allowed("AdsBot-Google", "/")
    special = read_robots(star, google_special=True)
    assert special.allowed("AdsBot-Google", "/")
    assert special.explain("AdsBot-Google", "/").reason is Reason.NO_GROUP
    assert not special.allowed("Googlebot", "/")
    assert not read_robots("User-agent: adsbot-google\nDisallow: /", google_special=True).allowed("AdsBot-Google", "/")


def test_the_first_token_that_has_a_group_counts() -> None:
    robots = read_robots("User-agent: Googlebot\nDisallow: /g\nUser-agent: *\nDisallow: /s")
    assert robots.allowed(candidates("Googlebot-News"), "/s")
    assert not robots.allowed(["Googlebot-News", "Googlebot"], "/g")
    assert not robots.allowed("Googlebot-News", "/s")
    assert candidates("scout") == ("scout",)


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot"),
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot) Chrome/1 Safari/537.36",
            "GPTBot",
        ),
        ("Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/)", "Yahoo"),
        ("Googlebot-Image/1.0", "Googlebot-Image"),
        ("Mediapartners-Google", "Mediapartners-Google"),
        ("Mozilla/5.0", "Mozilla"),
        ("my_bot v2", "my_bot"),
        ("", ""),
        ("9", ""),
    ],
)
def test_the_token_of_a_user_agent_header(header: str, token: str) -> None:
    assert product_token(header) == token


def test_the_path_is_spelled_once_however_many_rules_nearly_match(monkeypatch: pytest.MonkeyPatch) -> None:
    spelled: list[str] = []

    def spell(path: str) -> str:
        spelled.append(path)
        return path

    tests = tuple((kind, spell, nearly, why) for kind, _, nearly, why in robots_near._NEARLY)
    monkeypatch.setattr(robots_near, "_NEARLY", tests)
    read_robots("User-agent: *\n" + "Disallow: /%C3*x\n" * 500).explain("x", "/%c3" * 500)
    assert len(spelled) == len(tests)
