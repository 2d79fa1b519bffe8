"""Results become text, one renderer a module."""
