"""Documents become findings."""
