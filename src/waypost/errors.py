"""The exceptions our callers may see.

    WaypostError          anything below; its message says what happened, whose fault it is, and what to do
    ├── ConfigError       a setting, a file of settings or an option is wrong
    ├── ContentError      a content object cannot be written or named as asked
    ├── LetGoError        a root was let go for others; whoever still holds it asks for it again
    ├── WriteError        a value cannot stand in the document it is meant for
    └── StoreError        this machine would not keep what it was given (disk full, no permission)

What a document says wrong is a `Note`, what a site does wrong is a `Finding`; neither is an exception.
"""

__all__ = ["ConfigError", "ContentError", "LetGoError", "StoreError", "WaypostError", "WriteError"]


class WaypostError(Exception):
    """The root of every exception waypost raises on purpose."""


class ConfigError(WaypostError):
    """A setting, a file of settings or an option is wrong."""


class ContentError(WaypostError):
    """A content object cannot be written or named as asked."""


class LetGoError(WaypostError):
    """A root was let go for others; whoever still holds it asks for it again."""


class WriteError(WaypostError):
    """A value cannot stand in the document it is meant for."""


class StoreError(WaypostError):
    """This machine would not keep what it was given."""
