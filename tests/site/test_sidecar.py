"""Sidecars and front matter: four notations, one record, and nothing unreadable ever means public."""

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.errors import ConfigError
from waypost.site.access import PUBLIC, judge, read_tags_yaml
from waypost.site.config import configure
from waypost.site.ron import RonError, read_ron
from waypost.site.sidecar import EMPTY, Sidecar, Unreadable, front_bytes, over, read_front_matter, read_sidecar

SAME = {
    "toml": b'alias = "docs/intro"\ntitle = "Int\xc3\xa9"\ntags = ["a", "b"]\nnav_order = 3\nnoindex = true\nunknown = 1\n',
    "json": b'{"alias":"docs/intro","title":"Int\xc3\xa9","tags":["a","b"],"nav_order":3,"noindex":true,"unknown":[1]}',
    "ron": b'#![enable(implicit_some)]\n(\n  // nopressure\n  alias: "docs/intro", title: Some("Int\xc3\xa9"),\n'
    b'  tags: ["a", "b",], nav_order: Some(3), noindex: true, content_width: Auto, nav_parent_id: None,\n)',
}


@pytest.mark.parametrize("form", SAME)
def test_every_form_gives_the_same_record(form: str) -> None:
    said = read_sidecar(SAME[form], form)
    assert said == Sidecar(alias="docs/intro", title="Inté", tags=("a", "b"), nav_order=3, noindex=True)


@pytest.mark.parametrize(
    ("form", "data", "line", "word"),
    [
        ("toml", b'title = "a"\ntags = "x"\n', 2, "tags"),
        ("toml", b"a = 1\nb = \n", 2, "invalid"),
        ("toml", b"title = '\xff'\n", 1, "UTF-8"),
        ("toml", b'access = "private"\n', 1, "access"),
        ("toml", b"a = " + b"[" * 9000, 1, "deep"),
        ("json", b'{"title": "x",\n"tags": "y"}', 2, "tags"),
        ("json", b'{"title": \n', 2, "truncated"),
        ("json", b'{"unknown": "\xff"}', 1, "UTF-8"),
        ("json", b"[1]", 1, "object"),
        ("json", b"[" * 90000, 1, ""),
        ("ron", b"(\n alias: 3)", 2, "alias"),
        ("ron", b'(\n alias: "x', 2, "RON"),
        ("ron", b"[" * 5000, 1, "deep"),
        ("ron", b'(alias: "a", alias: "b")', 1, "twice"),
        ("ron", b'["a"]', 1, "table"),
    ],
)
def test_what_cannot_be_read_names_its_line(form: str, data: bytes, line: int, word: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_sidecar(data, form)
    assert caught.value.line == line
    assert word.lower() in caught.value.reason.lower()


@pytest.mark.parametrize("form", SAME)
@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"x" * 1_100_000])
def test_safety_6_an_empty_or_a_huge_sidecar_is_unreadable(form: str, data: bytes) -> None:
    with pytest.raises(Unreadable):
        read_sidecar(data, form)


@pytest.mark.parametrize(
    "inner",
    [b"[" * 100_000, b"a: " + b"{b: " * 50_000, b"- " * 50_000, b"? " * 50_000, b"a: [" + b"[" * 99 + b"]" * 100],
)
def test_safety_6_yaml_nested_too_deep_is_unreadable_and_ends_no_process(inner: bytes) -> None:
    with pytest.raises(Unreadable, match="nested too deep"):
        read_front_matter(b"---\n" + inner + b"\n---\n")
    with pytest.raises(Unreadable, match="nested too deep"):
        read_tags_yaml(inner)


@pytest.mark.parametrize(
    "line", [b"a." * 50_000 + b"a = 1", b"[" + b"a . " * 5_000 + b"a]", b'x = {"a b".' + b"'c'.\"d\"." * 9 + b"e = 1}"]
)
def test_safety_6_a_dotted_key_of_very_many_parts_is_unreadable_at_once(line: bytes) -> None:
    with pytest.raises(Unreadable, match="nested too deep"):
        read_sidecar(b'title = "a"\n' + line, "toml")
    with pytest.raises(ConfigError, match="nested too deep"):
        configure(line)


def test_what_is_only_long_or_wide_is_read() -> None:
    front = read_front_matter(
        b"---\ntitle: a [b] - {c}\n"
        + b"".join(b"x%d: {a: [b, {c: [d]}]}\n" % n for n in range(40))
        + b"y:\n"
        + b" " * 90
        + b"- z\n---\n"
    )
    assert front is not None
    assert front.sidecar.title == "a [b] - {c}"
    assert read_sidecar(b'title = "www.a.b.c.d. And so on... and on."\nx.y.z = 1.5', "toml").title is not None


