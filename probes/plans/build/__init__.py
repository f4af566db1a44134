"""Making a plan: the built-in ones, and one that goes on until all is decided."""
