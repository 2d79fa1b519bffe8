"""Doors into other applications."""
