"""The robots check, one package a version."""
