"""Several directories measured in turn."""
