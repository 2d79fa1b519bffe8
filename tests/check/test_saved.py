"""Captures as a folder: byte for byte there and back, replay without a network, strangers' folders refused."""

import asyncio
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.check.body import Body, BodyWriter
from waypost.check.capture import Capture, ErrorKind, FetchError, Headers, Hop, Purpose, Request, answered
from waypost.check.saved import Recorder, ReplayFetcher, load_captures
from waypost.errors import ConfigError, StoreError

TEXT = st.text(max_size=30)
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple)
SECONDS = st.floats(0, 1_000)
COUNT = st.integers(0, 1 << 40)
HOPS = st.builds(Hop, TEXT, st.integers(0, 999), PAIRS.map(Headers), SECONDS, TEXT)
CAPTURES = st.builds(
    Capture,
    st.builds(Request, TEXT, st.sampled_from(list(Purpose)), st.integers(200, 1 << 40), TEXT, TEXT, COUNT, PAIRS),
    st.lists(HOPS, max_size=3).map(tuple),
    st.binary(max_size=200).map(Body),
    st.none() | st.builds(FetchError, st.sampled_from(list(ErrorKind)), TEXT),
    SECONDS,
    COUNT,
    TEXT,
    st.booleans(),
    st.booleans(),
)


class Given:
    def __init__(self, captures):
        self.left = list(captures)

    async def fetch(self, request):
        return self.left.pop(0)


def save(folder, captures, about=None, fetcher=None):
    recorder = Recorder(fetcher or Given(captures), folder, about or {})
    answer(recorder, *(capture.request for capture in captures))
    recorder.finish()


def answer(fetcher, *requests):
    async def run():
        return [await fetcher.fetch(request) for request in requests]

    return asyncio.run(run())


def replay(folder, *requests):
    return answer(ReplayFetcher(load_captures(folder)), *requests)


@given(captures=st.lists(CAPTURES, max_size=4), about=st.dictionaries(TEXT, TEXT, max_size=3))
def test_captures_come_back_as_they_were_and_save_to_the_same_bytes(tmp_path_factory, captures, about):
    one, two = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    save(one, captures, about)
    loaded = load_captures(one)
    assert replay(one, *(capture.request for capture in captures)) == captures
    assert loaded.about == about
    save(two, captures, loaded.about, ReplayFetcher(loaded))
    assert {path.name: path.read_bytes() for path in one.iterdir()} == {
        path.name: path.read_bytes() for path in two.iterdir()
    }


def big_body():
    with BodyWriter() as writer:
        for n in range(9):
            writer.write(bytes([n]) * (1 << 20))
        return writer.finish()


def test_a_large_body_is_spooled_again_when_it_is_read(tmp_path):
    body = big_body()
    save(tmp_path / "new" / "folder", [answered("https://example.com/", body)])
    (back,) = replay(tmp_path / "new" / "folder", Request("https://example.com/"))
    assert back.body.is_spooled
    assert back.body == body


def test_a_replay_answers_in_turn_and_never_more_than_was_captured(tmp_path):
    url = "https://example.com/a"
    captures = [
        answered(url, b"one"),
        answered(url, b"two"),
        answered(Request(url, headers=(("User-Agent", "x"),)), b"x"),
    ]
    save(tmp_path, captures)
    ask = Request(url, Purpose.PAGE)
    other = Request("https://example.com/b")
    got = replay(tmp_path, ask, ask, ask, other, Request(url, headers=(("User-Agent", "x"),)))
    assert [capture.body.read() for capture in got] == [b"one", b"two", b"two", b"", b"x"]
    assert got[0].request == ask
    assert got[3].error == FetchError(ErrorKind.NOT_CAPTURED)


def test_a_replay_keeps_the_bound_of_the_request(tmp_path):
    save(tmp_path, [answered("https://example.com/", b"x" * 100)])
    exact, cut = replay(
        tmp_path, Request("https://example.com/", bytes_max=99), Request("https://example.com/", bytes_max=9)
    )
    assert (len(exact.body), len(cut.body)) == (100, 10)
    assert cut.truncated


def test_the_recorder_keeps_what_another_fetcher_gives(tmp_path):
    class Echo:
        async def fetch(self, request):
            return answered(request, request.url.encode())

    request = Request("https://example.com/robots.txt", Purpose.ROBOTS)
    recorder = Recorder(Echo(), tmp_path / "kept", {"target": "example.com"})
    given_back = answer(recorder, request)
    recorder.finish()
    assert replay(tmp_path / "kept", request) == given_back
    assert load_captures(tmp_path / "kept").about == {"target": "example.com"}
    assert sorted(os.listdir(tmp_path / "kept")) == ["0001-robots.capture", "index.json"]


def test_saving_again_replaces_our_files_and_leaves_other_folders_alone(tmp_path):
    save(tmp_path, [answered("https://example.com/"), answered("https://example.com/b")])
    save(tmp_path, [answered("https://example.com/c")])
    assert len(os.listdir(tmp_path)) == 2
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(ConfigError, match="holds other files"):
        save(tmp_path, [])
    assert (tmp_path / "thesis.txt").exists()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot save captures"):
        save(tmp_path / "file" / "x", [])


