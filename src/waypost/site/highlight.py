"""Colours for code, made on the server as classes a style sheet knows.

Each language is one expression that only ever goes forward: what it has passed is never read again, so no code, however
hostile, costs more than its length. That, and thirty times the speed, is why no general lexer does this; a language that
is not in the table is shown as it is.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from waypost.limits import CODE_CHARS_MAX

__all__ = ["LANGUAGES", "highlighted"]

# The classes are k: keyword, v: value the language names, s: string, n: number, c: comment or prompt, f: name that is
# called, set or meant, o: output, i and d: line put in and line deleted.
_DOUBLE, _SINGLE, _BACK = (rf"{mark}(?:[^{mark}\\\n]|\\.)*+{mark}?" for mark in "\"'`")
_LONG_BACK = r"`(?:[^`\\]|\\.)*+`?"
_TRIPLE = r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?' + r"|'''(?:[^'\\]|\\.|'(?!''))*+(?:''')?"
_NUMBER = r"(?P<n>\b\d[\w.]*+)"
_NAME = r"(?P<w>[^\W\d]\w*+)"
_WORD = rf"(?P<f>[^\W\d]\w*+(?=\())|{_NAME}"
_HASH, _SLASHES, _DASHES = r"#[^\n]*+", r"//[^\n]*+", r"--[^\n]*+"
_STARRED = r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
_SPACED_HASH = r"(?<!\S)#[^\n]*+"


class Language(NamedTuple):
    """How a language is coloured: one expression, and what its words are."""

    expression: str
    keywords: str = ""
    values: str = ""
    ignores_case: bool = False


def _spoken(comments: str, strings: str, keywords: str, values: str = "", more: str = "") -> Language:
    """A language of words, strings and comments."""
    return Language(f"(?P<c>{comments})|(?P<s>{strings})|{more}{_NUMBER}|{_WORD}", keywords, values)


_C = "break case const continue default do else enum extern for goto if inline register return sizeof static struct switch typedef union volatile while"
_CLASSES = "abstract class extends final finally import interface new package private protected public super this throw throws try catch"
_JS = "as async await break case catch class const continue debugger default delete do else export extends finally for from function get if import in instanceof let new of return set static super switch this throw try typeof var void while with yield"
_TS = f"{_JS} abstract declare enum implements interface keyof namespace private protected public readonly satisfies type"
_BOTH_COMMENTS = f"{_SLASHES}|{_STARRED}"
_BOTH_QUOTES = f"{_DOUBLE}|{_SINGLE}"
_JS_STRINGS = f"{_BOTH_QUOTES}|{_LONG_BACK}"
_SIGIL = r"(?P<v>\$(?:\{[^}\n]*+\}?|\w++|[#?@*!$-]))|"
_AT = r"(?P<f2>@[\w.]++)|"
_PYTHON = "and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield"
_SHELL = "case do done elif else esac export fi for function if in local return select set then trap until while"
_SQL = "add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction union unique update using values view when where with"

_TABLE: dict[str, Language] = {
    "python py python3 pyi": _spoken(_HASH, rf"\b[rRbBfFuU]{{1,2}}(?=[\"'])(?:{_TRIPLE}|{_BOTH_QUOTES})|{_TRIPLE}|{_BOTH_QUOTES}", _PYTHON, "True False None self cls", _AT),
    "pycon": Language(rf"^(?P<c>(?:&gt;){{3}} |\.\.\. )|^(?P<o>(?!&gt;&gt;&gt; |\.\.\. )[^\n]++)|(?P<s>{_BOTH_QUOTES})|{_NUMBER}|{_WORD}", _PYTHON, "True False None"),
    "javascript js jsx mjs cjs": _spoken(_BOTH_COMMENTS, _JS_STRINGS, _JS, "true false null undefined NaN"),
    "typescript ts tsx": _spoken(_BOTH_COMMENTS, _JS_STRINGS, _TS, "true false null undefined any boolean never number string unknown void"),
    "c h": _spoken(_BOTH_COMMENTS, _BOTH_QUOTES, _C, "char double float int long short signed unsigned void bool true false NULL", r"(?P<f2>^[ \t]*+#\w++)|"),
    "cpp c++ cc hpp cxx": _spoken(_BOTH_COMMENTS, _BOTH_QUOTES, f"{_C} auto class constexpr delete explicit friend mutable namespace new noexcept operator override private protected public template this throw try catch typename using virtual", "bool char double float int long short signed unsigned void true false nullptr", r"(?P<f2>^[ \t]*+#\w++)|"),
    "java kotlin kt scala groovy": _spoken(_BOTH_COMMENTS, f'"""(?:[^"\\\\]|\\\\.|"(?!""))*+(?:""")?|{_BOTH_QUOTES}', f"{_C} {_CLASSES} assert case def fun implements instanceof is object override record sealed synchronized trait val var when with yield", "boolean byte char double float int long short void true false null", _AT),
    "csharp cs": _spoken(_BOTH_COMMENTS, _BOTH_QUOTES, f"{_C} {_CLASSES} as async await base foreach get in is lock namespace out override params readonly record ref sealed set using var virtual when where yield", "bool byte char decimal double float int long object short string void true false null"),
    "go golang": _spoken(_BOTH_COMMENTS, f"{_BOTH_QUOTES}|`[^`]*+`?", "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var", "any bool byte error float32 float64 int int32 int64 rune string uint true false nil iota"),
    "rust rs": _spoken(_BOTH_COMMENTS, rf'{_DOUBLE}|\'(?:[^\'\\\n]|\\[^\n]{{1,8}}?)\'', "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return static struct super trait type unsafe use where while", "Self self bool char f32 f64 i8 i16 i32 i64 isize str u8 u16 u32 u64 usize true false None Some Ok Err", r"(?P<f2>#!?\[[^\]\n]*+\]?|\b\w++!(?=[(\[{]))|"),
    "swift": _spoken(_BOTH_COMMENTS, _DOUBLE, "actor as async await break case catch class continue default defer do else enum extension for func guard if import in init is let protocol return some static struct super switch throw throws try typealias var where while", "Any Bool Double Int Self String self true false nil", _AT),
    "php": _spoken(f"{_BOTH_COMMENTS}|{_HASH}", _BOTH_QUOTES, f"{_C} {_CLASSES} array as echo elseif fn foreach function global implements include instanceof isset match namespace require trait unset use var yield", "true false null", _SIGIL),
    "ruby rb": _spoken(_HASH, _BOTH_QUOTES, "alias and begin break case class def do else elsif end ensure for if in module next not or raise redo require rescue retry return super then undef unless until when while yield", "true false nil self", r"(?P<v>(?<![\w:]):\w++|@{1,2}\w++)|"),
    "lua": _spoken(_DASHES, _BOTH_QUOTES, "and break do else elseif end for function goto if in local not or repeat return then until while", "true false nil"),
    "r": _spoken(_HASH, _BOTH_QUOTES, "break else for function if in next repeat return while library", "TRUE FALSE NULL NA Inf"),
    "sql postgresql mysql sqlite": _spoken(f"{_DASHES}|{_STARRED}", r"'(?:[^']|'')*+'?|\"[^\"\n]*+\"?", _SQL, "boolean date integer int numeric serial text timestamp varchar true false")._replace(ignores_case=True),
    "sh bash zsh shell fish": _spoken(_SPACED_HASH, rf"\"(?:[^\"\\]|\\.)*+\"?|'[^']*+'?", _SHELL, "", rf"{_SIGIL}(?P<v2>(?<=\s)--?[A-Za-z][\w-]*+)|"),
    "console shell-session terminal": Language(r"^(?P<c>(?:\([\w.-]++\) )?[$#%] )(?P<x>[^\n]*+)|^(?P<o>[^\n]++)"),
    "html xml svg vue xhtml rss atom xsd": Language(rf"(?P<c>&lt;!--(?:[^-]|-(?!-&gt;))*+(?:--&gt;)?|&lt;[!?][^&\n]*+(?:&gt;)?)|(?P<k>&lt;/?[\w:.-]++)|(?P<f>[\w:@.-]++(?==[\"']))|(?P<s>(?<==)(?:\"[^\"]*+\"?|'[^']*+'?))|(?P<v>&amp;[#\w]++;?)|(?P<w>[\w:@.-]++)"),
    "jinja jinja2 django liquid": Language(r"(?P<c>\{#(?:[^#]|#(?!\}))*+(?:#\})?)|(?P<f>\{\{[^}\n]*+(?:\}\})?)|(?P<v>\{%[^%\n]*+(?:%\})?)|(?P<k>&lt;/?[\w:.-]++)|(?P<s>(?<==)\"[^\"\n]*+\"?)"),
    "css scss less": Language(rf"(?P<c>{_STARRED}|(?<![:\w])//[^\n]*+)|(?P<s>{_BOTH_QUOTES})|(?P<k>@[\w-]++)|(?P<v>--[\w-]++|#[0-9a-fA-F]{{3,8}}\b)|(?P<f>[\w-]++(?=[ \t]*+:[ \t\n]))|(?P<n>-?\b\d[\w.%-]*+)|(?P<w>[\w-]++)"),
    "json jsonc json5": Language(rf"(?P<c>{_BOTH_COMMENTS})|(?P<f>\"(?:[^\"\\\n]|\\.)*+\"(?=[ \t]*+:))|(?P<s>{_DOUBLE})|(?P<n>-?\b\d[\w.+-]*+)|{_NAME}", "", "true false null"),
    "yaml yml": Language(rf"(?P<c>{_SPACED_HASH})|(?P<k>^---$)|(?P<f>[\w./-]++(?=:(?:[ \t\n]|\Z)))|(?P<s>{_BOTH_QUOTES})|(?P<n>\b\d[\w./-]*+)|(?P<w>[\w./-]++)", "", "true false null yes no on off"),
    "toml ini cfg conf properties dotenv": Language(rf"(?P<c>(?<!\S)[#;][^\n]*+)|(?P<k>^[ \t]*+\[[^\]\n]*+\]{{1,2}})|(?P<f>^[ \t]*+[\w.\"-]++(?=[ \t]*+=))|(?P<s>{_TRIPLE}|{_BOTH_QUOTES})|{_NUMBER}|{_NAME}", "", "true false"),
    "nginx caddyfile caddy": Language(rf"(?P<c>{_SPACED_HASH})|(?P<s>{_BOTH_QUOTES})|(?P<v>\$\w++)|(?P<k>^[ \t]*+[a-z_]++)|{_NUMBER}"),
    "dockerfile docker containerfile": Language(rf"(?P<c>{_SPACED_HASH})|(?P<k>^[A-Z]{{3,}}\b)|(?P<s>{_BOTH_QUOTES})|(?P<v>\$\{{?\w++\}}?)|{_NUMBER}"),
    "makefile make": Language(rf"(?P<c>{_SPACED_HASH})|(?P<f>^[\w./%-]++(?=:))|(?P<v>\$[({{][^)}}\n]*+[)}}]?|\$\S)|(?P<s>{_BOTH_QUOTES})"),
    "diff patch": Language(r"^(?P<f>(?:\+\+\+|---) [^\n]*+)|^(?P<i>\+[^\n]*+)|^(?P<d>-[^\n]*+)|^(?P<k>@@[^\n]*+)"),
    "markdown md": Language(rf"(?P<k>^#{{1,6}} [^\n]*+)|(?P<c>^&gt;[^\n]*+|^---$)|(?P<s>{_BACK})|(?P<f>!?\[[^\[\]\n]*+\](?=\())|(?P<v>^[ \t]*+(?:[-*+]|\d++\.) )"),
    "http": Language(rf"(?P<k>^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b|^HTTP/\S++)|(?P<f>^[\w-]++(?=:))|{_NUMBER}"),
}  # fmt: skip

LANGUAGES = {name: language for names, language in _TABLE.items() for name in names.split()}
"""How each language is coloured, by every name it goes by."""

_Paint = Callable[[str], str]


@lru_cache(maxsize=len(LANGUAGES))
def _painter(language: Language) -> _Paint:
    fold = str.lower if language.ignores_case else str
    kinds = dict.fromkeys(language.values.split(), "v") | dict.fromkeys(language.keywords.split(), "k")

    def painted(found: re.Match[str]) -> str:
        kind, text = found.lastgroup or "w", found[0]
        if kind in "fw" and kinds:
            kind = kinds.get(fold(text), kind)
        if kind == "x":
            return f'<span class="c">{found["c"]}</span>{found["x"]}'
        return text if kind == "w" else f'<span class="{kind[0]}">{text}</span>'

    scan = re.compile(language.expression, re.MULTILINE | re.DOTALL)
    return lambda code: scan.sub(painted, code)


def highlighted(escaped: str, language: str) -> str:
    """Code, as it was escaped for HTML, with its words in spans where the language is known.

    >>> highlighted("x = None", "python")
    'x = <span class="v">None</span>'
    """
    known = LANGUAGES.get(language)
    if known is None or len(escaped) > CODE_CHARS_MAX:
        return escaped
    return _painter(known)(escaped.replace("&quot;", '"'))
