"""Colours for code, made on the server as classes a style sheet knows: the only importer of Pygments."""

from functools import lru_cache
from html import escape

from pygments import lex
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, Token, _TokenType
from pygments.util import ClassNotFound

from waypost.limits import CODE_CHARS_MAX

__all__ = ["highlighted"]

_PLAIN = {"", "text", "txt", "plain", "none"}


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None


def highlighted(code: str, language: str) -> str:
    """Code as HTML: spans with Pygments' short classes where the language is known, else the escaped text alone."""
    lexer = None if language in _PLAIN or len(code) > CODE_CHARS_MAX else _lexer(language)
    if lexer is None:
        return escape(code, quote=False)
    pieces = []
    for token, text in lex(code, lexer):
        kind = _short(token)
        shown = escape(text, quote=False)
        pieces.append(f'<span class="{kind}">{shown}</span>' if kind else shown)
    return "".join(pieces)


def _short(token: _TokenType) -> str:
    while token not in STANDARD_TYPES and token.parent is not None:
        token = token.parent
    return STANDARD_TYPES[token] if token not in {Token.Text, Token.Text.Whitespace, Token.Punctuation} else ""
