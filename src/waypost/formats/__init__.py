"""Bytes to values and back, one parser and one writer a format. No I/O, no clock, no log."""
