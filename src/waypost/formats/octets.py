"""What readers are given: bytes, or what holds bytes."""

__all__ = ["Octets", "octets"]

Octets = bytes | bytearray | memoryview


def octets(data: Octets) -> bytes:
    """The bytes of a document; a `TypeError` for text, whose bytes nobody can know any more."""
    if isinstance(data, bytes):
        return data
    if isinstance(data, bytearray | memoryview):
        return bytes(data)
    raise TypeError(f"a document is read from bytes, not from {type(data).__name__}; open its file with mode 'rb'")