def test_safety_5_every_prefix_of_a_sidecar_withholds_or_is_as_narrow() -> None:
    """TOML has prefixes that parse: those of the restricting key alone must not lead anywhere but to a narrow reading."""
    whole = json.dumps({"roles": ["staff"], "title": "x" * 900, "tags": ["a"]}).encode()
    for end in range(len(whole)):
        with pytest.raises(Unreadable):
            read_sidecar(whole[:end], "json")
    ron = b'(roles: ["staff"], title: "' + b"x" * 900 + b'", alias: "a")'
    for end in range(len(ron)):
        with pytest.raises(Unreadable):
            read_sidecar(ron[:end], "ron")
    front = b'---\nroles: [staff]\ntitle: "' + b"x" * 900 + b'"\n---\n'
    for end in range(4, len(front) - 1):
        with pytest.raises(Unreadable):
            read_front_matter(front[:end])


def test_front_matter_of_yaml_and_toml_is_read_and_measured() -> None:
    yaml = b"\xef\xbb\xbf---\ntitle: 2024\ntags: news\ndraft: true\nlang: no\nmood: 2024-01-01\nalias:\n---\n# Body"
    front = read_front_matter(yaml)
    assert front is not None
    assert front.sidecar == Sidecar(title="2024", tags=("news",), draft=True, lang="no")
    assert yaml[front.length :] == b"# Body"
    assert front_bytes(yaml) == front.length
    toml = read_front_matter(b'+++\r\ntitle = "T"\r\nupdated = 2024-01-02\r\n+++\r\n')
    assert toml is not None
    assert toml.sidecar == Sidecar(title="T", updated="2024-01-02")
    assert read_front_matter(b"# none\n---\n") is None
    assert read_front_matter(b"---x\n---\n") is None
    assert front_bytes(b"# none\n---\n") == 0


@pytest.mark.parametrize(
    "word", ["off", "No", "1.10", "0123", "1_0", "1:30", "0x1F", "2024-01-02", "0b1", "1e3", ".nan"]
)
def test_what_is_wanted_as_text_is_read_as_it_was_written(word: str) -> None:
    front = read_front_matter(
        f"---\ntitle: {word}\ntags: [{word}]\nroles: {word}\ntranslations: {{no: {word}}}\naliases:\n- {word}\n"
        f"linkTitle: {word}\noriginal_filename: {word}\nid: 0000000000000101\ndraft: off\nnoindex: on\n"
        "weight: 1_0\nmood: 1:2:3\n---\n".encode()
    )
    assert front is not None
    assert front.sidecar == Sidecar(
        id="0000000000000101", title=word, tags=(word,), roles=(word,), translations={"no": word}, nav_title=word,
        redirect_from=(word,), original_filename=word, draft=False, noindex=True, nav_order=10,
    )  # fmt: skip


def test_what_a_reference_brings_in_is_text_where_text_is_wanted() -> None:
    front = read_front_matter(b"---\nx: &x\n  tags: &tags [1.10]\n  draft: yes\n<<: *x\nroles: *tags\n---\n")
    assert front is not None
    assert front.sidecar == Sidecar(tags=("1.10",), roles=("1.10",), draft=True)


