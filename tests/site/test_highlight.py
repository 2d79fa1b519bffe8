"""Code in colours: every language keeps its text, and no code costs more than its length."""

import re
from html import escape, unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.site.highlight import highlighted, languages

SAMPLES = {
    "python": ("@x\ndef f(a=1):\n    return None  # c\n", "f:@x k:def f:f n:1 k:return v:None c:# c"),
    "py": ('f"""a\n"b" """ + r\'\\\'\' + x', "s:f\"\"\"a\n\"b\" \"\"\" s:r'\\''"),
    "js": ("const a = `x${y}` // c", "k:const s:`x${y}` c:// c"),
    "rust": ("fn f<'a>(x: &'a str) -> char { 'c' }", "k:fn v:str v:char s:'c'"),
    "c": ("#include <x.h>\nint main() { /* c */ }", "f:#include v:int f:main c:/* c */"),
    "go": ("x := `a\nb`", "s:`a\nb`"),
    "sql": ("select 'it''s' -- c", "k:select s:'it''s' c:-- c"),
    "sh": ('if [ -f "$X" ]; then ls $Y # c', 'k:if v:-f s:"$X" k:then v:$Y c:# c'),
    "console": ("$ ls -l\nfile\n", "c:$  o:file"),
    "pycon": (">>> f(1)\n2\n", "c:>>>  f:f n:1 o:2"),
    "html": ('<a href="x">it\'s</a>', 'k:<a f:href s:"x" k:</a'),
    "css": ("a { color: #fff; --x: 1px } /* c */", "f:color v:#fff v:--x n:1px c:/* c */"),
    "json": ('{"a": "b", "c": [-1.5e3, true]}', 'f:"a" s:"b" f:"c" n:-1.5e3 v:true'),
    "yaml": ("a: true # c\nb: 'x'\n", "f:a v:true c:# c f:b s:'x'"),
    "toml": ('[a.b]\nc = "d" # e\n', 'k:[a.b] f:c s:"d" c:# e'),
    "diff": ("@@ 1 @@\n-a\n+b\n c\n", "k:@@ 1 @@ d:-a i:+b"),
}  # fmt: skip


def written(code: str) -> str:
    """Code as cmark writes it."""
    return escape(code, quote=False).replace('"', "&quot;")


def kinds(html: str) -> str:
    return " ".join(
        f"{kind}:{unescape(text)}" for kind, text in re.findall(r'<span class="(.)">(.*?)</span>', html, re.DOTALL)
    )


@pytest.mark.parametrize("language", SAMPLES)
def test_words_get_the_colours_of_what_they_are(language):
    code, expected = SAMPLES[language]
    assert kinds(highlighted(written(code), language)) == expected


@given(st.sampled_from(sorted(languages())), st.text(st.sampled_from("\"'`\\/*-#{}<>&;:=$[]()@! ab0\n"), max_size=80))
def test_the_text_is_never_touched_and_only_spans_are_added(language, code):
    html = highlighted(written(code), language)
    assert unescape(re.sub(r'</?span(?: class="[cdfiknosv]")?>', "", html)) == code


ATOMS = ['"', "'", "`", "\\", "/*", "//", "#", "{{", "{%", "<!--", "<", "$", "${", "$(", "[", "![", "a", "0", "-", "@", "&", " ", "=", "a!"]  # fmt: skip


@pytest.mark.parametrize("language", sorted({id(known): name for name, known in languages().items()}.values()))
def test_a_scan_never_goes_back(language):
    # One that did would need minutes here, not milliseconds.
    for first in ATOMS:
        for second in ("", "0", "-"):
            highlighted(written((first + second) * 10_000)[:20_000], language)


def test_an_unknown_language_is_left_as_it_is():
    assert highlighted("a &quot; b", "no-such") == "a &quot; b"
