"""Facts that the server tells of itself."""