def test_a_folder_without_index_is_no_capture_yet(tmp_path):
    with pytest.raises(ConfigError, match="cannot read"):
        load_captures(tmp_path)
    with pytest.raises(ConfigError, match="cannot read"):
        load_captures(tmp_path / "absent")


def sound(tmp_path):
    save(tmp_path, [answered("https://example.com/", b"body", headers={"A": "b"})], {"a": "b"})
    return tmp_path / "index.json", tmp_path / "0001-sitemap.capture"


INDEX_FAULTS = {
    "not JSON": "{",
    "a list": "[]",
    "deep": "[" * 100_000,
    "nothing": "",
    "another format": '{"format": "har"}',
    "a later version": '{"format": "waypost-captures", "version": 2}',
    "no list": '{"format": "waypost-captures", "version": 1, "about": {}, "captures": 5}',
    "about is a list": '{"format": "waypost-captures", "version": 1, "about": [], "captures": []}',
    "too many": json.dumps({"format": "waypost-captures", "version": 1, "about": {}, "captures": [0] * 100_001}),
    "too large": " " * (16 * 1_048_576 + 1),
    "a row is a number": '{"format": "waypost-captures", "version": 1, "about": {}, "captures": [5]}',
    "bytes": "\udcff",
}
NAMES = [
    "../secret",
    "/etc/passwd",
    "0001-sitemap.capture/..",
    "index.json",
    "0001-a.capture\n",
    "",
    "٠٠٠١-a.capture",
    "9999-x.capture",
]


@pytest.mark.parametrize("fault", INDEX_FAULTS)
def test_a_hostile_index_is_refused_in_a_sentence(tmp_path, fault):
    index, _ = sound(tmp_path)
    index.write_bytes(INDEX_FAULTS[fault].encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError) as caught:
        load_captures(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, name):
    index, _ = sound(tmp_path)
    document = json.loads(index.read_text())
    document["captures"][0]["file"] = name
    index.write_text(json.dumps(document))
    with pytest.raises(ConfigError):
        load_captures(tmp_path)


def heads():
    good = {"error": None, "hops": []}
    hop = {"url": "a", "status": 200, "headers": [], "elapsed_s": 0, "address": ""}
    yield "error of no kind", {"error": {"kind": "x", "detail": ""}}
    yield "error is text", {"error": "x"}
    yield "hops is a number", {"hops": 5}
    yield "many hops", {"hops": [hop] * 100}
    yield "status is huge", {"hops": [{**hop, "status": 1_000}]}
    yield "status is negative", {"hops": [{**hop, "status": -1}]}
    yield "status is true", {"hops": [{**hop, "status": True}]}
    yield "a header of three", {"hops": [{**hop, "headers": [["a", "b", "c"]]}]}
    yield "a header is a number", {"hops": [{**hop, "headers": [["a", 5]]}]}
    yield "time is negative", {"elapsed_s": -1}
    yield "time is text", {"elapsed_s": "1"}
    yield "time has no end", {"elapsed_s": float("inf")}
    yield "bytes too many", {"wire_bytes": 1 << 60}
    yield "coding is null", {"coding": None}
    yield "request is gone", {"request": None}
    yield "request is a list", {"request": [good]}
    yield "purpose is unknown", {"request": {"url": "a", "purpose": "x"}}


@pytest.mark.parametrize(("name", "change"), list(heads()), ids=[name for name, _ in heads()])
def test_a_hostile_head_is_refused_in_a_sentence(tmp_path, name, change):
    _, path = sound(tmp_path)
    line, _, body = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(line), **change}).encode() + b"\n" + body)
    with pytest.raises(ConfigError, match="not one that waypost wrote"):
        load_captures(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{}", b"null\n", b"[1]\n", b"\xff\n", b'{"a":' * 50_000 + b"\n"])
def test_a_file_that_is_no_capture_is_refused(tmp_path, content):
    _, path = sound(tmp_path)
    path.write_bytes(content)
    with pytest.raises(ConfigError):
        load_captures(tmp_path)


def test_a_body_no_client_would_have_kept_is_refused(tmp_path):
    _, path = sound(tmp_path)
    with path.open("ab") as stream:
        stream.truncate(60_000_000)
    with pytest.raises(ConfigError, match="more than any capture"):
        load_captures(tmp_path)


@pytest.mark.parametrize("kind", ["link", "fifo", "folder", "gone"])
def test_links_pipes_and_folders_are_no_captures(tmp_path, kind):
    _, path = sound(tmp_path)
    data = path.read_bytes()
    path.unlink()
    if kind == "link":
        (tmp_path / "elsewhere").write_bytes(data)
        path.symlink_to(tmp_path / "elsewhere")
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    with pytest.raises(ConfigError, match="cannot read"):
        load_captures(tmp_path)


def test_a_body_cut_after_loading_gives_what_is_left(tmp_path):
    _, path = sound(tmp_path)
    saved = load_captures(tmp_path)
    path.write_bytes(path.read_bytes()[:-2])
    (capture,) = answer(ReplayFetcher(saved), Request("https://example.com/"))
    assert capture.body.read() == b"bo"
