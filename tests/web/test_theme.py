"""What people see: the theme, navigation, search, suggestions, and a root's own templates."""

import json
import os
import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from tests.web.client import InProcess
from tests.web.roots import write

from waypost.web.app import create
from waypost.web.languages import is_rtl, language_name

STARTER = Path(__file__).parents[2] / "src/waypost/site/starterkit"


@pytest.fixture
def root(tmp_path):
    write(tmp_path / "waypost.toml", 'title = "Books"\nlang = "en"\n[tags.staff]\nroles = ["staff"]\n')
    content = tmp_path / "content"
    write(
        content / "index.md",
        "# Books\n\n[Walden](novels/walden.md) [Ulysses](/novels/ulysses) [dir](novels/) [gone](nowhere.md)\n",
    )
    write(content / "novels/index.md", "---\ntitle: Novels\nnav_order: 1\n---\n# Novels\n")
    write(
        content / "novels/walden.md",
        "---\ntitle: Walden\nnav_order: 2\ndescription: A pond\npublished: 2026-01-20\n---\n# Walden\n\n## One\n\n## Two\n\n## Three\n\nThoreau</script>\n",
    )
    write(
        content / "novels/ulysses.md",
        "---\nnav_title: Bloom\nnav_order: 1\n---\n# Ulysses\n\n[up](../index.md#top) [same](./walden.md) [bare](walden) ![x](../img/a%20b.png)\n",
    )
    write(content / "poems/odes/keats.md", "# Keats\n\nbeauty\n")
    write(content / "secret.md", "---\ntags: [staff]\ntitle: CANARY\n---\n# CANARY thoreau\n")
    write(content / "img/a b.png", "png")
    return tmp_path


@pytest.fixture
def site(root):
    app = create(str(root), environment={})
    app.hosts.open()
    here = InProcess(app)
    yield here
    here.close()
    app.hosts.close()


def links(text, where="main"):
    part = text.partition(f"<{where}")[2].partition(f"</{where}>")[0]
    return [unescape(found) for found in re.findall(r'<a [^>]*href="([^"]*)"', part)]


def test_the_starter_site_links_nothing_that_is_not_there(tmp_path):
    app = create(str(STARTER), environment={"XDG_STATE_HOME": str(tmp_path)})
    app.hosts.open()
    here = InProcess(app)
    seen, queue = set(), ["/"]
    while queue:
        path = queue.pop()
        answer = here.ask(path)
        assert answer.status == 200, path
        seen.add(path)
        if answer.headers["content-type"].startswith("text/html"):
            found = re.findall(r'(?:href|src)="(/[^"#]*)', answer.text)
            queue += [unescape(link) for link in found if unescape(link) not in seen]
    assert {"/guide", "/notes/first-note", "/feed.atom", "/img/signpost.svg"} <= seen
    here.close()
    app.hosts.close()


def test_links_of_every_shape_become_canonical(site):
    assert links(site.ask("/").text)[:4] == ["#books", "/novels/walden", "/novels/ulysses", "/novels"]
    text = site.ask("/").text
    assert "nowhere.md" not in text
    assert ">gone<" in text
    text = site.ask("/novels/ulysses").text
    assert links(text, "article")[1:4] == ["/#top", "/novels/walden", "/novels/walden"]
    assert 'src="/img/a-b.png"' in text


def test_links_follow_the_slash_policy(root):
    write(root / "waypost.toml", 'slash = "always"\n')
    app = create(str(root), environment={})
    app.hosts.open()
    here = InProcess(app)
    assert links(here.ask("/").text)[1:4] == ["/novels/walden/", "/novels/ulysses/", "/novels/"]
    assert links(here.ask("/novels/walden/").text, "nav")[0] == "/novels/"
    here.close()
    app.hosts.close()


def test_the_tree_is_in_the_owners_order_with_the_branch_open(site):
    text = site.ask("/novels/walden").text
    nav = text.partition('aria-label="Pages"')[2].partition("</nav>")[0]
    assert re.findall(r">([^<>\s][^<>]*)<", nav) == ["Novels", "Bloom", "Walden", "Poems"]
    assert 'href="/novels/walden" aria-current="page"' in nav


def navigation(text):
    return text.partition('aria-label="Pages"')[2].partition("</nav>")[0]


def test_a_folder_without_a_page_leads_to_its_first_one(site):
    assert '<a href="/poems/odes/keats">Poems</a>' in navigation(site.ask("/").text)


