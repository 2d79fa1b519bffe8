"""Settings: one table; a fault names file, line and what to write instead."""

import pytest

from waypost.errors import ConfigError
from waypost.publish.robots import robots_txt
from waypost.publish.settings import DataFile, Publishing, RobotsGroup
from waypost.site.access import Combine, Tag
from waypost.site.config import configure
from waypost.site.settings import SETTINGS, TABLES, Lastmod, Settings, Slash

WHOLE = b"""
title = "My site"
lang = "en"
slash = "always"
home = "Welcome/"
lastmod = "declared"
content.path_alias = false
[admin]
path = "hidden/desk"
[tags.staff-only]
roles = ["staff"]
access = "union"
[feeds]
count = 5
[server]
port = 9000
trusted_proxies = ["10.0.0.0/8"]
[sitemap]
split_at = 10
images = true
[[robots.group]]
agents = ["GPTBot"]
disallow = ["/"]
crawl_delay = 1
content_signal = "ai-train=no"
[[data]]
path = "/data/x y.json"
namespace = "urn:example:x"
lastmod = 2026-01-20
[[data]]
url = "https://example.org/d"
namespace = "urn:example:y"
title = "D"
"""


def test_a_whole_file_becomes_settings() -> None:
    found = configure(WHOLE).settings
    assert (found.title, found.slash, found.home, found.lastmod) == (
        "My site",
        Slash.ALWAYS,
        "welcome",
        Lastmod.DECLARED,
    )
    assert (found.path_alias, found.admin_path, found.feed_count, found.port) == (False, "hidden/desk", 5, 9000)
    assert (found.trusted_proxies, found.split_at, found.with_images) == (("10.0.0.0/8",), 10, True)
    assert found.tags == {"staff-only": Tag(frozenset({"staff"}), Combine.UNION)}
    assert found.groups == (RobotsGroup(("GPTBot",), ("/",), (), 1.0, "ai-train=no"),)
    assert found.data == (
        DataFile("/data/x%20y.json", "urn:example:x", "", 1768867200.0),
        DataFile("https://example.org/d", "urn:example:y", "D", None),
    )


def test_what_waypost_check_reads_of_the_same_file_is_left_to_it():
    found = configure(b'title = "A"\n[severity]\nRBT306 = "info"\n[ignore]\nSMQ302 = true\n')
    assert found.settings.title == "A"
    with pytest.raises(ConfigError, match="'severities'; the nearest is"):
        configure(b'[severities]\nRBT306 = "info"\n')


@pytest.mark.parametrize("path", [" /zqadm ", "ZqAdm", "zqadm//"])
def test_the_admin_path_is_kept_in_its_one_spelling(path: str) -> None:
    assert configure(f"[admin]\npath = '{path}'\n".encode()).settings.admin_path == "zqadm"


@pytest.mark.parametrize(
    "path", ["./zqadm", "/%7aqadm", "zqadm?", "http://h/zqadm", "zq adm", "/", " ", "zq\\adm", "zqadm#x"]
)
def test_an_admin_path_that_would_protect_nothing_is_refused(path: str) -> None:
    with pytest.raises(ConfigError, match=r"waypost\.toml:2: admin\.path ") as caught:
        configure(f"[admin]\npath = '{path}'\n".encode())
    assert "zq" not in str(caught.value)


def test_no_file_is_all_defaults() -> None:
    found = configure(None)
    assert found.settings == Settings()
    assert set(found.origins.values()) == {"default"}
    assert set(found.origins) == {row.name for row in SETTINGS} | set(TABLES)
    assert configure(b"").settings == Settings()


