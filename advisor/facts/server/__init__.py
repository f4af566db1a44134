"""Facts that the server reports."""