def test_numbers_in_titles_are_ordered_by_what_they_count(site, root):
    for number in (10, 9, 100):
        write(root / f"content/poems/part-{number}.md", f"# Part {number}\n")
    found = re.findall(r">(Part \d+)<", navigation(site.ask("/poems/part-9").text))
    assert found == ["Part 9", "Part 10", "Part 100"]


def test_a_folder_of_very_many_pages_shows_those_around_the_one_that_is_read(site, root):
    for number in range(500):
        write(root / f"content/log/day-{number:03}.md", f"# Day {number}\n")
    text = site.ask("/log/day-250").text
    found = [int(number) for number in re.findall(r">Day (\d+)<", navigation(text))]
    assert found == list(range(240, 260))
    assert navigation(text).count('class="gap"') == 2
    assert '<link rel="prev" href="/log/day-249">' in text
    assert '<link rel="next" href="/log/day-251">' in text
    assert navigation(site.ask("/log/day-000").text).count('class="gap"') == 1
    assert "Day 499<" in navigation(site.ask("/log/day-499").text)
    assert "Day" not in navigation(site.ask("/").text)


def test_every_kind_of_page_has_the_navigation(site):
    for path in ("/", "/novels/waldn", "/_waypost/search"):
        assert 'href="/novels"' in navigation(site.ask(path).text)


def test_a_page_is_in_its_own_language_and_direction(site, root):
    write(root / "content/ar.md", "---\nlang: ar\ntranslations: {pt-BR: br}\n---\n# مرحبا\n")
    write(root / "content/br.md", "---\nlang: pt-BR\n---\n# Olá\n")
    text = site.ask("/ar").text
    assert '<html lang="ar" dir="rtl">' in text
    assert '<a href="/br" hreflang="pt-BR" lang="pt-BR">Português (Brasil)</a>' in text
    assert '<html lang="pt-BR">' in site.ask("/br").text
    assert language_name("de-AT") == "Deutsch (AT)"
    assert language_name("tlh") == "tlh"
    assert [code for code in ("ks-Deva", "az-Arab", "en", "fa-IR", "") if is_rtl(code)] == ["az-Arab", "fa-IR"]


def test_an_icon_at_the_top_of_the_content_is_the_sites(site, root):
    assert re.search(r'<link rel="icon" href="/_waypost/icon\.[0-9a-f]{12}\.svg" type', site.ask("/").text)
    write(root / "content/favicon.ico", "x")
    write(root / "content/favicon.svg", "<svg/>")
    assert '<link rel="icon" href="/favicon.svg" type="image/svg+xml">' in site.ask("/").text


def test_breadcrumbs_lead_up_and_turns_lead_on(site):
    text = site.ask("/novels/walden").text
    assert '<li><a href="/novels">Novels</a></li><li>Walden</li>' in text
    assert '<a class="previous" href="/novels/ulysses">' in text
    keats = site.ask("/poems/odes/keats").text
    assert "<li>Poems</li><li>Odes</li><li>Keats</li>" in keats
    assert '<link rel="prev" href="/novels/ulysses">' in text


def test_turning_on_reads_every_page_once_and_turning_back_the_same(site, root):
    for path in (
        "b/one.md",
        "b/two/x.md",
        "b/two/y.md",
        "c/index.md",
        "c/d/e/f.md",
        "c/d/g.md",
        "h.md",
        "novels/zola/a.md",
    ):
        write(root / "content" / path, f"# {path}\n")

    def turned(path, way):
        found = re.search(rf'<link rel="{way}" href="([^"]*)">', site.ask(path).text)
        return found[1] if found else ""

    seen, path = [], "/novels"
    while path:
        seen.append(path)
        path = turned(path, "next")
    listed = re.findall(r"<loc>http://example.com([^<]*)</loc>", site.ask("/sitemap.xml").text)
    assert sorted(seen) == sorted(set(listed) - {"/"})
    assert [turned(path, "prev") for path in seen] == ["", *seen[:-1]]


