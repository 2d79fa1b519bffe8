"""The feeds check, one package a version."""
