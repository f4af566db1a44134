"""The catalogue of settings: whole, right, and as real servers are."""