def test_a_site_is_called_by_its_setting_its_home_page_or_its_host(root):
    def called(where, **environment):
        app = create(str(where), environment=environment)
        app.hosts.open()
        here = InProcess(app)
        brand = re.search(r'class="brand".*?<span>([^<]*)</span>', here.ask("/", scheme="http").text)[1]
        assert f"<title>{brand}</title>" in here.ask("/feed.atom").text
        here.close()
        app.hosts.close()
        return brand

    assert called(root) == "Books"
    write(root / "waypost.toml", "")
    write(root / "content/index.md", "# Paper &amp; ink\n")
    assert called(root) == "Paper &amp; ink"
    write(root / "content/index.md", "# Welcome\n")
    assert called(root) == "example.com"
    bare = root / "my-old_notes"
    write(bare / "a.md", "# A\n")
    assert called(bare) == "My old notes"
    assert called(bare, WAYPOST_TITLE="Said") == "Said"


def test_a_page_may_name_its_parent_by_id(site, root):
    write(root / "content/essay.md.toml", 'nav_parent_id = "00000000000000aa"\n')
    write(root / "content/essay.md", "# Essay\n")
    write(root / "content/prose.md.toml", 'id = "00000000000000aa"\n')
    write(root / "content/prose.md", "# Prose\n")
    text = site.ask("/essay").text
    assert '<li><a href="/prose">Prose</a></li><li>Essay</li>' in text
    nav = text.partition('aria-label="Pages"')[2].partition("</nav>")[0]
    assert re.findall(r">([^<>\s][^<>]*)<", nav) == ["Novels", "Poems", "Prose", "Essay"]


def test_a_folder_all_of_whose_pages_stand_elsewhere_has_no_line(site, root):
    write(root / "content/blog.md.toml", 'id = "00000000000000aa"\n')
    write(root / "content/blog.md", "# Blog\n")
    write(root / "content/2024/05/post.md", '---\nnav_parent_id: "00000000000000aa"\n---\n# Post\n')
    nav = site.ask("/blog").text.partition('aria-label="Pages"')[2].partition("</nav>")[0]
    assert re.findall(r">([^<>\s][^<>]*)<", nav) == ["Novels", "Blog", "Post", "Poems"]
    write(root / "content/2024/06/note.md", "# Note\n")
    nav = site.ask("/blog").text.partition('aria-label="Pages"')[2].partition("</nav>")[0]
    assert re.findall(r'href="([^"]*)">2024<', nav) == ["/2024/06/note"]


def test_a_circle_of_parents_ends(site, root):
    for name, parent in (("aa", "bb"), ("bb", "aa")):
        write(root / f"content/{name}.md.toml", f'id = "{"0" * 14}{name}"\nnav_parent_id = "{"0" * 14}{parent}"\n')
        write(root / f"content/{name}.md", f"# {name}\n")
    assert site.ask("/aa").status == 200


def test_no_heading_takes_an_id_of_the_theme(site, root):
    page = (
        "# Content\n\n## Pages\n\n## Toc\n\n## q\n\n## site.toc\n\n## site.content\n\n## site.pages\n\n## site.search\n"
    )
    write(root / "content/ids.md", page)
    text = site.ask("/ids").text
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids)) == 12
    assert set(re.findall(r'(?: for|popovertarget|class="skip" href)="#?([^"]*)"', text)) <= set(ids)


def test_structured_data_is_json_that_no_text_can_end(site, root):
    write(root / "content/novels/walden.md", "---\ntitle: a</script><b>\npublished: 2026-01-20\n---\ntext\n")
    text = site.ask("/novels/walden").text
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    facts = json.loads(found[1])
    assert facts["headline"] == "a</script><b>"
    assert facts["datePublished"] == "2026-01-20T00:00:00Z"
    assert facts["url"] == "http://example.com/novels/walden"
    assert "a</script>" not in text


def test_a_page_never_says_that_it_changed_after_what_the_sitemap_says(site, root):
    for name, day in (("before", "2026-01-20"), ("behind", "2026-03-01")):
        path = write(root / f"content/{name}.md", f"---\npublished: 2026-01-10\nupdated: {day}\n---\ntext\n")
        os.utime(path, (1_770_000_000, 1_770_000_000))
    stated = [
        re.findall(r'article:modified_time" content="([^"]*)"', site.ask(path).text) for path in ("/before", "/behind")
    ]
    assert stated == [["2026-01-20T00:00:00Z"], ["2026-02-02T02:40:00Z"]]
    assert "<lastmod>2026-02-02T02:40:00Z</lastmod>" in site.ask("/sitemap.xml").text