@pytest.mark.parametrize(
    "number",
    [
        "1" + ":1" * 80_000,
        "1" * 80_000,
        "1." + "1" * 80_000,
        "1_" * 40_000,
        "0x" + "f" * 80_000,
        "1" + "_" * 80_000 + "x",
    ],
)
def test_safety_6_no_number_takes_long_to_read(number: str) -> None:
    started = time.process_time()
    with contextlib.suppress(Unreadable):
        read_front_matter(f"---\nx: {number}\n---\n".encode())
    with contextlib.suppress(Unreadable):
        read_sidecar(f"(nav_order: {number}x)".encode(), "ron")
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"---\ntitle: x\n", 1),
        (b"---\na: [\n---\n", 3),
        (b"---\ntitle: a\naccess: staff\n---\n", 3),
        (b"---\n- a\n---\n", 2),
        (b'---\nt: !!python/object/apply:os.system ["true"]\n---\n', 2),
        (b"---\n" + b"[" * 3000 + b"\n---\n", 2),
        (b"+++\nx =\n+++\n", 2),
        (b"---\na: &a [x]\n" + b"b: *a\n" * 40 + b"---\n", 19),
        (b"---\ntitle: \xff\n---\n", 2),
        (b"---\ntitle: \x00\n---\n", 2),
        (b"---\ntitle: a\ntags: [b]\ndate: 2024-13-45\n---\n", 4),
        (b"---\ntags: [staff]\ntitle: a\ntags: []\n---\n", 4),
        (b"---\nmood: {a: 1,\n a: 2}\n---\n", 3),
        (b"+++\ntitle = 'a'\ntags = [1.10]\n+++\n", 3),
        (b"---\ntags:\n- ~\n---\n", 2),
    ],
)
def test_front_matter_that_cannot_be_read_names_its_line(data: bytes, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        read_front_matter(data)
    assert caught.value.line >= min(line, 2) if b"[[[" in data else caught.value.line == line


def test_the_sidecar_wins_over_front_matter_key_by_key() -> None:
    upper, lower = Sidecar(title="S", tags=(), draft=False), Sidecar(title="F", tags=("staff",), draft=True, lang="de")
    assert over(upper, lower) == Sidecar(title="S", tags=(), draft=False, lang="de")
    assert over(EMPTY, lower) is lower
    assert over(upper, EMPTY) is upper


@given(st.binary(max_size=300), st.sampled_from(["toml", "json", "ron"]))
def test_no_bytes_crash_a_sidecar_reader(data: bytes, form: str) -> None:
    with contextlib.suppress(Unreadable):
        assert isinstance(read_sidecar(data, form), Sidecar)


@given(st.text(alphabet="---\n: []{}&*!#'\"ab1\t+=", max_size=200))
def test_no_text_crashes_the_front_matter_reader(text: str) -> None:
    for fence in ("---\n", "+++\n"):
        with contextlib.suppress(Unreadable):
            assert read_front_matter(f"{fence}{text}\n{fence}".encode()) is not None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("()", {}),
        ("(1, 2.5, 'c', -3, 0x1f, 1_000, +1.5e3, .5, 2., 1e-2)", [1, 2.5, "c", -3, 31, 1000, 1500.0, 0.5, 2.0, 0.01]),
        ('Name(a: r#"x"y"#, b: {"k": true, 1: ()})', {"a": 'x"y', "b": {"k": True, "1": {}}}),
        ('("\\u{e9}\\x41\\n\\"")', ['éA\n"']),
        ("/* a /* b */ c */ Some(None)", None),
        ("[Auto, Some([1,]),]", ["Auto", [1]]),
        ('"a\\\n   b"', "ab"),
    ],
)
def test_ron_values(text: str, value: object) -> None:
    assert read_ron(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(a: 1",
        "(a 1)",
        "[1 2]",
        "{[1]: 2}",
        '"\\q"',
        '"\\u{d800}"',
        "/* x",
        "1 2",
        "]",
        "(1: 2)",
        "1.5.",
        "1.e",
        "0x",
        ".",
    ],
)
def test_ron_faults(text: str) -> None:
    with pytest.raises(RonError) as caught:
        read_ron(text)
    assert caught.value.line == 1


def test_an_empty_record_is_public() -> None:
    assert judge(EMPTY.tags or (), EMPTY.roles or (), {}) == PUBLIC


@pytest.mark.parametrize(
    ("text", "key", "want"),
    [
        ("---\ndate: 2024-01-02\n---\n", "published", "2024-01-02"),
        ("+++\ndate = 2024-01-02T10:00:00Z\n+++\n", "published", "2024-01-02T10:00:00+00:00"),
        ("---\ndate: 2024-01-02\npublishDate: 2024-02-03\n---\n", "published", "2024-02-03"),
        ("---\ndate: 2024-01-02\npublished: 2025-01-01\n---\n", "published", "2025-01-01"),
        ("---\ndate: 2024-01-02\npublished:\n---\n", "published", None),
        ("---\nlastmod: 2024-01-02\n---\n", "updated", "2024-01-02"),
        ("---\naliases: [/old/, older]\n---\n", "redirect_from", ("/old/", "older")),
        ("---\naliases: one\n---\n", "redirect_from", ("one",)),
        ("---\nweight: 3\n---\n", "nav_order", 3),
        ("---\nweight: heavy\n---\n", "nav_order", None),
        ("---\nweight: true\n---\n", "nav_order", None),
        ("---\nlinkTitle: Short\n---\n", "nav_title", "Short"),
        ("---\ndate: [1]\nlinkTitle: 3\naliases: {a: 1}\n---\n", "published", None),
    ],
)
def test_front_matter_in_the_words_of_other_programs(text: str, key: str, want: object) -> None:
    front = read_front_matter(text.encode())
    assert front is not None
    assert getattr(front.sidecar, key) == want
