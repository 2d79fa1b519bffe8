"""Many hosts from one process: each its own documents, nobody else's."""

import json
import logging
import random
from xml.etree import ElementTree as ET

import pytest
from tests.web import roots
from tests.web.client import InProcess

from waypost.errors import ConfigError
from waypost.web.app import create

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


@pytest.fixture
def directory(tmp_path):
    return roots.tenants(tmp_path / "sites", 40)


@pytest.fixture
def many(directory):
    client = InProcess(create(sites=str(directory), environment={}))
    yield client
    client.app.hosts.close()
    client.close()


def locs(answer) -> list[str]:
    return [element.text for element in ET.fromstring(answer.body).iter(LOC)]


def test_spec_every_label_shows_its_own_folder_under_its_own_host(many):
    for number in range(40):
        host = f"t{number}.blog.example.com"
        assert locs(many.ask("/sitemap.xml", host=host)) == [f"http://{host}/", f"http://{host}/only-{number}"]
        assert many.ask("/robots.txt", host=host).text.endswith(f"Sitemap: http://{host}/sitemap.xml\n")
        assert f"Tenant {number}" in many.ask("/", host=host).text


def test_spec_no_tenants_answer_names_another(many):
    chance = random.Random(5)
    paths = ["/", "/sitemap.xml", "/robots.txt", "/robots.xml", "/sitemap.txt", "/feeds.opml", "/nope"]
    for _ in range(600):
        mine, other = chance.sample(range(40), 2)
        host = f"t{mine}.blog.example.com"
        answer = many.ask(chance.choice([*paths, f"/only-{other}"]), host=host)
        assert f"t{other}.blog".encode() not in answer.all_bytes
        assert f"only-{other}<".encode() not in answer.all_bytes
    assert many.ask("/only-3", host="t4.blog.example.com").status == 404
    assert many.ask("/only-3", host="t3.blog.example.com").status == 200


@pytest.mark.parametrize(
    "host",
    [
        "b.test",
        "blog.example.com",
        "a.b.blog.example.com",
        "nobody.blog.example.com",
        "xblog.example.com",
        "example.org",
        "127.0.0.1",
    ],
)
def test_spec_a_host_that_no_entry_names_gets_421_and_is_never_repeated(many, host):
    for path in ("/", "/sitemap.xml", "/robots.txt", "/nope"):
        answer = many.ask(path, host=host)
        assert answer.status == 421
        assert host.encode() not in answer.all_bytes


def test_spec_other_hosts_of_a_site_answer_308_to_its_canonical_one_for_everything(many):
    for path in ("/", "/sitemap.xml", "/robots.txt", "/nope", "/login/"):
        answer = many.ask(path, host="www.example.com", query="a=1")
        assert (answer.status, answer.headers["location"]) == (308, f"http://example.com{path}?a=1")
    assert (
        many.ask("/x", host="www.example.com:8000", scheme="https").headers["location"] == "https://example.com:8000/x"
    )
    assert many.ask("/sitemap.xml", host="example.com:8000").status == 200


def test_spec_a_preview_is_closed_by_robots_and_by_header_on_everything(many):
    assert many.ask("/robots.txt", host="preview.example.com").text == "User-agent: *\nDisallow: /\n"
    for path in ("/", "/sitemap.xml", "/robots.txt", "/nope", "/Index", "/index.md", "/robots.xml"):
        assert many.ask(path, host="preview.example.com").headers["x-robots-tag"] == "noindex"
    assert "x-robots-tag" not in many.ask("/", host="example.com").headers


def test_one_shared_root_shows_each_subdomain_its_own_host(many):
    for host in ("a.shared.example.com", "b.shared.example.com:8000"):
        assert locs(many.ask("/sitemap.xml", host=host)) == [f"http://{host}/"]


def test_spec_a_new_tenant_and_an_edit_of_the_sites_are_live_at_once(many, directory):
    assert many.ask("/", host="fresh.blog.example.com").status == 421
    roots.write(directory / "tenants/fresh/index.md", "# Fresh\n")
    assert many.ask("/sitemap.xml", host="fresh.blog.example.com").status == 200
    roots.write(directory / "sites.toml", roots.SITES_TOML + '\n[[site]]\nhosts = ["new.test"]\nroot = "preview"\n')
    assert locs(many.ask("/sitemap.xml", host="new.test")) == ["http://new.test/"]
    roots.write(directory / "sites.toml", '[[site]]\nhosts = ["new.test"]\nroot = "preview"\n')
    assert many.ask("/sitemap.xml", host="example.com").status == 421


def test_spec_one_broken_tenant_is_503_for_itself_alone(many, directory):
    roots.write(directory / "tenants/t1/waypost.toml", "nonsense = [\n")
    for path in ("/", "/robots.txt", "/sitemap.xml"):
        assert many.ask(path, host="t1.blog.example.com").status == 503
        assert many.ask(path, host="t2.blog.example.com").status == 200


