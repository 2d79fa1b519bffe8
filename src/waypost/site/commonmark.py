"""GitHub's own Markdown parser in C: the only importer of the Markdown library.

The library's Python side never gives back a syntax tree, nor the text made from it: 1.4 MB for each answer of a page of
50 KB. Its shared object has the functions that do, and offers them to whoever asks it by name; so a tree lives here as
long as the block that reads it, and is written as often as that block likes.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from cmarkgfm.cmark import Options, _cmark, core_extensions_ensure_registered, find_syntax_extension

__all__ = ["SAFE", "WITH_RAW_HTML", "parsed"]

SAFE: int = (
    Options.CMARK_OPT_FOOTNOTES | Options.CMARK_OPT_GITHUB_PRE_LANG | Options.CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE
)
"""GitHub's Markdown with footnotes; raw HTML and scripting schemes are left out."""
WITH_RAW_HTML: int = SAFE | Options.CMARK_OPT_UNSAFE
_EXTENSIONS = ("table", "autolink", "tagfilter", "strikethrough", "tasklist")
_Free = Callable[[int], object]
_WWW = "www."
_finishing = Lock()
"""The library keeps the characters its extensions look at in one table for all threads, and empties it after each text:
another text that is read just then would lose its links and strikethroughs. Another lists where it looks for links."""


class _Allocator(ctypes.Structure):
    _fields_ = (
        ("calloc", ctypes.c_void_p),
        ("realloc", ctypes.c_void_p),
        ("free", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    )


@cache
def _frees() -> tuple[_Free, _Free]:
    """What gives back a tree, and what gives back a text."""
    try:
        shared = ctypes.CDLL(_cmark.__file__)
        shared.cmark_node_free.argtypes = (ctypes.c_void_p,)
        shared.cmark_get_default_mem_allocator.restype = ctypes.POINTER(_Allocator)
        return shared.cmark_node_free, shared.cmark_get_default_mem_allocator().contents.free
    except (AttributeError, OSError):  # pragma: no cover - a build that hides them; there the library leaks as it does
        return id, id


@cache
def _extensions() -> tuple[Any, ...]:
    core_extensions_ensure_registered()
    return tuple(map(find_syntax_extension, _EXTENSIONS))


def _address(pointer: object) -> int:
    return int(_cmark.ffi.cast("uintptr_t", pointer))


@cache
def _looks() -> Callable[[bool], object]:
    """What tells the library whether to look for a bare link at every `w`, or only where a scheme ends."""
    try:
        shared = ctypes.CDLL(_cmark.__file__)
        listed, told = shared.cmark_llist_append, shared.cmark_syntax_extension_set_special_inline_chars
        shared.cmark_get_default_mem_allocator.restype = ctypes.c_void_p
    except (AttributeError, OSError):  # pragma: no cover - a build that hides them; there it looks at every one
        return bool
    listed.restype, listed.argtypes = ctypes.c_void_p, (ctypes.c_void_p,) * 3
    told.restype, told.argtypes = None, (ctypes.c_void_p,) * 2
    memory = shared.cmark_get_default_mem_allocator()
    scheme = listed(memory, None, ord(":"))
    both = listed(memory, listed(memory, None, ord(":")), ord("w"))
    extension = _address(find_syntax_extension("autolink"))
    return lambda at_w: told(extension, both if at_w else scheme)


@contextmanager
def parsed(text: str) -> Iterator[Callable[[int], str]]:
    """A text as a tree; what is yielded writes it as HTML, with the options it is given."""
    free_tree, free_text = _frees()
    lib = _cmark.lib
    data = text.encode("utf-8", "replace")
    parser = lib.cmark_parser_new(SAFE)
    try:
        for extension in _extensions():
            lib.cmark_parser_attach_syntax_extension(parser, extension)
        lib.cmark_parser_feed(parser, data, len(data))
        with _finishing:
            look = _looks()
            look(_WWW in text)
            tree = lib.cmark_parser_finish(parser)
            look(True)
        attached = lib.cmark_parser_get_syntax_extensions(parser)

        def written(options: int) -> str:
            made = lib.cmark_render_html(tree, options, attached)
            try:
                return str(_cmark.ffi.string(made), "utf-8")
            finally:
                free_text(_address(made))

        try:
            yield written
        finally:
            free_tree(_address(tree))
    finally:
        lib.cmark_parser_free(parser)