def test_every_setting_is_spelled_alike_in_file_environment_and_options() -> None:
    for row in SETTINGS:
        words = {int: 7, bool: True, str: "abcdefgh", tuple: ["10.0.0.0/8", "::1"]}
        value = words.get(row.kind) or list(row.kind)[-1].value
        text = {True: "true"}.get(value) if row.kind is bool else repr(value).replace("'", '"')
        by_file = configure(f"{row.name} = {text}".encode())
        spelled = ",".join(value) if row.kind is tuple else str(value)
        by_environment = configure(None, environment={row.variable: spelled})
        by_option = configure(None, options={row.name: value})
        assert by_file.settings == by_environment.settings == by_option.settings
        if row.default != getattr(by_file.settings, row.field):
            assert by_file.settings != Settings()
        assert by_file.origins[row.name] == "waypost.toml:1"
        assert by_environment.origins[row.name] == row.variable
        assert by_option.origins[row.name] == "option"


def test_an_option_counts_more_than_the_environment_and_that_more_than_the_file() -> None:
    found = configure(b"[server]\nport = 1\n", environment={"WAYPOST_SERVER_PORT": "2"}, options={"server.port": 3})
    assert found.settings.port == 3
    assert configure(b"[server]\nport = 1\n", environment={"WAYPOST_SERVER_PORT": " 2 "}).settings.port == 2


@pytest.mark.parametrize(
    ("text", "where", "word"),
    [
        ('tilte = "x"', "waypost.toml:1", "title"),
        ('a = 1\nslash = "x"', "waypost.toml:1", "unknown setting 'a'"),
        ("\n[sitemap]\nsplit = 3", "waypost.toml:3", "sitemap.split_at"),
        ('slash = "sometimes"', "waypost.toml:1", "never, always"),
        ("title = 3", "waypost.toml:1", "a text"),
        ('[server]\nport = "x"', "waypost.toml:2", "whole number"),
        ("[server]\nport = true", "waypost.toml:2", "whole number"),
        ("[server]\nport = 70000", "waypost.toml:2", "at most 65,535"),
        ("[feeds]\ncount = -1", "waypost.toml:2", "at least 0"),
        ('[indexnow]\nkey = "short"', "waypost.toml:2", "8 to 128 letters"),
        ('[indexnow]\nkey = "with/slash"', "waypost.toml:2", "8 to 128 letters"),
        ("server.trusted_proxies = ['a', 3]", "waypost.toml:1", "list of texts"),
        ("server.trusted_proxies = 'a'", "waypost.toml:1", "list of texts"),
        ("server.trusted_proxies = ['10.0.0.0/8', 'a']", "waypost.toml:1", "no address or network"),
        ("server.operators = ['::1', '1.2.3']", "waypost.toml:1", "no address or network"),
        ("x = ", "waypost.toml:1", "invalid"),
        ("title = '\xe9'", "waypost.toml:1", "UTF-8"),
        ("server = 3", "waypost.toml:1", "server"),
        ("tags = 3", "waypost.toml:1", "[tags.NAME]"),
        ("[tags.a]\nrole = ['x']", "waypost.toml:1", "'roles'"),
        ("[tags.a]\nroles = 'x'", "waypost.toml:1", "list of texts"),
        ("[tags.a]\naccess = 'x'", "waypost.toml:1", "union or intersect"),
        ("robots.group = 3", "waypost.toml:1", "two brackets"),
        ("[[robots.group]]\ndisallow = ['/']", "waypost.toml:1", "agents"),
        ("[[robots.group]]\nagents = ['*']\ndisallow = ['x']", "waypost.toml:1", "begins with neither / nor *"),
        ("[[robots.group]]\nagents = ['*']\ndisallow = ['/x#y']", "waypost.toml:1", "escape it with %"),
        ("[[robots.group]]\nagents = ['*']\nallow = ['/x ']", "waypost.toml:1", "escape it with %"),
        ("[[robots.group]]\nagents = ['Googlebot/2.1']", "waypost.toml:1", "no product token"),
        ("[[robots.group]]\nagents = ['*']\ncrawl_delay = inf", "waypost.toml:1", "seconds"),
        ("[[robots.group]]\nagents = ['*']\ncontent_signal = 'a#b'", "waypost.toml:1", "Content-Signal"),
        ("lang = 'e n'", "waypost.toml:1", "pt-BR"),
        ("lang = '<'", "waypost.toml:1", "pt-BR"),
        ("[[data]]\npath = '/x#y%20 z'\nnamespace = 'urn:a:b'", "waypost.toml:1", "blank"),
        ("[[data]]\npath = '/x'\nnamespace = 'Bot'", "waypost.toml:1", "a URN"),
        ('[[robots.group]]\nagents = ["a\\nb"]', "waypost.toml:1", "control character"),
        ("[[robots.group]]\nagents = ['*']\ncrawl_delay = -1", "waypost.toml:1", "seconds"),
        (
            "admin.path = 'desk'\n[[robots.group]]\nagents = ['*']\ndisallow = ['/Desk/x']",
            "waypost.toml:2",
            "admin path",
        ),
        ("[[robots.group]]\nagents = ['*']\n[[robots.group]]\nagents = ['a/b']", "waypost.toml:3", "no product token"),
        ("[robots]\ngroup = [{agents = ['*']}, {agents = []}]", "waypost.toml:2", "agents"),
        ("[[data]]\npath = '/x'\nnamespace = 'urn:a:b'\n\n[[data]]\npath = '/y'", "waypost.toml:5", "namespace"),
        ("[tags.a]\nroles = []\n[tags.'b c']\nroles = 's'", "waypost.toml:3", "[tags.b c]: roles is a list of texts"),
        ("tags.a.roles = []\ntags.b = {roles = 's'}", "waypost.toml:2", "[tags.b]"),
        ("title = 'a'\ncontent = 'x'", "waypost.toml:2", "content is a table: write [content]"),
        ("[[data]]\nnamespace = 'urn:x:y'", "waypost.toml:1", "either a url or a path"),
        ("[[data]]\npath = '/x'", "waypost.toml:1", "namespace"),
        ("[[data]]\npath = '//x'\nnamespace = 'urn:x:y'", "waypost.toml:1", "a file of this root"),
        ("[[data]]\nurl = 'ftp://x'\nnamespace = 'urn:x:y'", "waypost.toml:1", "ftp://x"),
        ("[[data]]\nurl = 'https://a.example/'\nnamespace = 'urn:x:y'\nlastmod = 'soon'", "waypost.toml:1", "date"),
        ("home = 'a%b'", "waypost.toml:1", "home"),
    ],
)
def test_a_fault_names_file_line_and_remedy(text: str, where: str, word: str) -> None:
    with pytest.raises(ConfigError) as caught:
        configure(text.encode("latin-1"))
    assert str(caught.value).startswith(where)
    assert word in str(caught.value)