def test_what_is_wrong_with_sites_is_said_once_and_to_the_operator(many, directory, caplog):
    def state():
        return json.loads(many.ask("/healthz", host="127.0.0.1", client="127.0.0.1").body)

    many.ask("/", host="t2.blog.example.com")
    assert state()["faults"] == []
    roots.write(directory / "tenants/t1/waypost.toml", "nonsense = [\n")
    (directory / "sites.toml").write_text("[[site]\n")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert many.ask("/", host="t1.blog.example.com").status == 503
            assert many.ask("/", host="t2.blog.example.com").status == 200
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["sites.toml", "tenants/t1"]
    sites, tenant = state()["faults"]
    assert sites.startswith("sites.toml:1: ")
    assert tenant.startswith("tenants/t1: waypost.toml:")
    roots.write(directory / "sites.toml", roots.SITES_TOML)
    (directory / "tenants/t1/waypost.toml").unlink()
    assert many.ask("/", host="t1.blog.example.com").status == 200
    assert state()["faults"] == []


def test_live_10_tenants_that_are_let_go_are_named_and_read_anew_when_asked(many, directory, monkeypatch):
    monkeypatch.setattr("waypost.site.tenants.TENANTS_OPEN_MAX", 3)
    for number in range(6):
        assert many.ask("/", host=f"t{number}.blog.example.com").status == 200
    state = json.loads(many.ask("/healthz", host="127.0.0.1", client="127.0.0.1").body)
    assert (state["let_go"], state["let_go_roots"]) == (3, ["tenants/t0", "tenants/t1", "tenants/t2"])
    roots.write(directory / "tenants/t0/meanwhile.md", "# Meanwhile\n")
    assert many.ask("/meanwhile", host="t0.blog.example.com").status == 200
    state = json.loads(many.ask("/healthz", host="127.0.0.1", client="127.0.0.1").body)
    assert state["let_go_roots"] == ["tenants/t1", "tenants/t2", "tenants/t3"]


def test_live_10_a_tenant_that_is_let_go_while_it_is_asked_is_asked_again(many, directory, monkeypatch):
    monkeypatch.setattr("waypost.site.tenants.TENANTS_OPEN_MAX", 1)
    hosts, asked = many.app.hosts, []
    real = hosts.place

    def place(host):
        found = real(host)
        asked.append(host)
        if len(asked) == 1:
            hosts._tenants.find("t2.blog.example.com")
        return found

    monkeypatch.setattr(hosts, "place", place)
    assert many.ask("/sitemap.xml", host="t1.blog.example.com").status == 200
    assert asked == ["t1.blog.example.com"] * 2
    assert [name for name, _ in hosts.roots()] == ["tenants/t1"]


def test_the_server_settings_of_a_tenant_are_ignored(many, directory):
    roots.write(directory / "tenants/t1/waypost.toml", STRANGE_SERVER)
    for host, status in (("t1.blog.example.com", 200), ("t2.blog.example.com", 200), ("evil.test", 421)):
        answer = many.ask("/robots.txt", host=host, client="192.0.2.1", x_forwarded_host="evil.test")
        assert answer.status == status
        assert b"evil" not in answer.all_bytes
    assert many.ask("/healthz", host="t1.blog.example.com", client="192.0.2.1").status == 404


STRANGE_SERVER = """[server]
allowed_hosts = ["evil.test"]
trusted_proxies = ["192.0.2.0/24"]
operators = ["192.0.2.0/24"]
"""


def test_a_broken_sites_file_at_the_start_says_what_is_wrong(directory):
    roots.write(directory / "sites.toml", "[[site]]\nhosts = []\n")
    with pytest.raises(ConfigError, match="names no hosts"):
        create(sites=str(directory), environment={})


def test_what_to_serve_is_one_thing(directory):
    for arguments in ({}, {"root": str(directory), "sites": str(directory)}):
        with pytest.raises(ConfigError, match="say what to serve"):
            create(**arguments, environment={})
    for name in ("WAYPOST_ROOT", "WAYPOST_SITES"):
        create(environment={name: str(directory)}).hosts.close()


def test_the_operator_sees_which_roots_are_open(many):
    many.ask("/sitemap.xml", host="t7.blog.example.com")
    answer = many.ask("/readyz", host="127.0.0.1", client="127.0.0.1")
    assert answer.status == 200
    assert '"tenants/t7"' in answer.text


def test_the_first_scan_knows_the_sites_with_a_name(directory):
    app = create(sites=str(directory), environment={})
    seen: list[int] = []
    app.hosts.open(seen.append)
    assert sorted(name for name, _ in app.hosts.roots()) == ["example", "preview"]
    app.hosts.rescan()
    assert all(root.rescans == 1 for _, root in app.hosts.roots())
    app.hosts.close()
    roots.write(directory / "example/waypost.toml", "x = [\n")
    app = create(sites=str(directory), environment={})
    app.hosts.open()
    assert [name for name, _ in app.hosts.roots()] == ["preview"]
    app.hosts.close()
