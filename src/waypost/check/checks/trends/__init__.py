"""The trends check, one package a version."""
