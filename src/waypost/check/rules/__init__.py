"""The rules, one module a step."""
