"""How commands show what they do and find, ask, and write their results."""
