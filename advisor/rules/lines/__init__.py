"""Lines of the option file, and persisted values, that are better taken out."""