def test_pages_that_stand_below_another_are_not_passed_over_without_end(site, root, monkeypatch):
    from waypost.site import navigation

    for number in range(2_000):
        write(root / f"content/n{number:04}.md", '---\nnav_parent_id: "00000000000000aa"\n---\nx\n')
    write(root / "content/about.md", '---\nid: "00000000000000aa"\n---\n# About\n')
    asked = []
    real = navigation._parent_key
    monkeypatch.setattr(navigation, "_parent_key", lambda catalog, page: asked.append(page) or real(catalog, page))
    assert "/about" in links(site.ask("/n1000").text)
    assert len(asked) < 3 * navigation.NAV_SKIPPED_MAX
    asked.clear()
    assert "…" in site.ask("/nothing-at-all").text
    assert len(asked) < 3 * navigation.NAV_SKIPPED_MAX


def test_search_finds_titles_before_texts_and_nothing_hidden(site):
    assert links(site.ask("/_waypost/search", query="q=walden").text)[0] == "/novels/walden"
    assert links(site.ask("/_waypost/search", query="q=THOREAU").text) == ["/novels/walden"]
    assert links(site.ask("/_waypost/search", query="q=beauty+keats").text) == ["/poems/odes/keats"]
    for query in ("q=CANARY", "q=secret", "q=zzz", "q=", "", "q=%00%ff", "q=" + "zq+" * 1_000):
        answer = site.ask("/_waypost/search", query=query)
        assert answer.status == 200
        assert links(answer.text) == []
        assert "/secret" not in answer.text
    assert site.ask("/_waypost/search", query="q=x").headers["x-robots-tag"] == "noindex"


def test_search_shows_the_text_around_what_it_found(site, root):
    write(root / "content/odd.md", "# Odd\n\n" + "before " * 60 + "a **Needle** in [hay](x.md) `<b>` " + "after " * 60)
    text = site.ask("/_waypost/search", query="q=needle+hay").text
    found = re.search(r"<p>(…before .*? a\s+<mark>Needle</mark>\s+in\s+<mark>hay</mark>.*?…)</p>", text)
    assert len(found[1]) < 300
    assert "**" not in found[1]


def test_an_excerpt_has_none_of_the_marks_of_markdown(site, root):
    text = '# Odd\n\n- [x] done, ~~not~~ yet[^1]\n- ![a sign](s.png "t")\n\n| a | b |\n|---|:-:|\n| needle | 2 |\n\n1. last\n\n[^1]: a note\n'
    write(root / "content/odd.md", text)
    found = re.search(r"<p>(.*?)</p></li>", site.ask("/_waypost/search", query="q=needle").text)
    shown = re.sub(r"</?mark>", "", found[1])
    assert shown == "done, not yet a sign a b needle 2 last a note"
    write(root / "content/odd.md", "# Odd\n\n`waypost doctor .` lists the *needles*, without `.md`.\n")
    found = re.search(r"<p>(.*?)</p></li>", site.ask("/_waypost/search", query="q=needle").text)
    assert re.sub(r"</?mark>", "", found[1]) == "waypost doctor . lists the needles, without .md."


def test_an_excerpt_is_cut_before_it_is_read_as_markdown(site, root, monkeypatch):
    from waypost.site import search

    write(
        root / "content/long.md",
        "# Needle\n\n" + "[a *b*](needle) " * 60_000 + "a **needle** at last " + "x [y](z) " * 60_000,
    )
    read = []
    real = search._unmarked
    monkeypatch.setattr(search, "_unmarked", lambda found: read.append(1) or real(found))
    text = site.ask("/_waypost/search", query="q=needle").text
    assert len(read) < 20_000
    assert "/long" in text
    write(
        root / "content/long.md", "# Long\n\n" + "before *it* " * 60_000 + "a **needle** [here](x) " + "after " * 60_000
    )
    text = site.ask("/_waypost/search", query="q=needle").text
    assert re.search(r"<p>(…it before .*? a\s+<mark>needle</mark>\s+here\s+after.*?…)</p>", text)


def test_excerpts_read_no_more_than_a_search_may(site, root, monkeypatch):
    for number in range(9):
        write(root / f"content/long{number}.md", f"# Needle {number}\n\n" + "needle " * 1_000)
    monkeypatch.setattr("waypost.site.search.SEARCH_BYTES_MAX", 20_000)
    text = site.ask("/_waypost/search", query="q=needle").text
    assert len([link for link in links(text) if "/long" in link]) == 9
    assert 1 <= len(re.findall(r"<p>.*?<mark>", text)) <= 3


