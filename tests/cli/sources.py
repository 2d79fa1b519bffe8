"""Small folders as other programs have them, made for these tests."""

from collections.abc import Mapping
from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n"


def lay(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return root


HUGO: Mapping[str, str | bytes] = {
    "hugo.toml": """baseURL = "https://old.example.com/"
title = "A Hugo site"
languageCode = "en-gb"
defaultContentLanguage = "en"
[permalinks]
news = "/:year/:month/:slug/"
[languages.en]
weight = 1
[languages.fr]
title = "Un site"
""",
    "content/_index.md": '---\ntitle: "Welcome"\n---\n',
    "content/about.md": """+++
title = "About us"
linkTitle = "About"
weight = 20
description = "Who we are"
aliases = ["/who", "people"]
lastmod = 2024-05-01T10:00:00+02:00
[params]
mood = "calm"
+++
# About us

![logo](/img/logo.png) [posts](/posts/) [first]({{< ref "posts/First Post.md#part" >}}) {{% notice tip %}}Hello{{% /notice %}}

{{< gist jmooring 23932424365401ffa5e9d9810102a477 >}}

{{< figure src="/img/logo.png" alt="A logo" caption="Our logo" >}}

{{< highlight go >}}
fmt.Println("{{ not a tag }}")
{{< /highlight >}}

```
{{</* shown */>}}
```
""",
    "content/posts/First Post.md": """---
title: "First: post"
date: 2024-01-02 15:04:05 +0100
tags: [one, two]
categories: three
---
Hello *there*. [about](../about.md) [bundle](bundle/) ![photo](bundle/photo.png)
""",
    "content/posts/bundle/index.md": '{"title": "A bundle", "date": "2024-02-01"}\n![photo](photo.png)\n',
    "content/posts/bundle/photo.png": PNG,
    "content/posts/slugged.md": "---\ntitle: S\nslug: a-better-name\ndate: 2023-01-01\n---\n# S\n",
    "content/posts/fixed.md": "---\ntitle: F\nurl: /somewhere/else.html\n---\n# F\n",
    "content/posts/draft.md": "---\ntitle: D\ndraft: true\n---\n# CANARY\n",
    "content/posts/future.md": "---\ntitle: Later\ndate: 2199-01-01\n---\n# CANARY\n",
    "content/posts/gone.md": "---\ntitle: Gone\nexpiryDate: 2001-01-01\n---\n# CANARY\n",
    "content/news/launch.md": "---\ntitle: Launch\nslug: we-launch\ndate: 2024-03-09\n---\n# Launch\n",
    "content/team.md": "---\ntitle: Team\n---\n# Team\n",
    "content/team.fr.md": "---\ntitle: Équipe\n---\n# Équipe\n",
    "content/broken.md": "---\ntitle: [\n---\n# CANARY\n",
    "content/page.org": "* Org\n",
    "static/img/logo.png": PNG,
    "static/robots.txt": "User-agent: *\nDisallow: /\n",
    "static/data.json": '{"rows": [1]}',
    "layouts/index.html": "{{ .Title }}",
    "themes/t/layouts/x.html": "x",
}
HUGO_ADDRESSES = ("/", "/about/", "/who/", "/people", "/posts/", "/posts/first-post/", "/posts/bundle/", "/posts/a-better-name/",
                  "/somewhere/else.html", "/2024/03/we-launch/", "/team/", "/fr/team/", "/news/", "/img/logo.png", "/data.json",
                  "/posts/bundle/photo.png")  # fmt: skip

JEKYLL: Mapping[str, str | bytes] = {
    "_config.yml": "title: A Jekyll site\nlang: en\nexclude: [secret]\ncollections:\n  recipes:\n    output: true\n  notes: {}\n",
    "_posts/2020-01-02-hello-world.md": """---
layout: post
categories: blog life
tags: x
redirect_from: /hi/
---
See [the other]({% post_url 2021-03-04-Second %}), ![pic]({{ "/assets/pic.png" | relative_url }}) and {{ site.baseurl }}/about.html.

{% include video.html id="x" %}

{% highlight ruby %}
puts "{{ hi }}"
{% endhighlight %}

{% raw %}{{ kept }}{% endraw %} {% comment %}CANARY {{ x }}{% endcomment %}

A paragraph
{: .lead }
""",
    "_posts/2021-03-04-Second.markdown": "---\ntitle: Second\ndate: 2021-03-05 09:00:00 +0000\n---\n# Second\n",
    "_posts/2021-04-01-hidden.md": "---\npublished: false\n---\n# CANARY\n",
    "_posts/2022-01-01-own.md": "---\npermalink: /own/:year/:title/\n---\n# Own\n",
    "_drafts/idea.md": "---\ntitle: Idea\n---\n# CANARY\n",
    "_recipes/soup.md": "---\ntitle: Soup\n---\n# Soup\n",
    "_notes/private.md": "---\ntitle: Private\n---\n# CANARY\n",
    "about.md": "---\ntitle: About\nlayout: page\n---\n# About\n\n[home](/)\n",
    "index.html": "---\nlayout: home\n---\n",
    "assets/pic.png": PNG,
    "assets/main.scss": "---\n---\n@import 'x';\n",
    "plain.html": "<h1>Plain</h1>",
    "secret/x.md": "# CANARY\n",
    "Gemfile": "source 'https://rubygems.org'\n",
    "_layouts/default.html": "{{ content }}",
}
JEKYLL_ADDRESSES = ("/", "/blog/life/2020/01/02/hello-world.html", "/hi/", "/2021/03/05/second.html", "/own/2022/own/",
                    "/recipes/soup.html", "/about.html", "/assets/pic.png", "/plain.html")  # fmt: skip

MKDOCS: Mapping[str, str | bytes] = {
    "mkdocs.yml": """site_name: A manual
site_url: https://old.example.com/
theme: {name: material, language: en}
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
nav:
  - index.md
  - Start here: start.md
  - Guide:
      - guide/index.md
      - Deep: guide/deep.md
      - reference/api.md
  - Elsewhere: https://example.com/
  - Loose:
      - loose/one.md
  - Missing: missing.md
""",
    "docs/index.md": "# A manual\n\n[start](start.md) [guide](guide/) [guide](guide/index.md#x) ![d](img/d.png)\n",
    "docs/start.md": """---
title: Starting
description: How to start
---
# Starting

!!! warning "Mind the gap"
    Text with [a link](guide/deep.md).

    - one
    - two

    ```py
    !!! not one
    ```

After.

=== "Linux"
    apt

=== "Mac"
    brew

:material-heart: [Button](index.md){ .md-button }

--8<-- "part.md"
""",
    "docs/guide/index.md": "# Guide\n",
    "docs/guide/deep.md": "# Deep\n\n[up](../start.md)\n",
    "docs/reference/api.md": "# API\n",
    "docs/loose/one.md": "# One\n",
    "docs/readme-only/README.md": "# Read me\n",
    "docs/img/d.png": PNG,
    "hooks/x.py": "x\n",
}
MKDOCS_ADDRESSES = (
    "/",
    "/start/",
    "/guide/",
    "/guide/deep/",
    "/reference/api/",
    "/loose/one/",
    "/readme-only/",
    "/img/d.png",
)

NOPRESSURE: Mapping[str, str | bytes] = {
    "state/sys/tags.yaml": 'staff-only:\n  roles: ["staff"]\n',
    "state/users.sqlite": b"secret",
    "content/aa/00000000000001aa.1": "# Hello\n",
    "content/aa/00000000000001aa.1.ron": '(alias: "welcome", title: Some("A page"), mime: "text/markdown", tags: [])',
    "content/bb/00000000000002bb.1": "# CANARY\n",
    "content/bb/00000000000002bb.1.ron": '(alias: "inside", mime: "text/markdown", tags: ["staff-only"])',
}
NOPRESSURE_ADDRESSES = ("/welcome", "/id/00000000000001aa")

OBSIDIAN: Mapping[str, str | bytes] = {
    ".obsidian/app.json": "{}",
    "Home.md": "# Home\n\n[[Second note]] [[second note#A part|that part]] ![[pic.png|200]] [[Nick]] [[Nowhere]] %%CANARY%%\n",
    "Folder/Second note.md": "---\naliases: [Nick]\ntags: [a]\n---\n# Second\n\n> [!tip] Try this\n> Now\n\n`[[code]]`\n",
    "Folder/pic.png": PNG,
    "Board.canvas": "{}",
}
OBSIDIAN_ADDRESSES = ("/", "/home", "/folder/second-note", "/folder/pic.png")

NOTES: Mapping[str, str | bytes] = {
    "README.md": "# Notes\n\n[one](one.md)\n",
    "one.md": "# One\n\n[back](README.md) [[two]]\n",
    "two.md": "# Two\n",
    "table.csv": "a,b\n",
}
NOTES_ADDRESSES = ("/", "/readme", "/one", "/two", "/table.csv")

EVERY: Mapping[str, tuple[Mapping[str, str | bytes], tuple[str, ...]]] = {
    "hugo": (HUGO, HUGO_ADDRESSES),
    "jekyll": (JEKYLL, JEKYLL_ADDRESSES),
    "mkdocs": (MKDOCS, MKDOCS_ADDRESSES),
    "nopressure": (NOPRESSURE, NOPRESSURE_ADDRESSES),
    "obsidian": (OBSIDIAN, OBSIDIAN_ADDRESSES),
    "markdown": (NOTES, NOTES_ADDRESSES),
}
