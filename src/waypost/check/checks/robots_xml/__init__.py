"""The robots-xml check, one package a version."""