def test_search_shows_what_was_asked_without_believing_it(site):
    assert "<b>x" not in site.ask("/_waypost/search", query="q=%3Cb%3Ex%22").text


def test_an_unknown_page_suggests_what_is_near(site):
    answer = site.ask("/novels/waldn")
    assert answer.status == 404
    assert "/novels/walden" in links(answer.text)


def test_a_restricted_page_answers_as_an_unknown_one_to_the_byte(site, root):
    hidden = site.ask("/secret")
    (root / "content/secret.md").unlink()
    assert site.ask("/secret") == hidden
    assert hidden.status == 404


def test_assets_are_immutable_under_their_hash_and_unknown_ones_404(site):
    style = re.search(r'href="(/_waypost/style\.[^"]*)"', site.ask("/").text)[1]
    answer = site.ask(style)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert site.ask("/_waypost/style.000000000000.css").status == 404
    assert site.ask("/_waypost/").status == 404


def test_a_root_replaces_templates_and_styles_one_by_one(site, root):
    before = site.ask("/novels/walden").text
    write(
        root / "themes/page.html",
        '{% extends "base.html" %}{% block main %}MINE {{ title }} {{ page.html }}{% endblock %}',
    )
    mine = site.ask("/novels/walden").text
    assert "MINE Walden" in mine
    assert "<header" in mine
    write(root / "themes/style.css", "body { color: red }")
    style = re.search(r'href="(/_waypost/style\.[^"]*)"', site.ask("/").text)[1]
    assert site.ask(style).body == b"body { color: red }"
    assert style not in before
    assert site.ask("/themes/page.html").status == 404


def test_a_page_may_choose_a_theme_of_its_own(site, root):
    write(root / "themes/plain/page.html", "PLAIN {{ title }}")
    write(root / "content/novels/walden.md.toml", 'theme = "plain"\n')
    assert site.ask("/novels/walden").text == "PLAIN Walden"
    assert "PLAIN" not in site.ask("/novels").text
    write(root / "content/novels/walden.md.toml", 'theme = "../../etc"\n')
    assert "<header" in site.ask("/novels/walden").text


@pytest.mark.parametrize(
    "template",
    [
        "{% for %}",
        "{{ page.html.nothing.more }}",
        "{{ 1/0 }}",
        "{% include 'gone.html' %}",
        "{{ ''.__class__.__mro__ }}",
        "{{ site.clear() }}{{ site.update({'title': 1}) }}",
        "{{ lipsum.__globals__ }}",
        "{% extends 'page.html' %}",
        "{% include '../waypost.toml' %}",
        "{{ 'x' * 10 ** 9 }}",
        "{{ 10 ** 10 ** 10 }}",
        "{% set n = namespace(x=3) %}{% for _ in range(60) %}{% set n.x = n.x * n.x %}{% endfor %}{{ n.x }}",
        "{% for _ in range(99999) %}{{ 'x' * 99999 }}{% endfor %}",
        "{% set n = namespace(x='a') %}{% for _ in range(27) %}{% set n.x = n.x ~ n.x %}{% endfor %}{{ n.x|length }}",
        "{% set n = namespace(x='a') %}{% for _ in range(27) %}{% set n.x = n.x + n.x %}{% endfor %}{{ n.x|length }}",
        "{% set n = namespace(x='a') %}{% for _ in range(27) %}{% set n.x = [n.x, n.x]|join %}{% endfor %}{{ n.x|length }}",
        "{{ ('%0200000000d' % 1)|length }}",
        "{{ ('%*d' % (200000000, 1))|length }}",
        "{{ '{:>200000000}'.format(1)|length }}",
        "{{ 'x'|center(200000000)|length }}",
        "{{ 'x'.ljust(200000000)|length }}",
        "{{ 'x'|indent(200000000)|length }}",
        "{{ range(99999)|join('x' * 999)|length }}",
        "{{ ('x' * 999).join(['a'] * 99999)|length }}",
        "{{ ('x' * 99999)|replace('x', 'x' * 9999)|length }}",
        "{{ ('x' * 99999).replace('', 'x' * 9999)|length }}",
        "{% for _ in range(99999) %}{% for _ in range(99999) %}{% set x = 1 %}{% endfor %}{% endfor %}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(90) }}",
        "{% for x in [1, 1] recursive %}{{ loop([1, 1]) if loop.depth < 90 }}{% endfor %}",
    ],
)
def test_a_template_that_fails_or_reaches_out_shows_ours_and_says_so(site, root, template, caplog):
    write(root / "themes/page.html", template)
    answer = site.ask("/novels/walden")
    assert answer.status == 200
    assert "<header" in answer.text or "__class__" in template or answer.text == ""
    assert "<header" not in answer.text or "the built-in template is shown" in caplog.text
    assert "[tags.staff]" not in answer.text
    assert "object at" not in answer.text
    assert "site-packages" not in answer.text


