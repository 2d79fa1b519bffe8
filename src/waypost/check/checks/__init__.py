"""The checks, one package an id and version."""
