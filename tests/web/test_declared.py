"""What an owner declares for robots.xml, as the disk has it."""

import os

import pytest
from tests.web.roots import write

from waypost.formats.xmlmap import read_xmlmap

DATA_TOML = """
[[data]]
path = "{path}"
namespace = "urn:example:one"
lastmod = "2001-01-01"

[[data]]
url = "https://cdn.example/all.tar.gz"
namespace = "urn:example:other"
lastmod = "2002-02-02"
"""


@pytest.mark.parametrize(
    ("path", "served"),
    [
        ("/sets/Prices.csv", "/sets/prices.csv"),
        ("sets/Prices.csv", "/sets/prices.csv"),
        ("content/sets/Prices.csv", "/sets/prices.csv"),
        ("/docs/Intro", "/docs/intro"),
        ("/docs/intro.md", "/docs/intro.md"),
        ("/sitemap.txt", "/sitemap.txt"),
        ("/hidden.csv", None),
        ("/draft", None),
        ("/nothing.csv", None),
        ("/waypost.toml", None),
    ],
)
def test_spec_a_local_data_file_is_listed_as_the_disk_has_it(starter, here, path, served):
    """Under its one URL, with the disk's date, and only where everybody may see it."""
    data = write(starter / "content/sets/Prices.csv", "a,b\n")
    write(starter / "content/hidden.csv", "secret\n")
    write(starter / "content/hidden.csv.toml", 'access = "deny"\n')
    for file in (data, starter / "content/docs/Intro.md"):
        os.utime(file, (1_700_000_000, 1_700_000_000))
    write(starter / "waypost.toml", DATA_TOML.format(path=path))
    found = {s.namespace: (s.loc, s.lastmod) for s in read_xmlmap(here.ask("/robots.xml").body).services}
    assert found["urn:example:other"] == ("https://cdn.example/all.tar.gz", "2002-02-02T00:00:00Z")
    if served is None:
        assert "urn:example:one" not in found
        return
    date = "2001-01-01T00:00:00Z" if served == "/sitemap.txt" else "2023-11-14T22:13:20Z"
    assert found["urn:example:one"] == (f"http://example.com{served}", date)
    assert here.ask(served).status == 200
