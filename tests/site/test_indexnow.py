"""IndexNow: what is told, to whom, in which calls, and what is remembered whatever happens in between."""

import asyncio
import os
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.site.endpoint import endpoint
from tests.site.roots import Root

from waypost.check.means import Means
from waypost.check.settings import DEFAULT_SETTINGS
from waypost.errors import ConfigError, StoreError
from waypost.site.indexnow import Call, Follower, ledger_path, read_origin, stamps, tell
from waypost.site.ledger import Ledger, News
from waypost.site.state import state_folder

KEY = "abcdef0123456789"
ORIGIN = read_origin("https://example.com")


@pytest.fixture
def engine():
    with endpoint() as running:
        yield running


@pytest.fixture
def book(tmp_path):
    with Ledger(tmp_path / "state" / "ledger.txt") as ledger:
        yield ledger


def told(call, news, ledger, pauses=None):
    """Tell, and give what every call came to; waits are noted, not waited."""

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async def run():
        return [telling async for telling in tell(call, news, ledger, pause)]

    pauses = [] if pauses is None else pauses
    return asyncio.run(run())


def news(*paths: str) -> list[News]:
    return [News(path, "1768903200.000000") for path in paths]


def test_a_call_is_as_indexnow_has_it(engine, book):
    [telling] = told(Call(ORIGIN, KEY, engine.url), news("/a", "/%C3%BC?x"), book)
    assert telling.fault is None
    assert engine.types == ["application/json; charset=utf-8"]
    assert engine.calls == [{
        "host": "example.com", "key": KEY, "keyLocation": f"https://example.com/{KEY}.txt",
        "urlList": ["https://example.com/a", "https://example.com/%C3%BC?x"],
    }]  # fmt: skip


def test_no_call_has_more_urls_than_indexnow_takes(engine, book, monkeypatch):
    monkeypatch.setattr("waypost.site.indexnow.INDEXNOW_URLS_MAX", 10)
    many = news(*(f"/p{n:02}" for n in range(25)))
    assert len(told(Call(ORIGIN, KEY, engine.url), many, book)) == 3
    assert [len(call["urlList"]) for call in engine.calls] == [10, 10, 5]
    assert sorted(book.told) == [one.path for one in many]
    assert told(Call(ORIGIN, KEY, engine.url), [], book) == []


def test_ten_thousand_urls_are_one_call(engine, book):
    told(Call(ORIGIN, KEY, engine.url), news(*(f"/page-{n}" for n in range(10_001))), book)
    assert [len(call["urlList"]) for call in engine.calls] == [10_000, 1]


def test_it_waits_as_it_is_asked_to_and_tries_again(engine, book):
    engine.answers = [(429, {"Retry-After": "7"}), 503, 202]
    pauses: list[float] = []
    [telling] = told(Call(ORIGIN, KEY, engine.url), news("/a"), book, pauses)
    assert telling.fault is None
    assert pauses == [7.0, 4.0]
    assert len(engine.calls) == 3
    assert "/a" in book.told


@pytest.mark.parametrize("status", [429, 500, 503, 599])
def test_after_some_tries_it_leaves_the_rest_for_another_run(engine, book, status, monkeypatch):
    monkeypatch.setattr("waypost.site.indexnow.INDEXNOW_URLS_MAX", 1)
    engine.answers = [200, status]
    first, second = told(Call(ORIGIN, KEY, engine.url), news("/a", "/b", "/c"), book)
    assert first.fault is None
    assert second.fault.is_passing
    assert f"answers {status}" in second.fault.sentence
    assert list(book.told) == ["/a"]
    assert len(engine.calls) == 5


def test_a_long_wait_is_not_waited(engine, book):
    for value, seconds in (("3600", 3600), ("Tue, 20 Jan 2099 10:00:00 GMT", 1e9)):
        engine.answers = [(429, {"Retry-After": value})]
        pauses: list[float] = []
        [telling] = told(Call(ORIGIN, KEY, engine.url), news("/a"), book, pauses)
        assert telling.fault.is_passing
        assert telling.fault.wait_s >= seconds
        assert "asks to wait" in telling.fault.sentence
        assert pauses == []


@pytest.mark.parametrize("value", ["soon", "-5", "9" * 40, "Tue, 20 Jan 1999 10:00:00 GMT", "٣"])
def test_a_wait_that_is_none_is_ours(engine, book, value):
    engine.answers = [(503, {"Retry-After": value.encode().decode("latin-1")}), 200]
    pauses: list[float] = []
    told(Call(ORIGIN, KEY, engine.url), news("/a"), book, pauses)
    assert pauses == [2.0]