def test_what_a_template_calculates_and_joins_is_what_jinja_says(site, root):
    write(
        root / "themes/page.html",
        "{{ 1 + 2 }} {{ [1] + [2] }} {{ 7 % 4 }} {{ '%05.1f%%' % 2.5 }} {{ 'a' ~ 1 ~ '<' }} {{ '<b>'|safe ~ '<' }} "
        "{{ [1, '<']|join('-') }} {{ ', '.join(['a', 'b']) }} {{ 'aba'|replace('a', 'c') }} {{ 'aba'.replace('a', 'c', 1) }} "
        "{{ [{'x': 1}, {'x': 2}]|join('+', attribute='x') }}{% autoescape false %}{{ ' ' ~ '<' }}{% endautoescape %}",
    )
    want = "3 [1, 2] 3 002.5% a1&lt; <b>&lt; 1-&lt; a, b cbc cba 1+2 <"
    assert site.ask("/novels/walden").text == want


def test_a_template_counts_from_the_moment_it_is_there_until_it_goes(site, root):
    write(root / "themes/style.css", "")
    for text in ("ONE", "TWO", "SIX"):
        assert "<header" in site.ask("/novels/walden").text
        write(root / "themes/page.html", text)
        assert site.ask("/novels/walden").text == text
        (root / "themes/page.html").unlink()
    write(root / "themes/waypost/page.html", "NEVER")
    write(root / "themes/page.html", '{% extends "waypost/page.html" %}')
    assert "<header" in site.ask("/novels/walden").text


def test_no_file_of_a_theme_is_read_through_a_link_or_waited_for(site, root, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere / "page.html", "CANARY")
    (root / "themes").mkdir()
    for name in ("page.html", "style.css", "icon.svg", "favicon.ico"):
        (root / "themes" / name).symlink_to(elsewhere / "page.html")
    (root / "themes/plain").symlink_to(elsewhere)
    write(root / "content/novels/walden.md.toml", 'theme = "plain"\n')
    asset = re.compile(r'(?:href|src)="(/_waypost/[^"?]*\.[^"]*)"')
    for path in ("/novels/walden", "/novels", "/favicon.ico", *asset.findall(site.ask("/").text)):
        answer = site.ask(path)
        assert answer.status == 200
        assert b"CANARY" not in answer.body
    for name in ("page.html", "style.css", "icon.svg", "favicon.ico"):
        (root / "themes" / name).unlink()
        os.mkfifo(root / "themes" / name)
    assert "<header" in site.ask("/novels").text
    shutil.rmtree(root / "themes")
    (root / "themes").symlink_to(elsewhere)
    assert "<header" in site.ask("/novels").text


def test_a_template_that_fails_is_said_once_until_it_is_mended(site, root, caplog):
    write(root / "themes/page.html", "{{ nothing.at.all }}")
    for path in ("/novels/walden", "/novels/walden", "/"):
        assert site.ask(path).status == 200
    assert caplog.text.count("page.html") == 1
    assert "themes/page.html" in site.ask("/readyz", client="127.0.0.1").text
    write(root / "themes/page.html", "MINE")
    assert site.ask("/novels/walden").text == "MINE"
    assert "themes/page.html" not in site.ask("/readyz", client="127.0.0.1").text


@pytest.mark.parametrize("kind", ["fifo", "link", "folder", "not utf-8", "long"])
@pytest.mark.parametrize("name", ["page.html", "style.css", "dark/page.html"])
def test_spec_what_is_no_plain_file_of_the_theme_is_neither_read_nor_waited_for(site, root, kind, name):
    (root / "outside.txt").write_text("OUTSIDE")
    write(root / "content/novels/dark.md", "---\ntheme: dark\n---\n# Dark\n")
    path = root / "themes" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(root / "outside.txt")
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"\xff" * (100 if kind == "not utf-8" else 2_000_000))
    for page in ("/novels/walden", "/novels/dark", "/nope"):
        answer = site.ask(page)
        assert "<header" in answer.text
        assets = re.findall(r"/_waypost/style\.[0-9a-f]+\.css", answer.text)
        assert assets
        for asset in assets:
            assert b"OUTSIDE" not in site.ask(asset).body


