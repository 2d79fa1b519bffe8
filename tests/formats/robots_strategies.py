"""Documents and URLs for property tests: any bytes, and texts made of what robots.txt files are made of."""

from hypothesis import strategies as st

KEYS = ["User-agent", "user-agent", "useragent", "User Agent", "Disallow", "disalow", "Disallowed", "Allow", "Allow", "Sitemap", "site-map",
        "Crawl-delay", "Content-Signal", "Content-Usage", "Clean-param", "Request-rate", "Host", "Unknown", "Contentsignal", "User-agent\xe9", "Disallow\xa0", "\xe9Allow", ""]  # fmt: skip
VALUES = ["*", "a", "A-b_c", "a/1.0", "a, b", "* x", "**", "", "9", "/", "/*", "/a", "/a/", "/a*b$", "/*a*", "/%7e", "/%c3%a9", "/\xe9", "/a b", "b", "https://h/s.xml",
          "//h", "/index.html", "$", "/a$b", "search=yes, ai-train=no", "/a train-ai=n", "1/5m 0900-1700", "2.5", "x&y /z", "/\x00a", "/a#b", "/" + "ab" * 40]  # fmt: skip
SEPARATORS = [": ", ":", " : ", "\t", " ", "  ", "", "::", "\v:"]
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\n\n", " # c\n", "\x0b\n", ""]

lines = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "", " ", "\t"]),
        st.sampled_from(KEYS),
        st.sampled_from(SEPARATORS),
        st.sampled_from(VALUES),
        st.sampled_from(ENDS),
    ),
)
texts = st.builds(
    lambda start, rows: (start + "".join(rows)).encode("latin-1"),
    st.sampled_from(["", "", "\xef\xbb\xbf", "\xef", "\xff\xfe"]),
    st.lists(lines, max_size=14),
)
documents = st.one_of(
    texts, texts, st.binary(max_size=200), st.builds(lambda one, two: one + b"\n" + two, texts, st.binary(max_size=40))
)
agents = st.sampled_from(["a", "A", "A-B_C", "b", "*", "", "9", "x", "é", "a/1.0"])
paths = st.text(alphabet="/ab*$?&%7eE9 é;.#\0", max_size=12).map(lambda rest: "/" + rest)
urls = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["https://h", "", "h", "//h", "https://h:8", " http://h", "x#"]),
        st.one_of(paths, st.sampled_from(VALUES), st.text(max_size=20)),
    ),
)