@pytest.mark.parametrize(
    ("status", "words"),
    [(400, "cannot read"), (403, f"https://example.com/{KEY}.txt"), (422, "not of this host"), (404, "404"), (301, "301"), (204, "204")],
)  # fmt: skip
def test_what_no_second_try_mends_is_said_at_once(engine, book, status, words):
    engine.answers = [(status, {"Location": "/elsewhere"} if status == 301 else {})]
    [telling] = told(Call(ORIGIN, KEY, engine.url), news("/a"), book)
    assert not telling.fault.is_passing
    assert words in telling.fault.sentence
    assert len(engine.calls) == 1
    assert book.told == {}


def test_an_endpoint_that_is_slow_or_away_may_be_asked_later(engine, book):
    means = Means(replace(DEFAULT_SETTINGS, first_byte_s=0.2))

    def slow() -> int:
        time.sleep(0.6)
        return 200

    engine.answers = [slow]
    [telling] = told(Call(ORIGIN, KEY, engine.url, means), news("/a"), book)
    assert telling.fault.is_passing
    assert "did not begin to answer in time" in telling.fault.sentence
    [telling] = told(Call(ORIGIN, KEY, "http://127.0.0.1:9/x", means), news("/a"), book)
    assert telling.fault.is_passing
    assert book.told == {}


def test_an_endpoint_inside_is_not_asked_unless_it_was_typed(engine, book):
    [telling] = told(Call(ORIGIN, KEY, "http://169.254.169.254/x"), news("/a"), book)
    assert not telling.fault.is_passing
    assert "metadata" in telling.fault.sentence


def test_what_was_told_is_on_disk_before_the_next_call(engine, tmp_path, monkeypatch):
    """Whoever is killed anywhere between two calls tells again what was not remembered, and nothing is lost."""
    monkeypatch.setattr("waypost.site.indexnow.INDEXNOW_URLS_MAX", 1)
    path = tmp_path / "ledger.txt"
    seen: list[bytes] = []

    def look() -> int:
        seen.append(path.read_bytes() if path.exists() else b"")
        return 200

    engine.answers = [look]
    with Ledger(path) as ledger:
        told(Call(ORIGIN, KEY, engine.url), [*news("/a"), News("/b", "-"), *news("/c")], ledger)
    head = b"# waypost indexnow 1\n"
    assert seen == [b"", head + b"1768903200.000000 /a\n", head + b"1768903200.000000 /a\n- /b\n"]


def test_a_ledger_that_cannot_be_written_says_that_all_is_told_again(engine, tmp_path):
    path = tmp_path / "ledger.txt"
    with Ledger(path) as ledger:
        ledger.begin({})
        path.unlink()
        path.mkdir()
        with pytest.raises(StoreError, match="told again"):
            told(Call(ORIGIN, KEY, engine.url), news("/a"), ledger)
        assert ledger.told == {}


def test_one_ledger_has_one_holder(tmp_path):
    with Ledger(tmp_path / "l"), pytest.raises(ConfigError, match="another waypost indexnow"), Ledger(tmp_path / "l"):
        pass
    with Ledger(tmp_path / "l"):
        pass


@pytest.mark.parametrize("data", [b"", b"else\n", b"# waypost indexnow 2\n"])
def test_a_file_that_is_no_ledger_is_left_alone(tmp_path, data):
    path = tmp_path / "ledger.txt"
    path.write_bytes(data)
    for _ in range(2):
        with pytest.raises(StoreError, match="begin anew"), Ledger(path):
            pass
    assert path.read_bytes() == data


def test_a_torn_end_is_forgotten_and_a_long_ledger_made_short(tmp_path):
    path = tmp_path / "ledger.txt"
    path.write_bytes(b"# waypost indexnow 1\n1.000000 /a\n2.000000 /b\n- /a\nnoise\n3.000000 /torn")
    with Ledger(path) as ledger:
        assert ledger.told == {"/b": "2.000000"}
        ledger.add([News("/c", "4.000000")])
    with Ledger(path) as ledger:
        assert ledger.told == {"/b": "2.000000", "/c": "4.000000"}
        for _ in range(1_200):
            ledger.add([News("/c", "5.000000")])
    with Ledger(path):
        assert path.read_bytes() == b"# waypost indexnow 1\n2.000000 /b\n5.000000 /c\n"


