"""The sitemap check, one package a version."""