def test_a_rule_is_kept_as_urls_are_written() -> None:
    text = "[[robots.group]]\nagents = ['*']\ndisallow = ['/ü b', '/a b/*']\n"
    (group,) = configure(text.encode()).settings.groups
    assert group.disallow == ("/ü%20b", "/a%20b/*")
    assert "Disallow: /%C3%BC%20b\n" in robots_txt(Publishing(groups=(group,)), "https://a", has_sitemap=False).decode()


def test_environment_and_options_are_as_strict() -> None:
    with pytest.raises(ConfigError, match="WAYPOST_SERVER_PORT"):
        configure(None, environment={"WAYPOST_SERVER_PRT": "1"})
    with pytest.raises(ConfigError, match="true or false"):
        configure(None, environment={"WAYPOST_SITEMAP_IMAGES": "perhaps"})
    with pytest.raises(ConfigError, match="nearest is 'title'"):
        configure(None, options={"titel": "x"})
    assert configure(None, environment={"HOME": "x", "WAYPOST_STATE": "/y"}).settings == Settings()


def test_every_setting_has_help_and_no_setting_sets_an_origin() -> None:
    assert all(row.help and not row.help.endswith(".") for row in SETTINGS)
    assert len({row.name for row in SETTINGS}) == len(SETTINGS)
    assert not [row for row in SETTINGS if "url" in row.name or "origin" in row.name or "scheme" in row.name]
