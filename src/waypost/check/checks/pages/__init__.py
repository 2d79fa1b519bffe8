"""The pages check, one package a version."""