def test_a_root_may_extend_the_built_in_template_it_replaces(site, root):
    write(root / "themes/page.html", '{% extends "waypost/page.html" %}{% block foot %}MINE{% endblock %}')
    text = site.ask("/novels/walden").text
    assert "MINE" in text
    assert "Thoreau" in text


def test_wildcard_tenants_bring_no_theme_unless_allowed(tmp_path):
    rows = '[[site]]\nhosts = ["*.a.example"]\nroot = "t/{label}"\n[[site]]\nhosts = ["*.b.example"]\nroot = "t/{label}"\ntheme = true\n'
    write(tmp_path / "sites.toml", rows)
    write(tmp_path / "t/x/content/index.md", "# X\n")
    write(tmp_path / "t/x/themes/page.html", "MINE")
    app = create(sites=str(tmp_path), environment={})
    app.hosts.open()
    here = InProcess(app)
    assert here.ask("/", host="x.a.example").text != "MINE"
    assert here.ask("/", host="x.b.example").text == "MINE"
    here.close()
    app.hosts.close()


def test_a_bare_folder_without_pages_says_what_to_do(tmp_path):
    app = create(str(tmp_path), environment={})
    app.hosts.open()
    here = InProcess(app)
    answer = here.ask("/")
    assert answer.status == 200
    assert "Put a Markdown file into the folder" in answer.text
    here.close()
    app.hosts.close()


def test_the_list_of_a_bare_folder_is_by_its_folders(tmp_path):
    bare = tmp_path / "notes"
    for path in ("b.md", "a/x.md", "a/b c/y.md", "z/w.md"):
        write(bare / path, f"# {path}\n")
    app = create(str(bare), environment={})
    app.hosts.open()
    here = InProcess(app)
    article = here.ask("/").text.partition("<article")[2].partition("</article>")[0]
    assert re.findall(r"<h\d>([^<]*)<|<li><a href=\"([^\"]*)\"", article) == [
        ("Notes", ""), ("", "/b"), ("A", ""), ("", "/a/x"), ("A / B c", ""), ("", "/a/b-c/y"), ("Z", ""), ("", "/z/w"),
    ]  # fmt: skip
    here.close()
    app.hosts.close()


def test_a_page_without_text_shows_what_is_below_it_and_a_root_without_home_page_its_pages(tmp_path: Path) -> None:
    from tests.web.client import InProcess
    from tests.web.roots import write

    from waypost.web.app import create

    content = tmp_path / "content"
    client = InProcess(create(str(tmp_path), environment={}))
    write(tmp_path / "waypost.toml", 'title = "T"\n')
    assert client.ask("/").status == 404, "a root without pages"
    write(content / "posts/_index.md", "---\ntitle: Posts\n---\n")
    write(content / "posts/a.md", "---\ntitle: <A & b>\ndate: 2024-01-02\ndescription: Old <one>\n---\nText\n")
    write(content / "posts/b.md", "---\ntitle: B\ndate: 2025-01-02\n---\nText\n")
    write(content / "posts/hidden.md", "---\ntitle: CANARY\ndraft: true\n---\n")
    write(content / "postscript.md", "# Not below\n")
    page = client.ask("/posts").text
    assert page.index('href="/posts/b"') < page.index('<li><a href="/posts/a">&lt;A &amp; b&gt;</a> <time')
    assert "<p>Old &lt;one&gt;</p>" in page
    assert "CANARY" not in page
    article = page.partition("<article")[2].partition("</article>")[0]
    assert "postscript" not in article
    home = client.ask("/")
    assert home.status == 200
    assert home.headers["x-robots-tag"] == "noindex"
    assert 'href="/posts/a"' in home.text
    assert "<loc>https://example.com/</loc>" not in client.ask("/sitemap.xml", scheme="https").text
    write(content / "index.md", "---\naccess: deny\n---\n")
    assert client.ask("/").status == 404, "what nobody may see is as good as not there"
    client.app.hosts.close()
    client.close()
