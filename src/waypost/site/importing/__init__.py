"""Other people's folders as runtime roots: recognised, understood as far as they can be, and told about."""
