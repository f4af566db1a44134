"""The sections that a client reads: what to decide, risks, changes, what was tried, terms."""