@given(st.lists(st.tuples(st.sampled_from(["/a", "/b", "/%C3%BC"]), st.one_of(st.just("-"), st.floats(0, 1e11).map(lambda f: f"{f:.6f}"))), max_size=8), st.integers(0, 40))  # fmt: skip
def test_any_cut_of_a_ledger_is_a_ledger_of_before(tmp_path_factory, rows, lost):
    path = tmp_path_factory.mktemp("cut") / "ledger.txt"
    before: list[dict[str, str]] = [{}]
    with Ledger(path) as ledger:
        ledger.begin({})
        for row in rows:
            ledger.add([News(*row)])
            before.append(dict(ledger.told))
    data = path.read_bytes()
    path.write_bytes(data[: max(len(b"# waypost indexnow 1\n"), len(data) - lost)])
    with Ledger(path) as ledger:
        assert ledger.told in before


def test_a_follower_sees_every_change_and_each_once(root: Root, book):
    root.page("index.md")
    root.page("a.md")
    root.page("b.md")
    root.page("hidden.md", "---\ndraft: true\n---\n# CANARY\n")
    cache = root.cache()
    book.begin(stamps(cache.table()))
    follower = Follower(cache, book)
    assert follower.news() == []
    root.page("a.md", "# Changed\n")
    root.page("new.md")
    (root.content / "b.md").unlink()
    found = {one.path: one.is_gone for one in follower.news()}
    assert found == {"/a": False, "/b": True, "/new": False}
    # Told in part: the rest stays news until it is told, and is forgotten when it undoes itself.
    book.add([one for one in follower.news() if one.path == "/a"])
    assert {one.path for one in follower.news()} == {"/b", "/new"}
    (root.content / "new.md").unlink()
    assert {one.path for one in follower.news()} == {"/b"}
    book.add(follower.news())
    assert follower.news() == []
    cache.rescan()
    assert follower.news() == []


def test_a_page_that_is_closed_is_told_as_gone_and_never_again(root: Root, book):
    root.page("index.md")
    root.page("plan.md")
    cache = root.cache()
    book.begin(stamps(cache.table()))
    follower = Follower(cache, book)
    follower.news()
    root.page("plan.md", "---\ndraft: true\n---\n# CANARY\n")
    assert [(one.path, one.is_gone) for one in follower.news()] == [("/plan", True)]
    book.add(follower.news())
    root.page("plan.md", "---\ndraft: true\n---\n# CANARY again\n")
    assert follower.news() == []


def test_a_page_that_moved_is_told_under_both_paths(root: Root, book):
    root.page("index.md")
    root.page("plan.md")
    cache = root.cache()
    book.begin(stamps(cache.table()))
    follower = Follower(cache, book)
    follower.news()
    root.page("plan.md.toml", 'alias = "plans"\n')
    assert {one.path: one.is_gone for one in follower.news()} == {"/plan": True, "/plans": False}


def test_the_streams_first_answer_is_that_all_may_have_moved(root: Root):
    root.page("index.md")
    table = root.cache().table()
    assert table.take_moved() is None
    assert table.take_moved() == set()


@pytest.mark.parametrize(
    ("text", "origin"),
    [("https://example.com", "https://example.com"), ("HTTPS://Example.com/", "https://example.com"), ("http://a.test:8000", "http://a.test:8000"), ("https://a.test:443", "https://a.test")],
)  # fmt: skip
def test_an_origin_is_taken(text, origin):
    assert str(read_origin(text)) == origin


@pytest.mark.parametrize("text", ["", "example.com", "https://example.com/path", "ftp://x.test", "https://u@x.test", "https://", "https://x.test?y", "https://[::1"])  # fmt: skip
def test_what_is_no_origin_is_refused(text):
    with pytest.raises(ConfigError, match="scheme and the host alone"):
        read_origin(text)


def test_state_stands_in_the_root_or_with_the_user(tmp_path):
    assert state_folder("/srv/site", is_bare=False, environment={}) == tmp_path.__class__("/srv/site/state")
    own = state_folder(str(tmp_path), is_bare=True, environment={"WAYPOST_STATE": "/var/lib/w"})
    assert own.parent == tmp_path.__class__("/var/lib/w")
    assert state_folder(str(tmp_path), is_bare=True, environment={"XDG_STATE_HOME": "/x"}).parts[:3] == (
        "/",
        "x",
        "waypost",
    )
    at_home = state_folder(str(tmp_path), is_bare=True, environment={"XDG_STATE_HOME": "relative"})
    assert at_home.parent == tmp_path.home() / ".local/state/waypost"
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert state_folder(str(link), is_bare=True, environment={}) == at_home
    assert state_folder(os.sep, is_bare=True, environment={}) != at_home


def test_each_origin_has_a_ledger_of_its_own(tmp_path):
    names = {ledger_path(tmp_path, read_origin(text)).name for text in ("https://a.test", "http://a.test", "http://a.test:8000", "http://[::1]:8000")}  # fmt: skip
    assert len(names) == 4
    assert "indexnow-https-a.test.txt" in names
