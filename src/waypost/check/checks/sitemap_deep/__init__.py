"""The sitemap-deep check, one package a version."""
