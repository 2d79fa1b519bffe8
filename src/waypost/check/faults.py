"""What went wrong on a connection, in our words: the system's and TLS errors named."""

import errno
import socket
import ssl

from waypost.check.capture import ErrorKind, FetchError

__all__ = ["connection_fault", "dns_fault", "tls_fault"]

_BY_ERRNO = {
    errno.ECONNREFUSED: ErrorKind.REFUSED,
    errno.ECONNRESET: ErrorKind.RESET,
    errno.ECONNABORTED: ErrorKind.RESET,
    errno.EPIPE: ErrorKind.RESET,
    errno.ETIMEDOUT: ErrorKind.CONNECT_TIMEOUT,
}

# The numbers of X509_V_ERR_… that OpenSSL gives (x509_vfy.h).
_BY_VERIFY_CODE = {
    9: ErrorKind.TLS_NOT_YET,
    10: ErrorKind.TLS_EXPIRED,
    18: ErrorKind.TLS_SELF_SIGNED,
    19: ErrorKind.TLS_UNTRUSTED,
    20: ErrorKind.TLS_UNTRUSTED,
    21: ErrorKind.TLS_UNTRUSTED,
    62: ErrorKind.TLS_NAME,
    64: ErrorKind.TLS_NAME,
}

# What OpenSSL says when the bytes are no TLS record at all; the words change between its versions.
_NOT_TLS = frozenset(
    {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "UNKNOWN_PROTOCOL", "PACKET_LENGTH_TOO_LONG"}
    | {"RECORD_LAYER_FAILURE", "RECORD_TOO_LARGE", "ENCRYPTED_LENGTH_TOO_LONG", "BAD_RECORD_TYPE"}
)
_NO_NAME = frozenset(
    {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME), getattr(socket, "EAI_ADDRFAMILY", -9)}
)


def dns_fault(error: BaseException | None, host: str) -> FetchError:
    """Why a name did not resolve."""
    no_name = isinstance(error, UnicodeError) or (isinstance(error, socket.gaierror) and error.errno in _NO_NAME)
    return FetchError(ErrorKind.DNS_NO_NAME if no_name else ErrorKind.DNS_FAILED, host)


def tls_fault(error: BaseException) -> FetchError:
    """Why a TLS handshake failed."""
    if isinstance(error, ssl.SSLCertVerificationError):
        kind = _BY_VERIFY_CODE.get(error.verify_code, ErrorKind.TLS_UNTRUSTED)
        return FetchError(kind, error.verify_message.rstrip(".") if kind is ErrorKind.TLS_UNTRUSTED else "")
    reason = getattr(error, "reason", None) or ""
    if reason in _NOT_TLS:
        return FetchError(ErrorKind.TLS_PLAINTEXT)
    words = reason.lower().replace("_", " ")
    return FetchError(ErrorKind.TLS_FAILED, words or "the server closed the connection")


def connection_fault(error: OSError, *, in_handshake: bool) -> FetchError:
    """Why a connection was not made, or was lost."""
    if isinstance(error, ssl.SSLError):
        return tls_fault(error)
    kind = _BY_ERRNO.get(error.errno or 0)
    if in_handshake and kind is not ErrorKind.CONNECT_TIMEOUT:
        return FetchError(ErrorKind.TLS_FAILED, "the server closed the connection")
    if kind is None and "Connect call failed" in str(error):
        kind = ErrorKind.REFUSED if f"[Errno {errno.ECONNREFUSED}]" in str(error) else ErrorKind.UNREACHABLE
    if kind is None and isinstance(error, ConnectionResetError):
        kind = ErrorKind.RESET
    if kind is None:
        return FetchError(ErrorKind.UNREACHABLE, (error.strerror or "").lower())
    return FetchError(kind)
